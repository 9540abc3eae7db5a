/** The clock and calendar for the shown times. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name. */
  readonly timezone: string;
  /** BCP 47; default `en-US`. */
  readonly locale?: string | undefined;
}

/** Parts of a time that Intl knows; `''` for an invalid time. */
export function shown(clock: Clock, ms: number, options: Intl.DateTimeFormatOptions): string {
  if (!isMoment(ms)) return '';
  const format = formatOf(clock.locale ?? 'en-US', { ...options, timeZone: clock.timezone });
  // Newer calendars have a narrow blank before AM, older ones a normal one.
  return format.format(ms).replaceAll('\u202f', ' ');
}

/** Cached formats: creating one takes a thousand times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** The time of day, hours and minutes. */
export function timeOfDay(clock: Clock, ms: number): string {
  return shown(clock, ms, { hour: 'numeric', minute: '2-digit' });
}

/** `2026-01-05`: the day in the time zone. */
export function dayOf(clock: Clock, ms: number): string {
  return shown({ ...clock, locale: 'en-CA' }, ms, { year: 'numeric', month: '2-digit', day: '2-digit' });
}

/** Whole days from a moment's day to today: 1 yesterday, -1 tomorrow. */
export function daysAgo(clock: Clock, ms: number): number {
  const day = (moment: number): number => Date.parse(`${dayOf(clock, moment)}T00:00:00Z`);
  return Math.round((day(clock.now) - day(ms)) / 86_400_000);
}

/** `Today`, `Yesterday` or a weekday with its date: the separator between the messages of two days. */
export function dayTitle(clock: Clock, ms: number): string {
  const ago = daysAgo(clock, ms);
  if (ago === 0) return 'Today';
  return ago === 1 ? 'Yesterday' : shown(clock, ms, { weekday: 'long', month: 'long', day: 'numeric' });
}

function isMoment(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}
