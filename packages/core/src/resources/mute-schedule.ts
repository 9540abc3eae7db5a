import { loadLocation } from '@hnotif/gotemplate';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** The schedule repeats each week. A range that a change of the clocks leaves out comes a week later. */
const HORIZON_MS = 15 * DAY_MS;
/** 1970 began on a Thursday, and a week begins on a Sunday. */
const EPOCH_MS = 4 * DAY_MS;

/** A time in milliseconds from the beginning of the week, Sunday 00:00, and the first one after it. */
export type WeekRange = readonly [start: number, end: number];

/** The times of a week in which nothing is sent, by the clocks of a time zone. */
export interface MutedWeek {
  /** IANA name. */
  readonly location: string;
  /** Sorted, without overlaps. */
  readonly ranges: readonly WeekRange[];
}

/** The weeks of `spec.muteSchedule`: one of them is enough. */
export interface MuteSchedule {
  readonly weeks: readonly MutedWeek[];
  /** Whether the ends of runs (Success, Failure) wait, and are sent after it. */
  readonly tellsAfter?: boolean;
}

/** What holds at a time. */
export interface ScheduleState {
  readonly isMuted: boolean;
  /** When the other begins (milliseconds since the epoch); undefined: it does not. */
  readonly until: number | undefined;
}

/** Sorts ranges, and joins those that touch. */
export function joined(ranges: readonly WeekRange[]): readonly WeekRange[] {
  const all: WeekRange[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last === undefined || start > last[1]) all.push([start, end]);
    else all[all.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return all;
}

/** The last state of each schedule: it is asked for at each delivery. */
const KNOWN = new WeakMap<
  MuteSchedule,
  { readonly from: number; readonly to: number; readonly state: ScheduleState }
>();

/** Whether a schedule mutes at a time (milliseconds since the epoch), and until when. */
export function scheduleState(schedule: MuteSchedule, now: number): ScheduleState {
  const known = KNOWN.get(schedule);
  if (known !== undefined && now >= known.from && now < known.to) return known.state;
  const state = stateAt(schedule.weeks, now);
  KNOWN.set(schedule, { from: now, to: state.until ?? now + DAY_MS, state });
  return state;
}

function stateAt(weeks: readonly MutedWeek[], now: number): ScheduleState {
  const isMuted = weeks.some((week) => endAfter(week, now) !== undefined);
  for (let at = now; at < now + HORIZON_MS;) {
    const ends = weeks.flatMap((week) => endAfter(week, at) ?? []);
    if (ends.length > 0 !== isMuted) return { isMuted, until: at };
    at = isMuted ? Math.max(...ends) : Math.min(...weeks.map((week) => startAfter(week, at)));
  }
  return { isMuted, until: undefined };
}

/** When the range ends that holds at a time, or the clocks change in it; undefined: none holds. */
function endAfter({ location, ranges }: MutedWeek, at: number): number | undefined {
  const local = weekTime(location, at);
  const range = ranges.find(([start, end]) => local >= start && local < end);
  return range && unlessClocksChange(location, at, at + range[1] - local);
}

/** When the next range begins, or the clocks change before it, or a day is over. None holds at the time. */
function startAfter({ location, ranges }: MutedWeek, at: number): number {
  const local = weekTime(location, at);
  const next = ranges.find(([start]) => start > local)?.[0] ?? (ranges[0]?.[0] ?? WEEK_MS) + WEEK_MS;
  return unlessClocksChange(location, at, at + Math.min(next - local, DAY_MS));
}

/** The time that the clocks of a zone show, from the beginning of the week (milliseconds). */
function weekTime(location: string, at: number): number {
  const local = (at + offsetMs(location, at) + EPOCH_MS) % WEEK_MS;
  return local < 0 ? local + WEEK_MS : local;
}

/** `to`; or the first millisecond after `from` with another offset, if the clocks change before `to`. */
function unlessClocksChange(location: string, from: number, to: number): number {
  const before = offsetMs(location, from);
  if (offsetMs(location, to) === before) return to;
  let [same, other] = [from, to];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetMs(location, middle) === before) same = middle;
    else other = middle;
  }
  return other;
}

/** East of UTC (milliseconds). */
export function offsetMs(location: string, at: number): number {
  const days = Math.floor(at / DAY_MS);
  const second = Math.floor((at - days * DAY_MS) / 1_000);
  return (loadLocation(location)?.at(days, second).offset ?? 0) * 1_000;
}

/** Whether the zone is in the IANA database. `Local` is not: the zone of the process means nothing to users. */
export const isLocation = (name: string): boolean => name !== '' && loadLocation(name) !== undefined;
