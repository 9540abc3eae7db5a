/** The IANA time zones, each unpacked when it is needed. */
import { type Change, Timeline, type YearlyChange, type YearlyRule, type Zone } from './timeline.ts';
import { zoneData, type ZoneData } from './zone-data.ts';

interface Packed {
  readonly data: ZoneData;
  /** Packed zones by name. Several names may have the same one. */
  readonly zones: ReadonlyMap<string, string>;
  readonly gaps: readonly string[];
}

let packed: Packed | undefined;

/** The timeline of a zone by its IANA name; case matters. Undefined if the name is unknown. */
export function loadTimeline(name: string): Timeline | undefined {
  const text = packedZones().zones.get(name);
  if (text === undefined) return undefined;
  const { zones, changes, rule } = unpackZone(text);
  return new Timeline(zones, changes, rule);
}

/** The IANA names; none while a browser has not loaded the zones. */
export const zoneNames = (): readonly string[] => [...packedZones().zones.keys()];

function packedZones(): Packed {
  const data = zoneData();
  if (packed?.data !== data) packed = { data, zones: index(data), gaps: data.GAPS.split(' ') };
  return packed;
}

function index({ ZONES }: ZoneData): Map<string, string> {
  const map = new Map<string, string>();
  for (const line of ZONES) {
    const split = line.indexOf('|');
    const text = line.slice(split + 1);
    for (const name of line.slice(0, split).split(' ')) map.set(name, text);
  }
  return map;
}

interface Unpacked {
  readonly zones: readonly [Zone, ...Zone[]];
  readonly changes: readonly Change[];
  readonly rule: YearlyRule | undefined;
}

/**
 * Reads `zones|changes|rule`:
 * - zones, such as `LMT-17762 EST-18000 EDT-14400*`: name, offset in seconds, a star for daylight saving time;
 * - changes, such as `1(-1spy4)2A`: the index of a zone in base 36, and the time since the last change (for the first,
 *   since 1970) in base 36: quarters of an hour, or after a dot seconds. A letter or digit is a code for one of `GAPS`;
 * - the two changes of each later year, such as `2:3.2.0/7200 1:11.1.0/7200`: zone, month, week, weekday, time.
 */
export function unpackZone(text: string): Unpacked {
  const [zonesText = '', changesText = '', ruleText = ''] = text.split('|');
  const [first = UTC_ZONE, ...others] = words(zonesText).map(readZone);
  const zones = [first, ...others] as const;
  const { gaps } = packedZones();
  let at = 0;
  const changes = Array.from(changesText.matchAll(CHANGE), ([, zone = '', written, code = '']): Change => {
    at += readGap(written ?? gaps[GAP_CODES.indexOf(code)] ?? '');
    return { at, zone: zones[parseInt(zone, 36)] ?? first };
  });
  const [one, two] = words(ruleText).map((change) => readYearly(change, zones));
  return {
    zones: [...zones],
    changes,
    rule: one !== undefined && two !== undefined ? [one, two] : undefined,
  };
}

export const UTC_ZONE: Zone = { name: 'UTC', offset: 0, daylight: false };

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

function readZone(text: string): Zone {
  const [, name = '', offset, star] = /^(.*)([+-]\d+)(\*?)$/.exec(text) ?? [];
  return { name, offset: Number(offset), daylight: star === '*' };
}

const CHANGE = /(.)(?:\(([^)]*)\)|(.))/g;

/** The codes of the common gaps, in their order. */
export const GAP_CODES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function readGap(text: string): number {
  return text.startsWith('.') ? parseInt(text.slice(1), 36) : parseInt(text, 36) * 900;
}

function readYearly(text: string, zones: readonly [Zone, ...Zone[]]): YearlyChange {
  const [zone = 0, month = 0, week = 0, day = 0, time = 0] = text.split(/[:./]/).map(Number);
  return { zone: zones[zone] ?? zones[0], month, week, weekday: day, time };
}
