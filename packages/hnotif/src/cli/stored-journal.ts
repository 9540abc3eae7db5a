import {
  identityOf,
  parseJournal,
  type Journal,
  type JournalEntry,
  type Metadata,
} from '@hnotif/core/resources';

/** A journal as it stands in the cluster. An entry that moves is in two of them for a moment: `readFound` reads those of a plan. */
export interface StoredJournal extends Journal, Metadata {
  /** Of its last writer. */
  readonly term: number;
  entry(uid: string): JournalEntry | undefined;
}

/** `before`: an earlier state of the journal. Both share the entries that have not changed. Throws a `ParseError`. */
export function storedJournal(raw: unknown, before?: StoredJournal): StoredJournal {
  const journal = parseJournal(raw, before);
  const { plans, writer } = journal;
  return { ...journal, uid: identityOf(raw).uid, term: writer.term, entry: (uid) => plans.get(uid) };
}
