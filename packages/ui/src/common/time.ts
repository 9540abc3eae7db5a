/** The zone of all times of the page; undefined: that of the reader. */
let zone: string | undefined;

/** One for each form of a time: a new one costs more than the rest of a row of a table. */
let formats = formatsIn(zone);

function formatsIn(timeZone: string | undefined) {
  // Not `hour12: false`: with it, midnight is 24 in some languages.
  const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  return {
    minute: new Intl.DateTimeFormat([], minute),
    second: new Intl.DateTimeFormat([], { ...minute, second: '2-digit' }),
    // `2026-01-05`: Swedish dates are written so.
    day: new Intl.DateTimeFormat('sv-SE', { timeZone }),
  };
}

/** Shows times in this zone from now on (an IANA name). Undefined, or a name that no zone has: in that of the reader. */
export function showTimesIn(name: string | undefined): void {
  if (name === zone) return;
  try {
    zone =
      name === undefined || name === ''
        ? undefined
        : new Intl.DateTimeFormat([], { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    zone = undefined;
  }
  formats = formatsIn(zone);
}

/** The IANA name of the zone. */
export const zoneId = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone that was chosen; `''`: none, or one that does not exist. */
export const chosenZone = (): string => zone ?? '';

/** What the times are in, in words. */
export const zoneName = (): string => zone ?? 'local time';

/** The same at the head of a column. */
export const zoneTitle = (): string => zone ?? 'Local time';

/** The time of day on the axis, with seconds where it matters. */
export const clockTime = (at: number, withSeconds = true): string =>
  (withSeconds ? formats.second : formats.minute).format(at);

/** `20:00:03.412`, or `2026-01-05 20:00:03.412` if that is not the day of `now`; `''`: there is no time. */
export const exactTime = (at: number, now: number): string =>
  Number.isNaN(at)
    ? ''
    : `${dayUnlessToday(at, now)}${clockTime(at)}.${String(Math.floor(at) % 1000).padStart(3, '0')}`;

/** A sentence with its times in UTC as those of the page's zone. */
export const localTimes = (sentence: string, now: number): string =>
  sentence.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g, (time) => {
    const at = Date.parse(time);
    return Number.isNaN(at) ? time : `${dayUnlessToday(at, now)}${clockTime(at)}`;
  });

function dayUnlessToday(at: number, now: number): string {
  const day = dayOf(at);
  return day === dayOf(now) ? '' : `${day} `;
}

const dayOf = (at: number): string => formats.day.format(at);

/** `0.04 s`, `3.2 s`, `4 min` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}
