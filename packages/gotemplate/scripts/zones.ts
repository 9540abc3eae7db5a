/**
 * Generates src/time/zones.data.ts: `npx tsx packages/gotemplate/scripts/zones.ts`.
 *
 * The zones come from moment-timezone's data, which is IANA's. Three things are missing there. The yearly rules of summer
 * time are found here in the listed years. Whether a zone is summer time is inferred. The history of zones that are links
 * comes from backzone.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DAY, civilDate, daysIn, daysOf, weekday } from '../src/time/calendar.ts';
import {
  type Change,
  type YearlyChange,
  type YearlyRule,
  type Zone,
  secondOfYear,
} from '../src/time/timeline.ts';
import { GAP_CODES, unpackZone } from '../src/time/zones.ts';
import { BACKZONE } from './backzone.ts';

export const TARGET = fileURLToPath(new URL('../src/time/zones.data.ts', import.meta.url));

interface History {
  readonly first: Zone;
  readonly changes: readonly Change[];
}

interface Packed {
  readonly version: string;
  readonly zones: readonly string[];
  readonly links: readonly string[];
}

/** The whole text of zones.data.ts. */
export function generate(): string {
  const data = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('moment-timezone/data/packed/latest.json'), 'utf8'),
  ) as Packed;
  const histories = new Map<string, History>();
  for (const line of data.zones) {
    const [name = ''] = line.split('|', 1);
    histories.set(name, withSummer(name, readMoment(line)));
  }
  for (const link of data.links) {
    const [target = '', name = ''] = link.split('|');
    const history = histories.get(target);
    if (history !== undefined) histories.set(name, history);
  }
  for (const [name, target] of RELINKED) {
    const history = histories.get(target);
    if (history !== undefined) histories.set(name, history);
  }
  addBackzone(histories);
  histories.set('Factory', { first: { name: '-00', offset: 0, daylight: false }, changes: [] });

  const names = new Map<string, string[]>();
  const common = commonGaps([...histories.values()]);
  for (const [name, history] of histories) {
    const text = pack(history, common);
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  const lines = [...names].map(([text, all]) => `${all.sort().join(' ')}|${text}`).sort();
  return `// Made by scripts/zones.ts. Do not edit.

/** Of IANA's time zone database. */
export const VERSION = '${data.version}';

/** The gaps between changes that are most common. */
export const GAPS =
  '${common.join(' ')}';

/** Names, zones, changes and rule of each time zone; see zones.ts. */
export const ZONES: readonly string[] = [
${lines.map((line) => `  '${line}',\n`).join('')}];
`;
}

/** Names that are links in IANA's data, but not in moment-timezone's. */
const RELINKED = [
  ['CST6CDT', 'America/Chicago'],
  ['EST5EDT', 'America/New_York'],
  ['MST7MDT', 'America/Denver'],
  ['PST8PDT', 'America/Los_Angeles'],
] as const;

const BASE60 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';

/** Minutes in base 60, with a fraction, as seconds. */
function readBase60(text: string): number {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.slice(negative ? 1 : 0).split('.');
  let minutes = 0;
  for (const digit of whole) minutes = minutes * 60 + BASE60.indexOf(digit);
  const seconds = minutes * 60 + (fraction === '' ? 0 : BASE60.indexOf(fraction));
  return negative ? -seconds : seconds;
}

/** `name|abbreviations|offsets west|indices|gaps|…` */
function readMoment(line: string): History {
  const [, abbreviations = '', offsets = '', indices = '', gaps = ''] = line.split('|');
  const west = offsets.split(' ').map(readBase60);
  const zones = abbreviations
    .split(' ')
    .map((name, i): Zone => ({ name, offset: 0 - (west[i] ?? 0), daylight: false }));
  const [first = zones[0], ...later] = Array.from(indices, (index) => zones[BASE60.indexOf(index)]);
  if (first === undefined) throw new Error(`no zones in ${line}`);
  let at = 0;
  const times = gaps === '' ? [] : gaps.split(' ').map((gap) => (at += readBase60(gap)));
  return { first, changes: times.map((time, i) => ({ at: time, zone: later[i] ?? first })) };
}

