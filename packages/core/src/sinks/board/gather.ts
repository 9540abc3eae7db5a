/** A new board is not posted before (milliseconds after it was opened)… */
const LEAST_MS = 3_000;
/** …nor this time after a plan has joined it… */
const AFTER_PLAN_MS = 1_000;
/** …but not later than this. */
const MOST_MS = 9_000;

/**
 * When a new board is posted (milliseconds on the clock of both arguments). Many boards may share the few updates that a chat takes, so a
 * plan that the first message does not show can wait for long. `joinedAt`: when the last plan joined.
 */
export const postTime = (openedAt: number, joinedAt: number): number =>
  openedAt + Math.min(MOST_MS, Math.max(LEAST_MS, joinedAt - openedAt + AFTER_PLAN_MS));
