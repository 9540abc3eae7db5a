import { sleep, WOKEN, type Clock } from '@hnotif/core/clock';
import type { Rest, WorkQueue } from '@hnotif/core/fair';
import type { JournalIdentity, Written } from '../cluster/journal-store.ts';
import type { LeaseCheck } from '../cluster/leadership.ts';
import {
  JOURNAL_VERSION,
  type Journal,
  type JournalEntry,
  type JournalSummary,
  type JournalWrite,
  type Writer,
} from '@hnotif/core/resources';
import { isNewer } from '@hnotif/core/lifecycle';
import { inSlices, laterInSlices, restAfter } from '../slices.ts';
import { resolveConflict, type Stamp } from './conflict.ts';
import { Durability, type WriteProblem } from './durability.ts';
import { Entries } from './entries.ts';
import { readEntry } from './entry.ts';
import {
  LARGEST_ENTRY,
  LAZY_MS,
  type EntryDraft,
  type EntryObject,
  type EntryWrite,
  type PlanJournal,
} from './plan-journal.ts';
import type { WritePacer } from './write-pacer.ts';

/** The next step after a write: `done`; `again` at once; or, after a failure, again after this many milliseconds. */
type AfterWrite = 'done' | 'again' | number;

export interface JournalObjectOptions {
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  readonly instance: string;
  readonly writer: Writer;
  readonly pace: WritePacer;
  /** Calls `write` when it is due: one at a time for each object. */
  readonly queue: Pick<WorkQueue<JournalObject>, 'add' | 'flush' | 'remove'>;
  /** Waits after a failure, for `ms` or until the API server is back. Default: for `ms`. */
  readonly rest?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  readonly write: (write: JournalWrite, signal: AbortSignal) => Promise<Written>;
  /** Deletes the object if it still has this version; without a version, if it exists. */
  readonly remove: (object: JournalIdentity, signal: AbortSignal) => Promise<Written>;
  /** The object that should hold the entry of a plan. */
  readonly placeOf: (plan: PlanJournal) => JournalObject;
  /** Events of a plan cannot be stored for this reason; undefined: they are stored. */
  readonly troubled: (plan: PlanJournal, trouble: WriteProblem | undefined) => void;
  /** A journal names a writer with a higher term. Ends the process if the Lease has moved. */
  readonly fenced: (journal: Journal) => Promise<LeaseCheck>;
  /** Whether failed writes may lead to delivery from memory now. Default: always. */
  readonly mayGiveUp?: (() => boolean) | undefined;
  /** Another writer than hnotif has changed it. All of it is written again. */
  readonly overwritten?: ((object: JournalObject) => void) | undefined;
  /** It has no entries and was deleted. */
  readonly emptied: (object: JournalObject) => void;
  /** It has no entries, and tries to delete it have failed for some seconds. */
  readonly unremovable?: ((object: JournalObject, problem: WriteProblem) => void) | undefined;
}

/** A larger entry gets a dedicated object (characters): the API server stores a whole object at each write. */
const LARGEST_SHARED = 32 * 1024;
/** An entry of at most this size returns to a shared object (characters). */
const SMALL = 8 * 1024;
/** The longest wait before another try to delete an empty object (milliseconds). Such an object does no harm. */
const UNREMOVED_MS = 600_000;
/** After this many failed tries to delete it, some 15 s after the first one, an empty object is reported. */
const REPORTED_REMOVALS = 5;
/** An outcome is stored after this time at the latest (milliseconds). Until then a kill would send the delivery twice. */
const SETTLE_PATIENCE_MS = 5_000;
/** Sinks that the summary names. */
const NAMED = 3;

const TOO_LARGE: WriteProblem = {
  reason: 'JournalTooLarge',
  message: 'what has to be remembered of the plan is too large',
};

/**
 * One object in the API server with the entries of some plans of a namespace. One write is in flight at a time. Changes of any of its plans
 * meanwhile join the next write. Terms, conflicts, take-over and failures are handled for the whole object.
 */