/** Abbreviations of summer time. */
const SUMMER =
  /^(?:[A-Z]{1,3}DT|[A-Z]{1,2}D[DS]T|[A-Z]+[WP]T|[CEW]+EST|CAST|WAST|[CW]EMT|MSD|MDST|LST|EAST|HKST|PKST|BDST)$/;

/** Abbreviations that mean summer time only in some places or years. Numeric ones are like that too. */
const UNSURE = /^(?:[^A-Z].*|BST|IST|SAST|HKWT)$/;

/** Zones where the winter time counts as daylight saving time: its abbreviation, since when, and the summer's one. */
const INVERTED: Readonly<Record<string, readonly [name: string, since: number, summer: string]>> = {
  'Africa/Casablanca': ['+00', Date.UTC(2018, 9, 28) / 1000, '+01'],
  'Africa/El_Aaiun': ['+00', Date.UTC(2018, 9, 28) / 1000, '+01'],
  'Africa/Windhoek': ['WAT', Date.UTC(1994, 2, 20) / 1000, 'CAT'],
  'Europe/Dublin': ['GMT', Date.UTC(1971, 9, 31) / 1000, 'IST'],
};

const LONG = 620 * DAY;

/** British Standard Time lasted three years and was not summer time. */
const BRITISH = 1000 * DAY;

/** Marks summer time: by its abbreviation, or because clocks were ahead only for a few seasons. */
function withSummer(name: string, { first, changes }: History): History {
  const inverted = INVERTED[name];
  return {
    first,
    changes: changes.map((change, i) => {
      const { at, zone } = change;
      const before = changes[i - 1]?.zone ?? first;
      // At the end of the data, in the far future, the change before shows what comes next.
      const next = changes[i + 1] ?? (yearOf(at) < 2100 ? undefined : changes[i - 1]);
      const ahead =
        next !== undefined &&
        zone.offset > before.offset &&
        zone.offset > next.zone.offset &&
        next.at - at < LONG;
      let daylight = UNSURE.test(zone.name) ? ahead : SUMMER.test(zone.name);
      if (zone.name === 'BST' && zone.offset === 3600)
        daylight = next !== undefined && next.at - at < BRITISH;
      if (inverted !== undefined && at >= inverted[1]) daylight = zone.name === inverted[0];
      return { at, zone: { ...zone, daylight } };
    }),
  };
}

function addBackzone(histories: Map<string, History>): void {
  for (const line of BACKZONE) {
    const [names = '', zones = '', changes = '', joined = ''] = line.split('|');
    const history = unpackZone(`${zones}|${changes}|`);
    for (const name of names.split(' ')) {
      const after = histories.get(name)?.changes.filter(({ at }) => at > Number(joined)) ?? [];
      histories.set(name, { first: history.zones[0], changes: [...history.changes, ...after] });
    }
  }
}

/** Zones, changes and rule in the format of src/time/zones.ts. */
function pack({ first, changes }: History, common: readonly string[]): string {
  const { rule, from } = findRule(changes);
  const zones: string[] = [];
  const indexOf = ({ name, offset, daylight }: Zone): number => {
    const text = `${name}${offset < 0 ? '' : '+'}${offset}${daylight ? '*' : ''}`;
    if (!zones.includes(text)) zones.push(text);
    return zones.indexOf(text);
  };
  indexOf(first);
  const gaps = gapsOf(changes.slice(0, from));
  const packed = gaps.map((gap, i) => {
    const code = GAP_CODES.charAt(common.indexOf(gap));
    return indexOf(changes[i]?.zone ?? first).toString(36) + (code === '' ? `(${gap})` : code);
  });
  const yearly = rule.map(
    (change) => `${indexOf(change.zone)}:${change.month}.${change.week}.${change.weekday}/${change.time}`,
  );
  if (zones.length > 36) throw new Error('too many zones for one digit');
  return `${zones.join(' ')}|${packed.join('')}|${yearly.join(' ')}`;
}

