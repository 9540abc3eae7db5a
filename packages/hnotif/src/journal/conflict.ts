import type { Writer } from '@hnotif/core/resources';

/** Who wrote a version of a journal. */
export interface Stamp {
  readonly gen: number;
  readonly writer: Writer;
}

/** What to do after a conflict, or after a write without an answer. */
export type Resolution =
  /** Our write is stored: only the answer was lost. */
  | 'committed'
  /** Our earlier version is stored: write again. */
  | 'again'
  /** A process with a higher term has written: it is the new leader, or the term is wrong. */
  | 'fenced'
  /** A process with the same or a lower term has written: adopt its version, then write again. */
  | 'adopt';

/**
 * Compares the stored version with the write that was sent. Each write that we try has a higher `gen`. `known`: the version that was to be
 * replaced, which is our last write or, before it, the version of another process.
 */
export function resolveConflict(there: Stamp, sent: Stamp, known: Stamp | undefined): Resolution {
  if (there.writer.term > sent.writer.term) return 'fenced';
  if (isBySame(there, sent)) return there.gen === sent.gen ? 'committed' : 'again';
  return known !== undefined && isBySame(there, known) && there.gen === known.gen ? 'again' : 'adopt';
}

const isBySame = (a: Stamp, b: Stamp): boolean =>
  a.writer.holder === b.writer.holder && a.writer.term === b.writer.term;
