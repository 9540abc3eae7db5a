import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import { isNewer } from '@hnotif/core/lifecycle';
import {
  JOURNAL_VERSION,
  qualifiedName,
  type Journal,
  type JournalWrite,
  type Metadata,
  type Writer,
} from '@hnotif/core/resources';
import type { JournalIdentity, Written } from '../cluster/journal-store.ts';
import { removalFailure, resolve, type Resolution, type Stamp } from './conflict.ts';
import { LAZY_MS } from './write-schedule.ts';

export interface StoredObjectOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly instance: string;
  readonly writer: Writer;
  readonly write: (write: JournalWrite, signal: AbortSignal) => Promise<Written>;
  /** Deletes the object if it still has this version; without a version, if it exists. */
  readonly remove: (object: JournalIdentity, signal: AbortSignal) => Promise<Written>;
}

/** The longest wait before another try to delete an empty object (milliseconds). Such an object does no harm. */
const UNREMOVED_MS = 600_000;
/** After this many failed tries to delete it, some 15 s after the first one, an empty object is reported. */
const REPORTED_REMOVALS = 5;
/** Newer than every version that we have written. */
const UNKNOWN = 'unknown';

/** A journal object in the API server: which version of it is stored, as far as known from our requests and from a watch that may be late. */
export class StoredObject {
  readonly #options: StoredObjectOptions;
  readonly #of: Pick<Metadata, 'namespace' | 'name'>;
  /** `''`: the next write creates the object. */
  #resourceVersion: string;
  /** Who wrote the stored version, as far as known. */
  #by: Stamp | undefined;
  #gen: number;
  /** Whether it exists or its creation was tried. */
  #mayExist: boolean;
  #isWriting = false;
  #isCommitted = false;
  /** The version that the watch has shown since the last write was sent. */
  #seen = '';
  /** Cancels the timer of the next try to delete it. */
  #cancelRemoval: (() => void) | undefined;
  #failedRemovals = 0;

  /** `found`: the object at the start of the process. */
  constructor(
    options: StoredObjectOptions,
    { namespace, name }: Pick<Metadata, 'namespace' | 'name'>,
    found: Journal | undefined,
  ) {
    this.#options = options;
    this.#of = { namespace, name };
    this.#resourceVersion = found?.resourceVersion ?? '';
    this.#by = found && stampOf(found);
    this.#gen = found?.gen ?? 0;
    this.#mayExist = found !== undefined;
    // Another process has written it. Ours writes it soon, too: then the status of a plan can prove events, and a former leader is fenced.
    if (found !== undefined) this.seen();
  }

  /** The term of its last writer. */
  get term(): number {
    return this.#by?.writer.term ?? 0;
  }

  /** Whether something else than our last write may be stored. During a write this is not known: the watch may have shown that write. */
  get isSuspect(): boolean {
    const known = this.#resourceVersion;
    return !this.#isWriting && known !== '' && isNewer(this.#seen, known);
  }

  /** Whether our last write was acknowledged, and nothing else is stored, as far as known. */
  get isOurs(): boolean {
    return this.#isCommitted && !this.isSuspect;
  }

  /** The watch shows this version. Default: the object was deleted or changed. */
  seen(resourceVersion = UNKNOWN): void {
    this.#seen = resourceVersion;
  }

  /** Writes these entries (null removes one). Resolves with what follows from the answer. */
  async write(content: Pick<JournalWrite, 'plans' | 'summary'>, signal: AbortSignal): Promise<Resolution> {
    const { instance, write, writer } = this.#options;
    const sent = { instance, version: JOURNAL_VERSION, gen: ++this.#gen, writer };
    this.#mayExist = this.#isWriting = true;
    this.#seen = '';
    const written = await write({ ...this.#identity, ...sent, ...content }, signal);
    const resolution = this.#resolve(sent, written);
    this.#isWriting = false;
    this.#isCommitted = resolution.kind === 'committed';
    if (!this.#isCommitted) this.seen();
    return resolution;
  }

  /** Deletes the object. Undefined: this has failed, and `again` is called later. A plan that joins meanwhile is written without a wait. */
  async remove(signal: AbortSignal, again: () => void): Promise<Resolution | undefined> {
    const { clock, instance, log, remove, writer } = this.#options;
    this.close();
    const written = this.#mayExist ? await remove(this.#identity, signal) : GONE;
    const failure = removalFailure(written);
    if (failure === undefined) {
      const sent = { instance, gen: ++this.#gen, writer };
      // Another process may have filled it: then it is not ours to delete.
      return this.#resolve(sent, written.kind === 'there' ? written : GONE);
    }
    const waitMs = Math.min(UNREMOVED_MS, LAZY_MS * 2 ** this.#failedRemovals++);
    if (this.#failedRemovals === REPORTED_REMOVALS)
      log.warn(
        { journal: qualifiedName(this.#of), reason: failure.reason, detail: failure.message },
        'an empty journal cannot be deleted, and stays; it does no harm; grant delete on hibernatenotificationjournals, as deploy/kustomize does',
      );
    if (!signal.aborted) this.#cancelRemoval = clock.after(waitMs, again);
    return undefined;
  }

  /** Tries no more to delete it. */
  close(): void {
    this.#cancelRemoval?.();
  }

  get #identity(): JournalIdentity {
    return { ...this.#of, resourceVersion: this.#resourceVersion };
  }

  #resolve(sent: Stamp & Pick<JournalWrite, 'instance'>, written: Written): Resolution {
    const resolution = resolve(sent, written, this.#by);
    if (resolution.kind === 'committed') this.#is(resolution.resourceVersion, sent);
    else if (resolution.kind === 'deleted') {
      this.#resourceVersion = '';
      this.#mayExist = false;
    } else if ('there' in resolution && resolution.kind !== 'fenced')
      this.#is(resolution.there.resourceVersion, resolution.there);
    return resolution;
  }

  #is(resourceVersion: string, by: Stamp): void {
    this.#resourceVersion = resourceVersion;
    this.#by = stampOf(by);
  }
}

const GONE: Written = { kind: 'there', journal: undefined };

/** Without the entries. */
const stampOf = ({ gen, writer }: Stamp): Stamp => ({ gen, writer });
