import { offsetMs } from '@hnotif/core/resources';

/** A night: from noon to noon, by the clocks of a zone. Its date is that of its evening. */
export interface NightWindow {
  /** `2026-01-05` */
  readonly date: string;
  /** IANA name. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** The first millisecond after it. */
  readonly to: number;
}

const DAY_MS = 86_400_000;
const NOON_MS = DAY_MS / 2;

/** The night that began at this date; undefined: there is no such date. */
export function nightOn(date: string, zone: string): NightWindow | undefined {
  const day = Date.parse(`${date}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(day) || dateOf(day) !== date) return undefined;
  return { date, zone, from: atNoon(day, zone), to: atNoon(day + DAY_MS, zone) };
}

/** The last night at a time: that of the evening before. It may not be over. */
export const lastNight = (now: number, zone: string): NightWindow | undefined =>
  nightOn(dateOf(now + offsetMs(zone, now) - DAY_MS), zone);

/** The night that begins on the day of this time. Before noon it has not begun. */
export const tonight = (now: number, zone: string): NightWindow | undefined =>
  nightOn(dateOf(now + offsetMs(zone, now)), zone);

export const nightBefore = ({ date, zone }: NightWindow): NightWindow | undefined =>
  nightOn(dateOf(Date.parse(`${date}T00:00:00Z`) - DAY_MS), zone);

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** When the clocks of a zone show noon. `day`: midnight of the day in UTC. No zone changes its clocks at noon. */
function atNoon(day: number, zone: string): number {
  const near = day + NOON_MS - offsetMs(zone, day + NOON_MS);
  return day + NOON_MS - offsetMs(zone, near);
}

/** When the clocks of a zone show the same on the next day. */
export const dayLater = (at: number, zone: string): number =>
  at + DAY_MS + offsetMs(zone, at) - offsetMs(zone, at + DAY_MS);

/** What the clocks of a zone show, in minutes: `20:05`. */
export const timeOfDay = (at: number, zone: string): string =>
  new Date(at + offsetMs(zone, at)).toISOString().slice(11, 16);
