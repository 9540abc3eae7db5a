import type { Observed } from '../lifecycle/observed.ts';
import {
  JOURNAL_VERSION,
  journalName,
  ownershipProblem,
  type Journal,
  type Writer,
} from '../resources/journal.ts';
import { resolveConflict, type Resolution, type Stamp } from './conflict.ts';
import { keptOf, type Kept, type Subject } from './content.ts';
import { unpack, type ContentText } from './text.ts';

/** A journal as it was found. */
export interface Found {
  readonly journal: Journal;
  /** undefined: it cannot be read, and is written over. */
  readonly kept: Kept | undefined;
}

export interface StoredOptions {
  readonly subject: Subject;
  readonly instance: string;
  readonly writer: Writer;
}

/** A plan's journal as it stands in the API server, as far as is known: what the next write goes over. */
export class Stored {
  readonly name: string;
  readonly #options: StoredOptions;
  #resourceVersion: string;
  #stamp: Stamp | undefined;
  #gen: number;
  #observed: Observed | undefined;

  constructor(options: StoredOptions, found: Found | undefined) {
    const { subject, instance } = options;
    this.#options = options;
    this.name = found?.journal.name ?? journalName(subject.name, subject.uid, instance);
    this.#resourceVersion = found?.journal.resourceVersion ?? '';
    this.#stamp = found && stampOf(found.journal);
    this.#gen = found?.journal.gen ?? 0;
    this.#observed = found?.kept?.observed;
  }

  /** What the last acknowledged write held; undefined: there was none. */
  get observed(): Observed | undefined {
    return this.#observed;
  }

  /** Events up to this one are in it. */
  get upTo(): number {
    return this.#resourceVersion === '' ? 0 : (this.#observed?.seq ?? 0);
  }

  /** The next write. */
  next({ encoding, text }: ContentText, pending: number): Journal {
    const { subject, instance, writer } = this.#options;
    const { namespace, name, uid } = subject;
    return {
      ...{ namespace, name: this.name, resourceVersion: this.#resourceVersion, owners: [{ name, uid }] },
      ...{ instance, plan: { name, uid }, version: JOURNAL_VERSION },
      ...{ gen: ++this.#gen, writer, pending, encoding, content: text },
    };
  }

  /** What to do after a write that has met this journal; `foreign`: it is another plan's, or made by something else. */
  resolve(there: Journal, sent: Journal): Resolution | 'foreign' {
    if (ownershipProblem(there) !== undefined || there.plan.uid !== sent.plan.uid) return 'foreign';
    return there.version > JOURNAL_VERSION ? 'fenced' : resolveConflict(there, sent, this.#stamp);
  }

  /** A write of ours stands there. */
  holds(sent: Journal, observed: Observed, resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    this.#stamp = stampOf(sent);
    this.#observed = observed;
  }

  /** An earlier write stands there, or another process's. */
  is(there: Journal): void {
    this.#resourceVersion = there.resourceVersion;
    this.#stamp = stampOf(there);
  }

  /** It was deleted: the next write makes it anew. */
  isGone(): void {
    this.#resourceVersion = '';
  }
}

/** Without the content, which is not kept. */
const stampOf = ({ gen, writer }: Stamp): Stamp => ({ gen, writer });

/** What a journal tells; undefined when it cannot be read. */
export function readKept(journal: Journal, subject: Subject): Kept | undefined {
  try {
    const { encoding, content: text, version } = journal;
    return keptOf(unpack({ encoding, text }), version, subject);
  } catch {
    return undefined;
  }
}
