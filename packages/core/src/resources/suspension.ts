import { scheduleState, type MuteSchedule } from './mute-schedule.ts';

/** Nothing is sent for a while. */
export interface Suspension {
  /** Milliseconds since the epoch; undefined: until it is removed. */
  readonly until: number | undefined;
  /** For people; `''`: none was given. */
  readonly reason: string;
  /** Whether the ends of runs (Success, Failure) wait, and are sent after it. */
  readonly tellsAfter?: boolean;
  /** Whether `spec.muteSchedule` is the cause, not `spec.suspend`. */
  readonly isScheduled?: true;
  /** What holds at its end; undefined: nothing does. */
  readonly then?: Suspension;
}

/** What makes a notification silent. */
export interface Silences {
  /** `spec.suspend`; undefined: it is not set. */
  readonly suspension?: Suspension;
  /** `spec.muteSchedule`; undefined: there is none. */
  readonly muteSchedule?: MuteSchedule;
}

/** The suspension that holds at a time (milliseconds since the epoch); undefined: none. `spec.suspend` comes before the schedule. */
export function suspensionAt({ suspension, muteSchedule }: Silences, now: number): Suspension | undefined {
  if (suspension !== undefined && (suspension.until === undefined || now < suspension.until))
    return followed(suspension, muteSchedule);
  return scheduledAt(muteSchedule, now);
}

function followed(suspension: Suspension, muteSchedule: MuteSchedule | undefined): Suspension {
  const then = suspension.until === undefined ? undefined : scheduledAt(muteSchedule, suspension.until);
  return then === undefined ? suspension : { ...suspension, then };
}

function scheduledAt(muteSchedule: MuteSchedule | undefined, now: number): Suspension | undefined {
  if (muteSchedule === undefined) return undefined;
  const { isMuted, until } = scheduleState(muteSchedule, now);
  const { tellsAfter = false } = muteSchedule;
  return isMuted ? { until, reason: '', isScheduled: true, ...(tellsAfter && { tellsAfter }) } : undefined;
}

/** When a suspension ends or the next one begins (milliseconds since the epoch); `Infinity`: not by itself. */
export function nextChange(silences: Silences, now: number): number {
  const { suspension, muteSchedule } = silences;
  const ends = suspension?.until !== undefined && now < suspension.until ? suspension.until : Infinity;
  const changes = muteSchedule && scheduleState(muteSchedule, now).until;
  return Math.min(ends, changes ?? Infinity);
}
