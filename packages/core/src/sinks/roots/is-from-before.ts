import type { LifecycleEvent } from '../../lifecycle/event.ts';

/**
 * Whether a replay sends a Start or a Recovery again that is older than the newest event of its cycle (`newestAt`, milliseconds since the
 * epoch). Not for other kinds: the time of a target may be older than that of the event before. A plan's times are whole seconds,
 * and those of the process are not.
 */
export const isFromBefore = (
  { kind, replayed, timestamp }: Pick<LifecycleEvent, 'kind' | 'replayed' | 'timestamp'>,
  newestAt: number,
): boolean =>
  replayed === true &&
  (kind === 'Start' || kind === 'Recovery') &&
  Date.parse(timestamp) < Math.floor(newestAt / 1000) * 1000;
