import type { Writer } from '../resources/journal.ts';

/** What of a journal tells who wrote which state of it. */
export interface Stamp {
  readonly gen: number;
  readonly writer: Writer;
}

/** What to do when a write met something else than it expected, or was not answered. */
export type Resolution =
  /** It stands there: the answer was lost. */
  | 'committed'
  /** What we have built upon stands there: write again. */
  | 'again'
  /** A process with a higher term has written: it has taken over, or that term is false. */
  | 'fenced'
  /** A process with no higher term wrote in between: take what stands there, then write again. */
  | 'adopt';

/**
 * Compares what stands there with the write that was sent. Our own writes rise by `gen`, the tried ones too. `known` is what was
 * to be written over: our last write, or before the first one what another process has left.
 */
export function resolveConflict(there: Stamp, sent: Stamp, known: Stamp | undefined): Resolution {
  if (there.writer.term > sent.writer.term) return 'fenced';
  if (isBySame(there, sent)) return there.gen === sent.gen ? 'committed' : 'again';
  return known !== undefined && isBySame(there, known) && there.gen === known.gen ? 'again' : 'adopt';
}

const isBySame = (a: Stamp, b: Stamp): boolean =>
  a.writer.holder === b.writer.holder && a.writer.term === b.writer.term;