export class JournalObject implements EntryObject {
  readonly namespace: string;
  readonly name: string;
  /** Whether it belongs to one plan. */
  readonly isDedicated: boolean;
  readonly #options: JournalObjectOptions;
  readonly #durability: Durability;
  readonly #stop = new AbortController();
  readonly #entries = new Entries(this);
  /** Uids of plans that wait for the next write. */
  readonly #urgent = new Set<string>();
  #resourceVersion: string;
  /** Who wrote the stored version, as far as known. */
  #written: Stamp | undefined;
  #gen: number;
  #isWriting = false;
  /** When the last write began (monotonic milliseconds). */
  #writtenAt = -Infinity;
  /** Of the wait after a failure. */
  #rest: AbortController | undefined;
  /** No write begins before, unless a request waits for it (monotonic milliseconds). */
  #restsUntil = -Infinity;
  /** Cancels the timer after which outcomes are urgent. */
  #cancelPatience: (() => void) | undefined;
  /** Cancels the timer of the next try to delete it. */
  #cancelRemoval: (() => void) | undefined;
  /** How many tries to delete it have failed. */
  #failedRemovals = 0;
  /** Whether it exists or its creation was tried. */
  #mayExist: boolean;

  /** `found`: the object at the start of the process. */
  constructor(options: JournalObjectOptions, found: Journal | undefined, isLone: boolean) {
    const { clock, namespace, name } = options;
    this.#options = options;
    this.namespace = namespace;
    this.name = name;
    this.isDedicated = isLone;
    this.#resourceVersion = found?.resourceVersion ?? '';
    this.#written = found && stampOf(found);
    this.#gen = found?.gen ?? 0;
    this.#mayExist = found !== undefined;
    for (const [uid, entry] of found?.plans ?? []) this.#entries.found(uid, entry);
    const changed = (trouble: WriteProblem | undefined): void => {
      for (const plan of this.#entries.plans()) options.troubled(plan, trouble);
    };
    this.#durability = new Durability(clock, changed, options.mayGiveUp);
  }

  /** The term of its last writer. */
  get term(): number {
    return this.#written?.writer.term ?? 0;
  }

  get cannotWrite(): boolean {
    return this.#durability.hasGivenUp;
  }

  /** The entry of a plan that was not seen yet. */
  entry(uid: string): JournalEntry | undefined {
    return this.#entries.entry(uid);
  }

  add(uid: string, plan: PlanJournal): void {
    this.#entries.add(uid, plan);
    if (this.#entries.has(plan)) this.#options.troubled(plan, this.#durability.trouble);
  }

  release(uid: string, withinMs: number): void {
    this.#entries.release(uid);
    this.#schedule(withinMs);
  }

  /** Removes the entry of a deleted plan, if the entry cannot be read. */
  discard(uid: string): void {
    this.#entries.add(uid, null);
    this.#schedule(LAZY_MS);
  }

  /** Deletes the object if it is empty. */
  tidy(): void {
    if (this.#entries.isEmpty) this.#schedule(LAZY_MS);
  }

  /** Not urgent. In a burst it waits as long as urgent writes do, and joins them. */
  writeWithin(withinMs: number): void {
    this.#schedule(Math.max(withinMs, this.#restMs, this.#paceMs()));
  }

  settleWithin(withinMs: number): void {
    this.writeWithin(withinMs);
    if (this.#stop.signal.aborted) return;
    this.#cancelPatience ??= this.#options.clock.after(SETTLE_PATIENCE_MS, () => {
      this.#schedule(0);
    });
  }

  writeUrgently(uid: string): void {
    this.#urgent.add(uid);
    // If most of its plans wait for the write, few others could join it.
    const isFull = 4 * this.#urgent.size >= 3 * this.#entries.served;
    this.#schedule(Math.max(this.#restMs, isFull ? 0 : this.#paceMs()), true);
  }

  writeNow(): void {
    this.#schedule(0);
  }

  /** The rest of the wait after its last write (milliseconds). Plans that share an object wait less: each would wait for the others. */
  get #restMs(): number {
    return this.#entries.served > 1 ? 0 : Math.max(0, this.#restsUntil - this.#options.clock.monotonic());
  }

  /** The wait before its next write in a burst (milliseconds); 0: no wait. */
  #paceMs(): number {
    return this.#options.pace.waitMs(this.namespace, this.#writtenAt);
  }