/** The times between changes in base 36: quarters of an hour, or after a dot seconds. */
function gapsOf(changes: readonly Change[]): string[] {
  return changes.map(({ at }, i) => {
    const gap = at - (changes[i - 1]?.at ?? 0);
    return gap % 900 === 0 ? (gap / 900).toString(36) : `.${gap.toString(36)}`;
  });
}

/** The most common gaps, one for each code. */
function commonGaps(histories: readonly History[]): string[] {
  const counts = new Map<string, number>();
  for (const { changes } of new Set(histories))
    for (const gap of gapsOf(changes.slice(0, findRule(changes).from)))
      counts.set(gap, (counts.get(gap) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, GAP_CODES.length)
    .map(([gap]) => gap);
}

const yearOf = (at: number): number => civilDate(Math.floor(at / DAY)).year;

/** The number of years from which the rule is read. Earlier years are then compared with it. */
const SAMPLE = 56;

/** The rule of the last changes, if they continue to the end of the data, and the number of changes before it. */
function findRule(all: readonly Change[]): { rule: YearlyRule | []; from: number } {
  const last = all.at(-1);
  if (last === undefined || yearOf(last.at) < 2100) return { rule: [], from: all.length };
  // Whole years only.
  const changes = yearOf(all.at(-2)?.at ?? 0) === yearOf(last.at) ? all : all.slice(0, -1);
  const [one = last, two = last] = changes.slice(-2);
  const recent = changes.slice(-2 * SAMPLE);
  const rule: YearlyRule = [
    yearly(
      one.zone,
      two.zone.offset,
      recent.filter((_, i) => i % 2 === 0),
    ),
    yearly(
      two.zone,
      one.zone.offset,
      recent.filter((_, i) => i % 2 === 1),
    ),
  ];
  let from = changes.length;
  for (let year = yearOf(two.at); from >= 2; year--, from -= 2) {
    const newYear = daysOf(year, 1, 1);
    const fits = rule.every((change, i) => {
      const listed = changes[from - 2 + i];
      const at = newYear * DAY + secondOfYear(change, rule[1 - i]?.zone.offset ?? 0, year, newYear);
      return listed?.at === at && sameZone(listed.zone, change.zone);
    });
    if (!fits) break;
  }
  // The rule is used from the last listed change on, so one change of the rule must stay in the list.
  return { rule, from: from + 1 };
}

function sameZone(a: Zone, b: Zone): boolean {
  return a.name === b.name && a.offset === b.offset && a.daylight === b.daylight;
}

/** The rule of yearly changes. The time may count from an earlier or later day. */
function yearly(zone: Zone, offset: number, changes: readonly Change[]): YearlyChange {
  for (const shift of [0, 1, -1, 2, -2]) {
    const days = changes.map(({ at }) => Math.floor((at + offset) / DAY) - shift);
    const dates = days.map(civilDate);
    const times = new Set(changes.map(({ at }, i) => at + offset - (days[i] ?? 0) * DAY));
    const months = new Set(dates.map(({ month }) => month));
    const weekdays = new Set(days.map(weekday));
    const week = [1, 2, 3, 4, 5].find((n) =>
      dates.every(({ year, month, day }) =>
        n === 5 ? day > daysIn(month, year) - 7 : Math.ceil(day / 7) === n,
      ),
    );
    const [time = 0] = times;
    const [month = 0] = months;
    const [day = 0] = weekdays;
    if (week !== undefined && times.size === 1 && months.size === 1 && weekdays.size === 1)
      return { zone, month, week, weekday: day, time };
  }
  throw new Error(`no rule in the changes to ${zone.name}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, generate());
