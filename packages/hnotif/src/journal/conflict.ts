import { JOURNAL_VERSION, type Journal, type JournalWrite, type Writer } from '@hnotif/core/resources';
import type { Written } from '../cluster/journal-store.ts';
import type { WriteProblem } from './durability.ts';

/** Who wrote a version of a journal. */
export interface Stamp {
  readonly gen: number;
  readonly writer: Writer;
}

/** What to do after a write. */
export type Resolution =
  /** It is stored, maybe although the answer was lost. */
  | { readonly kind: 'committed'; readonly resourceVersion: string }
  /** It was refused, and would be refused again. */
  | { readonly kind: 'refused'; readonly why: WriteProblem }
  /** It may succeed later. */
  | { readonly kind: 'failed'; readonly why: WriteProblem }
  /** There is no object: create it again from memory. */
  | { readonly kind: 'deleted' }
  /** A process with a higher term has written: it is the new leader, or the term is wrong. Or the layout is a newer one. */
  | { readonly kind: 'fenced'; readonly there: Journal }
  /**
   * `again`: our earlier version is stored; write again. `adopt`: a process with the same or a lower term has written; adopt its version,
   * then write again. `late`: an earlier write, whose answer was lost, was stored since; write again. `fault`: the failure, if it was not a
   * conflict. `again` without one: something else than hnotif has written.
   */
  | {
      readonly kind: 'again' | 'adopt' | 'late';
      readonly there: Journal;
      readonly fault: WriteProblem | undefined;
    };

/**
 * Compares the stored version with the write that was sent. Each write that we try has a higher `gen`. `known`: the version that was to be
 * replaced, which is our last write or, before it, the version of another process.
 */
export function resolve(
  sent: Stamp & Pick<JournalWrite, 'instance'>,
  written: Written,
  known: Stamp | undefined,
): Resolution {
  if (written.kind === 'written') return { kind: 'committed', resourceVersion: written.resourceVersion };
  if (written.kind !== 'there') return { kind: written.kind, why: problemOf(written) };
  const { journal: there, fault } = written;
  if (there === undefined) return { kind: 'deleted' };
  if (there.instance !== sent.instance) return { kind: 'refused', why: foreign(there) };
  if (there.version !== JOURNAL_VERSION || there.writer.term > sent.writer.term)
    return { kind: 'fenced', there };
  const isOurs = isBySame(there, sent);
  if (isOurs && there.gen === sent.gen) return { kind: 'committed', resourceVersion: there.resourceVersion };
  const isKnown = known !== undefined && isBySame(there, known) && there.gen === known.gen;
  const kind = isKnown ? 'again' : isOurs ? 'late' : 'adopt';
  return { kind, there, fault: fault && problemOf(fault) };
}

/** The same for a deletion (undefined: there was nothing to delete). If another process has filled the object, it is not ours to delete. */
export function resolveRemoval(
  sent: Stamp & Pick<JournalWrite, 'instance'>,
  written: Written | undefined,
  known: Stamp | undefined,
): Resolution {
  if (written === undefined || written.kind === 'written') return { kind: 'deleted' };
  const failure = written.kind === 'there' ? written.journal && written.fault : written;
  return failure ? { kind: 'failed', why: problemOf(failure) } : resolve(sent, written, known);
}

const isBySame = (a: Stamp, b: Stamp): boolean =>
  a.writer.holder === b.writer.holder && a.writer.term === b.writer.term;

const problemOf = ({ reason, message }: WriteProblem): WriteProblem => ({ reason, message });

/** The Lease cannot be read. */
export const LEASE_UNKNOWN: WriteProblem = {
  reason: 'LeaseUnknown',
  message: 'a journal names a leader of a later term, and the Lease cannot be read',
};

/** A journal that fenced us although the Lease is ours. */
export const termAhead = ({ name, version, writer }: Journal): WriteProblem => ({
  reason: version !== JOURNAL_VERSION ? 'JournalTooNew' : 'JournalTermAhead',
  message:
    `journal ${name} names ${version !== JOURNAL_VERSION ? `the layout ${version}, which this hnotif does not know` : `the term ${writer.term}, later than the leader's`}, ` +
    'and the Lease has not moved: something else than hnotif has written it; delete the journal, and leave the right to write journals ' +
    'to hnotif alone',
});

const foreign = ({ name, instance }: Journal): WriteProblem => ({
  reason: 'JournalForeign',
  message: `journal ${name} is left alone: it names the instance ${instance}, whose name it does not have; delete it, and with it the deliveries that wait there`,
});
