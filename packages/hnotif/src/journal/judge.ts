import type { Writer } from '../resources/journal.ts';

/** What of a journal tells who wrote which state of it. */
export interface Stamp {
  readonly gen: number;
  readonly writer: Writer;
}

/** What to do when a write met something else than it expected, or nobody answered it. */
export type Judgement =
  /** It stands there: the answer was lost. */
  | 'committed'
  /** An earlier state of ours stands there: write again. */
  | 'again'
  /** Somebody with a higher term has taken over: forget the plan. */
  | 'fenced'
  /** Somebody with no higher term wrote in between: take what stands there, then write again. */
  | 'adopt';

/** Compares what stands there with the write that was sent. Our own writes rise by `gen`, the tried ones too. */
export function judge(there: Stamp, sent: Stamp): Judgement {
  const { holder, term } = there.writer;
  if (term > sent.writer.term) return 'fenced';
  if (holder !== sent.writer.holder || term !== sent.writer.term) return 'adopt';
  return there.gen === sent.gen ? 'committed' : 'again';
}