  #endPatience(): void {
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
  }

  /** Requests a write. Default: urgent if it is due now. */
  #schedule(afterMs: number, urgent = afterMs === 0): void {
    if (!this.#stop.signal.aborted) this.#options.queue.add(this, { afterMs, urgent });
  }

  flush(): Promise<void> {
    this.#rest?.abort(WOKEN);
    return this.#options.queue.flush(this);
  }

  /** The object was deleted. It is created again after a while: its plans may be deleted as well. */
  vanished(): void {
    if (this.#entries.served > 0) {
      for (const plan of this.#entries.plans()) plan.touch();
      this.#schedule(LAZY_MS);
      // The reason why writes failed may be gone as well.
      if (this.cannotWrite) void this.flush();
    }
  }

  /** The object has this version. If we did not write it, another writer has changed the object, and it is written again. */
  changed(resourceVersion: string): void {
    if (this.#isWriting || this.#resourceVersion === '' || !isNewer(resourceVersion, this.#resourceVersion))
      return;
    for (const plan of this.#entries.plans()) plan.touch();
    this.#schedule(LAZY_MS);
  }

  /** Ends every timer and write. */
  close(): void {
    this.#stop.abort();
    this.#endPatience();
    this.#cancelRemoval?.();
    this.#rest?.abort(WOKEN);
    this.#options.queue.remove(this);
  }

  /** Writes what has changed. Only the queue calls it. Never rejects. */
  async write(isUrgent: boolean): Promise<Rest | void> {
    // Other changes of this turn join the write.
    await Promise.resolve();
    const { clock, rest = (ms, enough) => sleep(clock, ms, enough) } = this.#options;
    const after = this.#stop.signal.aborted ? 'done' : await this.#write();
    if (after === 'done' || this.#stop.signal.aborted) return;
    if (after === 'again') {
      this.#schedule(0, isUrgent);
      return;
    }
    this.#rest = new AbortController();
    return { over: rest(after, this.#rest.signal) };
  }

  async #write(): Promise<AfterWrite> {
    const { signal } = this.#stop;
    const { clock } = this.#options;
    let tookMs = 0;
    const drafts = await this.#drafts((ms) => (tookMs += ms));
    // The request takes about as long as the texts.
    this.#restsUntil = clock.monotonic() + restAfter(2 * tookMs);
    if (signal.aborted) return 'done';
    const discarded = this.#entries.allRemoved;
    if (this.#entries.isEmpty) return this.#remove();
    if (drafts.length === 0 && discarded.length === 0) return 'done';
    const write = this.#next(drafts, discarded);
    this.#writtenAt = clock.monotonic();
    this.#mayExist = true;
    this.#isWriting = true;
    const written = await this.#options.write(write, signal);
    if (signal.aborted) return 'done';
    const after = await this.#after(write, written);
    this.#isWriting = false;
    if (after === 'done') {
      // A plan whose former entry was in the way, or that has come back meanwhile.
      for (const uid of discarded) if (this.#entries.emptied(uid) !== undefined) this.#schedule(0);
      for (const draft of drafts) {
        draft.plan.committed(draft);
        if (draft.plan.length <= SMALL) draft.plan.isLarge = false;
      }
    } else {
      for (const draft of drafts) draft.plan.failed(draft);
      if (this.cannotWrite) this.#deliverFromMemory();
    }
    return after;
  }

  /** Whether the write of one of its plans needs its own turn of the event loop. */
  get #isWide(): boolean {
    for (const plan of this.#entries.plans()) if (plan.isWide && plan.isDirty) return true;
    return false;
  }

  /** The writes of the plans that have changed. Calls `took` with the time that it takes to make them (milliseconds). */
  async #drafts(took: (ms: number) => void): Promise<readonly EntryWrite[]> {
    const { clock, pace } = this.#options;
    const writes: EntryWrite[] = [];
    // In a burst, changes of many plans come in one turn of the event loop. They join this write.
    const isLater = pace.isBurst(this.namespace) || this.#isWide;
    const drafts = await (isLater ? laterInSlices : inSlices)(clock, this.#takeChanges(), took);
    for (const draft of drafts) {
      const { plan } = draft;
      const completed = plan.complete(draft, this.#room);
      const write =
        (completed instanceof Promise ? await completed : completed) ?? (await this.#tooLarge(plan, took));
      if (write !== undefined) writes.push(write);
    }
    // Plans that were deleted meanwhile are not written again.
    return writes.filter(({ plan }) => this.#entries.has(plan));
  }

  /** Takes the changes of the plans. Yields where other work may run. */
  *#takeChanges(): Generator<undefined, readonly EntryDraft[]> {
    this.#urgent.clear();
    this.#endPatience();
    const drafts: EntryDraft[] = [];
    for (const plan of [...this.#entries.plans()]) {
      if (!this.#entries.isWritable(plan) || !plan.isDirty) continue;
      // A move waits for another object. Events are stored here now, and a later write moves the plan.
      if (!plan.isAwaited && plan.isSettled && this.#moves(plan)) continue;
      drafts.push(yield* plan.draft());
      yield;
    }
    return drafts;
  }

  /** For an entry that is too large: moves it to a dedicated object or, if it is in one, makes it shorter. */
  async #tooLarge(plan: PlanJournal, took: (ms: number) => void): Promise<EntryWrite | undefined> {
    // The plan was deleted meanwhile.
    if (!this.#entries.has(plan)) return undefined;
    if (!this.isDedicated) {
      plan.isLarge = true;
      this.#moves(plan);
      return undefined;
    }
    const short = await plan.prepareShortWrite(LARGEST_ENTRY, took);
    if (short === undefined && this.#entries.has(plan)) this.#giveUp(TOO_LARGE);
    return short;
  }

  /** Moves the plan, if it belongs to another object. */
  #moves(plan: PlanJournal): boolean {
    const to = this.#options.placeOf(plan);
    if (to !== this) plan.moveTo(to);
    return to !== this;
  }

  get #room(): number {
    return this.isDedicated ? LARGEST_ENTRY : LARGEST_SHARED;
  }

  #next(drafts: readonly EntryWrite[], discarded: readonly string[]): JournalWrite {
    const { instance, writer } = this.#options;
    const { namespace, name } = this;
    const plans: Record<string, JournalWrite['plans'][string]> = {};
    for (const uid of discarded) plans[uid] = null;
    for (const { plan, patch } of drafts) plans[plan.subject.uid] = patch;
    this.#entries.sent(drafts.map(({ plan }) => plan.subject.uid));
    return {
      ...{ namespace, name, resourceVersion: this.#resourceVersion, instance, version: JOURNAL_VERSION },
      ...{ gen: ++this.#gen, writer, summary: this.#summary(), plans },
    };
  }

  #summary(): JournalSummary {
    let waiting = this.#entries.foundWaiting;
    let oldest = Infinity;
    const streams = new Set<string>();
    for (const plan of this.#entries.plans()) {
      waiting += plan.pending;
      oldest = Math.min(oldest, plan.oldest);
      for (const stream of plan.waitingStreams()) streams.add(stream);
    }
    const named = [...streams].slice(0, NAMED).join(', ');
    return {
      plans: this.#entries.kept,
      waiting,
      oldest: oldest === Infinity ? null : new Date(oldest).toISOString(),
      for: streams.size > NAMED ? `${named} and ${streams.size - NAMED} more` : named,
    };
  }

  /** Deletes the empty object. */
  async #remove(): Promise<AfterWrite> {
    const { remove, emptied } = this.#options;
    const { namespace, name } = this;
    const { signal } = this.#stop;
    this.#cancelRemoval?.();
    if (this.#mayExist) {
      const object = { namespace, name, resourceVersion: this.#resourceVersion };
      const written = await remove(object, signal);
      if (signal.aborted) return 'done';
      const failure = removalFailureOf(written);
      if (failure !== undefined) {
        this.#removeLater(troubleOf(failure));
        return 'done';
      }
      // Another process may have filled it: then it is not ours to delete.
      if (written.kind === 'there' && written.journal !== undefined)
        return this.#resolve(this.#next([], []), written);
      this.#deleted();
    }
    for (const uid of this.#entries.allRemoved) this.#entries.emptied(uid);
    if (!this.#entries.isEmpty) return 'again';
    emptied(this);
    return 'done';
  }

  /** Not a failure of a write: a plan that joins meanwhile is written without a wait, and is durable. */
  #removeLater(problem: WriteProblem): void {
    const waitMs = Math.min(UNREMOVED_MS, LAZY_MS * 2 ** this.#failedRemovals++);
    if (this.#failedRemovals === REPORTED_REMOVALS) this.#options.unremovable?.(this, problem);
    this.#cancelRemoval = this.#options.clock.after(waitMs, () => {
      this.tidy();
    });
  }

  /** `done`: our write is stored. */
  async #after(write: JournalWrite, written: Written): Promise<AfterWrite> {
    switch (written.kind) {
      case 'written':
        return this.#committed(write, written.resourceVersion);
      case 'refused':
        return this.#durability.refused(troubleOf(written));
      case 'failed':
        return this.#durability.failed(troubleOf(written));
      case 'there':
        return this.#resolve(write, written);
    }
  }

  /** The stored version is not the expected one. */
  async #resolve(
    write: JournalWrite,
    { journal: there, fault }: Extract<Written, { kind: 'there' }>,
  ): Promise<AfterWrite> {
    if (there === undefined) {
      // It was deleted: create it again from memory.
      this.#deleted();
      return 'again';
    }
    if (there.instance !== write.instance) return this.#durability.refused(foreign(there));
    if (there.version !== JOURNAL_VERSION) return this.#fence(there);
    switch (resolveConflict(there, write, this.#written)) {
      case 'fenced':
        return this.#fence(there);
      case 'committed':
        return this.#committed(write, there.resourceVersion);
      case 'again':
        this.#adoptVersion(there);
        // Another writer than hnotif has changed it. Write everything again.
        if (fault === undefined) {
          this.#options.overwritten?.(this);
          for (const plan of this.#entries.plans()) plan.rewrite();
        }
        break;
      case 'adopt':
        this.#adoptVersion(there);
        this.#adopt(there);
    }
    // A server may fail only writes. Without a wait, this would be a tight loop of requests.
    return fault === undefined ? 'again' : this.#durability.failed(troubleOf(fault));
  }

  /** A writer with a higher term has taken over: the process ends. If the term is wrong, events are delivered from memory. */
  async #fence(there: Journal): Promise<AfterWrite> {
    switch (await this.#options.fenced(there)) {
      case 'moved':
        this.close();
        return LAZY_MS;
      case 'held':
        return this.#durability.refused(termAhead(there));
      case 'unknown':
        return this.#durability.failed({ reason: 'LeaseUnknown', message: NO_LEASE });
    }
  }

  #committed(write: JournalWrite, resourceVersion: string): AfterWrite {
    this.#resourceVersion = resourceVersion;
    this.#written = stampOf(write);
    this.#durability.succeeded();
    return 'done';
  }

  /** Adopts entries that another process has written. Then everything is written in our own name. */
  #adopt({ plans }: Journal): void {
    for (const plan of [...this.#entries.plans()]) {
      const { uid } = plan.subject;
      if (!plans.has(uid)) continue;
      const entry = plans.get(uid);
      const isKnown = this.#entries.removed(uid) || (entry !== undefined && plan.isStored(entry.gen));
      const theirs = isKnown ? undefined : readEntry(entry, plan.subject);
      if (theirs !== undefined) plan.adopt(theirs);
      else if (isKnown) plan.rewrite();
      else plan.lost(this);
    }
    for (const [uid, entry] of plans) this.#entries.found(uid, entry);
    for (const uid of this.#entries.uids) if (!plans.has(uid)) this.#lost(uid);
  }

  #lost(uid: string): void {
    this.#entries.emptied(uid)?.lost(this);
  }

  /** Takes over the stored version. */
  #adoptVersion(there: Journal): void {
    this.#resourceVersion = there.resourceVersion;
    this.#written = stampOf(there);
  }

  /** The object does not exist. The next write creates it. */
  #deleted(): void {
    this.#resourceVersion = '';
    this.#mayExist = false;
    for (const uid of this.#entries.uids) this.#lost(uid);
  }

  #giveUp(trouble: WriteProblem): void {
    this.#durability.giveUp(trouble);
    this.#deliverFromMemory();
  }

  #deliverFromMemory(): void {
    for (const plan of this.#entries.plans()) plan.deliverFromMemory();
  }
}

/** Without the entries. */
const stampOf = ({ gen, writer }: Stamp): Stamp => ({ gen, writer });

/** Why a deletion has failed; undefined: it has not, or because of a conflict. */
function removalFailureOf(written: Written): WriteProblem | undefined {
  if (written.kind === 'written') return undefined;
  return written.kind === 'there' ? written.journal && written.fault : written;
}

const troubleOf = ({ reason, message }: WriteProblem): WriteProblem => ({ reason, message });

const NO_LEASE = 'a journal names a leader of a later term, and the Lease cannot be read';

const termAhead = ({ name, version, writer }: Journal): WriteProblem => ({
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
