import type { Cause } from '@hnotif/core/sinks';
import { isExpendable, type LoggedEvent } from './log-entry.ts';

/** How a delivery ended, in short. */
export type End =
  | { readonly result: 'delivered' }
  /** The configuration of the sink excludes it. */
  | { readonly result: 'suppressed' }
  | {
      readonly result: 'failed';
      readonly reason: string;
      readonly message: string;
    }
  /** Without a message, the text of the table is used. */
  | { readonly result: 'dropped'; readonly reason: DropReason; readonly message?: string };

/** Why a delivery was dropped without a failed attempt. The metric's `reason`, the log and the documentation use this table. */
export const DROP_REASONS = {
  overflow:
    'The stream of the sink and plan was full, or the namespace over its share of the backlog; progress and phase changes go first. If the receiver takes no messages, correct that. If it takes them too slowly, subscribe to fewer events.',
  superseded:
    'The stream of the sink and plan was full, and newer progress of the same target was waiting in it. Nothing needs to be done.',
  expired: 'It waited longer than the limit for its kind of event.',
  unsubscribed: 'The notification or the sink was deleted while it waited.',
  suspended: 'The notification was suspended (spec.suspend, spec.muteSchedule) when it was due.',
  shutdown: 'The process ended, and it is not known whether it had arrived.',
  internal: 'A fault of hnotif itself; the log has the stack.',
} as const;

export type DropReason = keyof typeof DROP_REASONS;

/** Drops without an Event and without a place in the status: the sink is deleted. */
export const SILENT_DROPS: ReadonlySet<string> = new Set<DropReason>(['unsubscribed']);

/** Drops that a user has requested, or that lose nothing: the status counts them, without a Warning. */
export const HARMLESS_DROPS: ReadonlySet<string> = new Set<DropReason>(['suspended', 'superseded']);

const dropped = (reason: DropReason) => ({ result: 'dropped', reason }) as const;

export const DELIVERED: End = { result: 'delivered' };
export const SUPPRESSED: End = { result: 'suppressed' };
export const OVERFLOW = dropped('overflow');
export const SUPERSEDED = dropped('superseded');
export const UNSUBSCRIBED = dropped('unsubscribed');
export const SUSPENDED = dropped('suspended');
export const SHUTDOWN = dropped('shutdown');
export const INTERNAL = dropped('internal');

/** The end of a delivery that has become too old. Names the flag that limits its age, and why it waited, if known. */
export function expired(event: Pick<LoggedEvent, 'kind'>, why: Cause | undefined): End {
  const flag = isExpendable(event) ? '--max-age-of-progress' : '--max-age';
  const waited = `it waited for longer than ${flag} allows`;
  return {
    ...dropped('expired'),
    message: why === undefined ? waited : `${waited}; the last try: ${why.reason}: ${why.message}`,
  };
}

/** What a report says of an end; `''` when delivered or suppressed. */
export function messageOf(end: End): string {
  if (end.result === 'failed') return end.message;
  return end.result === 'dropped' ? (end.message ?? DROP_REASONS[end.reason]) : '';
}
