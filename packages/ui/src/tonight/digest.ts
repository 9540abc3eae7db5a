import type { Row } from '@hnotif/core/page';
import { STATES } from './states.ts';

/** What each frame needs of all dots of a row. */
export interface Digest {
  /** How many need attention. */
  readonly wrong: number;
  /** When the oldest one was; Infinity: there is none. */
  readonly oldest: number;
}

const known = new WeakMap<Row['dots'], Digest>();

/** The dots of a row never change: a row that changes has others. So they are counted once, and not for each frame of a large board. */
export function digestOf(dots: Row['dots']): Digest {
  const before = known.get(dots);
  if (before !== undefined) return before;
  let [wrong, oldest] = [0, Infinity];
  for (const { at, state } of dots.values()) {
    if (STATES[state].isWrong) wrong++;
    if (at < oldest) oldest = at;
  }
  const digest = { wrong, oldest };
  known.set(dots, digest);
  return digest;
}
