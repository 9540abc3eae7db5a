/**
 * Why a delivery was dropped without an attempt that failed. One table: the metric's `reason`, the log and the
 * documentation are fed from it.
 */
export const DROP_REASONS = {
  overflow: 'The stream or the whole backlog was full; progress and phase changes go first.',
  expired: 'It waited longer than its kind may.',
  unsubscribed: 'The notification or the sink was deleted while it waited.',
  stopping: 'It was submitted after the stop had begun.',
  shutdown: 'The process ended before it was known to have arrived.',
  internal: 'A fault of hnotif itself; the log has the stack.',
} as const;

export type DropReason = keyof typeof DROP_REASONS;

/** How a delivery ended that was dropped for one of them. */
const dropped = (reason: DropReason) => ({ result: 'dropped', reason }) as const;

export const EXPIRED = dropped('expired');
export const OVERFLOW = dropped('overflow');
export const UNSUBSCRIBED = dropped('unsubscribed');
export const STOPPING = dropped('stopping');
export const SHUTDOWN = dropped('shutdown');
export const INTERNAL = dropped('internal');
