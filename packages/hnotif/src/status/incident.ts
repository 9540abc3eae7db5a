import type { SinkWait } from '../dispatch/delivery.ts';

/** Waiting deliveries of a sink that a Warning has reported. A further Warning belongs to the same incident. */
export interface Incident {
  /** The largest number of deliveries that waited. */
  readonly waiting: number;
  /** When the oldest of them was accepted (milliseconds since the epoch); Infinity: not known. */
  readonly since: number;
  /** Whether deliveries wait for longer than a moment. */
  readonly isWaiting: boolean;
  /** Whether a message has arrived since the last Warning. */
  readonly hasArrived: boolean;
}

type Wait = Pick<SinkWait, 'waiting' | 'since'>;

/** A Warning was sent. */
export const warned = (before: Incident | undefined, { waiting, since }: Wait): Incident => ({
  ...stillWaiting(before ?? { waiting, since }, { waiting, since }),
  hasArrived: false,
});

/** Deliveries still wait, or wait again. */
export const stillWaiting = <Before extends Wait>(before: Before, { waiting, since }: Wait) => ({
  ...before,
  isWaiting: true,
  waiting: Math.max(before.waiting, waiting),
  since: Math.min(before.since, since),
});

/**
 * An incident is over when a message has arrived and nothing waits for longer than a moment. Deliveries that only expired, or were dropped
 * with their plan, do not end it.
 */
export const isOver = ({ isWaiting, hasArrived }: Incident): boolean => hasArrived && !isWaiting;
