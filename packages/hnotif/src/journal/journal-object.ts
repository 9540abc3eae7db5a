import type { Logger } from 'pino';
import { sleep, WOKEN, type Clock } from '@hnotif/core/clock';
import type { Rest, WorkQueue } from '@hnotif/core/fair';
import type { JournalIdentity, Written } from '../cluster/journal-store.ts';
import type { LeaseCheck } from '../cluster/leadership.ts';
import {
  JOURNAL_VERSION,
  qualifiedName,
  type Journal,
  type JournalEntry,
  type JournalWrite,
  type Writer,
} from '@hnotif/core/resources';
import { isNewer } from '@hnotif/core/lifecycle';
import { inSlices, laterInSlices } from '../slices.ts';
import type { JournalConditions } from './conditions.ts';
import { LEASE_UNKNOWN, removalFailure, resolve, termAhead, type Stamp } from './conflict.ts';
import { Durability, type WriteProblem } from './durability.ts';
import { Entries } from './entries.ts';
import { LAZY_MS, SMALL, type EntryObject, type PlanWrite, type PlanJournal } from './plan-journal.ts';
import type { WritePacer } from './write-pacer.ts';
import { WriteSchedule } from './write-schedule.ts';

/** The next step after a write: `done`; `again` at once; or, after a failure, again after this many milliseconds. */
type AfterWrite = 'done' | 'again' | number;

/** What all journal objects share. */
export interface JournalObjectOptions {
  readonly clock: Clock;
  readonly log: Logger;
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
  /** The object that should hold the entry of a plan. `isLarge`: whether that is a dedicated one. Default: as the plan says. */
  readonly placeOf: (plan: PlanJournal, isLarge?: boolean) => JournalObject;
  /** Has the reasons why events of plans cannot be stored. */
  readonly conditions: Pick<JournalConditions, 'unwritten'>;
  /** A journal names a writer with a higher term. Ends the process if the Lease has moved. */
  readonly fenced: (journal: Journal) => Promise<LeaseCheck>;
  /** Whether failed writes may lead to delivery from memory now. Default: always. */
  readonly mayGiveUp?: (() => boolean) | undefined;
  /** The object has no entries and was deleted. */
  readonly emptied: (object: JournalObject) => void;
}

/** The largest entry (characters of one byte). Many clusters refuse objects of 1 MiB and more. */
const LARGEST_ENTRY = 700_000;
/** A larger entry gets a dedicated object (characters): the API server stores a whole object at each write. */
const LARGEST_SHARED = 32 * 1024;
/** The largest shared object (characters, of up to three bytes). The entries of many plans are moved when they are smaller. */
const LARGEST_OBJECT = 400_000;
/** The longest wait before another try to delete an empty object (milliseconds). Such an object does no harm. */
const UNREMOVED_MS = 600_000;
/** After this many failed tries to delete it, some 15 s after the first one, an empty object is reported. */
const REPORTED_REMOVALS = 5;
/**
 * One object in the API server with the entries of some plans of a namespace. One write is in flight at a time. Changes of any of its plans
 * meanwhile join the next write. Terms, conflicts, take-over and failures are handled for the whole object.
 */
export class JournalObject implements EntryObject {
  readonly namespace: string;
  readonly name: string;
  readonly isDedicated: boolean;
  readonly schedule: WriteSchedule;
  readonly #options: JournalObjectOptions;
  readonly #durability: Durability;
  readonly #stop = new AbortController();
  readonly #entries: Entries;
  #resourceVersion: string;
  /** Who wrote the stored version, as far as known. */
  #written: Stamp | undefined;
  #gen: number;
  #isWriting = false;
  /** The last version that the watch showed during the write. */
  #seen = '';
  /** Whether what is stored may not be what was written last: it is written even without a change. */
  #isSuspect = false;
  /** Whether it was logged that another writer than hnotif has changed it. */
  #isChangedByOther = false;
  /** Of the wait after a failure. */
  #rest: AbortController | undefined;
  /** Cancels the timer of the next try to delete it. */
  #cancelRemoval: (() => void) | undefined;
  /** How many tries to delete it have failed. */
  #failedRemovals = 0;
  /** Whether it exists or its creation was tried. */
  #mayExist: boolean;

  /** `found`: the object at the start of the process. */
  constructor(
    options: JournalObjectOptions,
    { namespace, name, isDedicated }: Pick<JournalObject, 'namespace' | 'name' | 'isDedicated'>,
    found: Journal | undefined,
  ) {
    this.#options = options;
    this.namespace = namespace;
    this.name = name;
    this.isDedicated = isDedicated;
    this.#resourceVersion = found?.resourceVersion ?? '';
    this.#written = found && stampOf(found);
    this.#gen = found?.gen ?? 0;
    this.#mayExist = found !== undefined;
    this.#entries = new Entries(this, options.placeOf, found);
    const { clock, pace, queue } = options;
    this.schedule = new WriteSchedule({
      ...{ clock, pace, namespace },
      plans: () => this.#entries.served,
      request: (when) => {
        queue.add(this, when);
      },
    });
    const changed = (trouble: WriteProblem | undefined): void => {
      for (const { subject } of this.#entries.plans()) options.conditions.unwritten(subject, trouble);
    };
    this.#durability = new Durability(options.clock, changed, options.mayGiveUp);
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
    if (this.#entries.has(plan)) this.#options.conditions.unwritten(plan.subject, this.#durability.trouble);
    if (this.#isSuspect) this.#suspect();
  }

  release(uid: string, withinMs: number): void {
    this.#entries.release(uid);
    this.schedule.within(withinMs);
  }

  /** Removes the entry of a deleted plan, if the entry cannot be read. */
  discard(uid: string): void {
    this.#entries.add(uid, null);
    this.schedule.within(LAZY_MS);
  }

  /** Deletes the object if it is empty. */
  tidy(): void {
    if (this.#entries.isEmpty) this.schedule.within(LAZY_MS);
  }

  flush(): Promise<void> {
    this.#rest?.abort(WOKEN);
    return this.#options.queue.flush(this);
  }

  /** The object was deleted. It is created again after a while: its plans may be deleted as well. */
  vanished(): void {
    if (this.#entries.isEmpty) return;
    this.#suspect();
    // The reason why writes failed may be gone as well.
    if (this.cannotWrite) void this.flush();
  }

  /** The object has this version. If we did not write it, another writer has changed the object, and it is written again. */
  changed(resourceVersion: string): void {
    this.#seen = resourceVersion;
    if (!this.#isWriting) this.#compare();
  }

  #compare(): void {
    if (this.#resourceVersion !== '' && isNewer(this.#seen, this.#resourceVersion)) this.#suspect();
  }

  /** Writes it even without a change, when a plan is there that writes its entry here. */
  #suspect(): void {
    this.#isSuspect = true;
    this.schedule.within(LAZY_MS);
  }

  /** Ends every timer and write. */
  close(): void {
    this.#stop.abort();
    this.schedule.close();
    this.#cancelRemoval?.();
    this.#rest?.abort(WOKEN);
    this.#options.queue.remove(this);
  }

  /** Writes the changes. Only the work queue calls it. It never rejects. */
  async write(isUrgent: boolean): Promise<Rest | void> {
    // Other changes of this turn join the write.
    await Promise.resolve();
    const { clock, rest = (ms, enough) => sleep(clock, ms, enough) } = this.#options;
    const after = this.#stop.signal.aborted ? 'done' : await this.#write();
    if (after === 'done' || this.#stop.signal.aborted) return;
    if (after === 'again') {
      this.schedule.within(0, isUrgent);
      return;
    }
    this.#rest = new AbortController();
    return { over: rest(after, this.#rest.signal) };
  }

  async #write(): Promise<AfterWrite> {
    const { signal } = this.#stop;
    const writes = await this.#prepare();
    if (signal.aborted) return 'done';
    const removed = this.#entries.allRemoved;
    if (this.#entries.isEmpty) return this.#remove();
    const isSuspect = this.#isSuspect && this.#resourceVersion !== '' && this.#entries.served > 0;
    if (writes.length === 0 && removed.length === 0 && !isSuspect) return 'done';
    const write = this.#next(writes, removed);
    this.schedule.sent();
    this.#mayExist = this.#isWriting = true;
    this.#isSuspect = false;
    this.#seen = '';
    const written = await this.#options.write(write, signal);
    if (signal.aborted) return 'done';
    const after = await this.#after(write, written);
    this.#isWriting = false;
    if (after === 'done') {
      // A plan whose former entry was in the way, or that has come back meanwhile.
      for (const uid of removed) if (this.#entries.emptied(uid) !== undefined) this.schedule.within(0);
      for (const each of writes) each.plan.committed(each);
      this.#compare();
    } else {
      this.#isSuspect = true;
      for (const each of writes) each.plan.state.failed(each);
      if (this.cannotWrite) this.#deliverFromMemory();
    }
    return after;
  }

  /** The writes of the plans that have changed. */
  async #prepare(): Promise<readonly PlanWrite[]> {
    const { clock } = this.#options;
    let tookMs = 0;
    const took = (ms: number): number => (tookMs += ms);
    const writes: PlanWrite[] = [];
    // In a burst, changes of many plans come in one turn of the event loop. They join this write.
    const isLater = this.schedule.isBurst || this.#entries.isWide;
    const share = Math.max(SMALL, LARGEST_OBJECT / this.#entries.kept);
    const room = this.isDedicated ? LARGEST_ENTRY : Math.min(LARGEST_SHARED, share);
    const drafts = await (isLater ? laterInSlices : inSlices)(clock, this.#takeChanges(), took);
    for (const draft of drafts) {
      const completing = draft.plan.state.complete(draft, room);
      const completed = completing instanceof Promise ? await completing : completing;
      const write = completed ?? (await this.#tooLarge(draft.plan, took));
      if (write !== undefined) writes.push(write);
    }
    this.schedule.prepared(tookMs);
    // Plans that were deleted meanwhile are not written again.
    return writes.filter(({ plan }) => this.#entries.has(plan));
  }

  *#takeChanges(): ReturnType<Entries['takeChanges']> {
    this.schedule.taken();
    return yield* this.#entries.takeChanges();
  }

  /** For an entry that is too large: moves it to a dedicated object or, if it is in one, makes it shorter. */
  async #tooLarge(plan: PlanJournal, took: (ms: number) => void): Promise<PlanWrite | undefined> {
    // The plan was deleted meanwhile.
    if (!this.#entries.has(plan)) return undefined;
    if (!this.isDedicated) {
      plan.moveTo(this.#options.placeOf(plan, true));
      return undefined;
    }
    const short = await plan.shortWrite(LARGEST_ENTRY, took);
    if (short === undefined && this.#entries.has(plan)) {
      this.#durability.giveUp(TOO_LARGE);
      this.#deliverFromMemory();
    }
    return short;
  }

  #next(writes: readonly PlanWrite[], removed: readonly string[]): JournalWrite {
    const { instance, writer } = this.#options;
    const { namespace, name } = this;
    const plans: Record<string, JournalWrite['plans'][string]> = {};
    for (const uid of removed) plans[uid] = null;
    for (const { plan, patch } of writes) plans[plan.subject.uid] = patch;
    this.#entries.sent(writes.map(({ plan }) => plan.subject.uid));
    return {
      ...{ namespace, name, resourceVersion: this.#resourceVersion, instance, version: JOURNAL_VERSION },
      ...{ gen: ++this.#gen, writer, summary: this.#entries.summary, plans },
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
      const failure = removalFailure(written);
      if (failure !== undefined) {
        this.#removeLater(failure);
        return 'done';
      }
      // Another process may have filled it: then it is not ours to delete.
      if (written.kind === 'there' && written.journal !== undefined)
        return this.#after(this.#next([], []), written);
      this.#deleted();
    }
    for (const uid of this.#entries.allRemoved) this.#entries.emptied(uid);
    if (!this.#entries.isEmpty) return 'again';
    emptied(this);
    return 'done';
  }

  /** Not a failure of a write: a plan that joins meanwhile is written without a wait, and is durable. */
  #removeLater({ reason, message }: WriteProblem): void {
    const waitMs = Math.min(UNREMOVED_MS, LAZY_MS * 2 ** this.#failedRemovals++);
    if (this.#failedRemovals === REPORTED_REMOVALS)
      this.#options.log.warn(
        { journal: qualifiedName(this), reason, detail: message },
        'an empty journal cannot be deleted, and stays; it does no harm; grant delete on hibernatenotificationjournals, as deploy/kustomize does',
      );
    this.#cancelRemoval = this.#options.clock.after(waitMs, () => {
      this.tidy();
    });
  }

  /** `done`: our write is stored. */
  async #after(write: JournalWrite, written: Written): Promise<AfterWrite> {
    const resolution = resolve(write, written, this.#written);
    switch (resolution.kind) {
      case 'committed':
        this.#stored(resolution.resourceVersion, write);
        this.#durability.succeeded();
        return 'done';
      case 'refused':
        return this.#durability.refused(resolution.why);
      case 'failed':
        return this.#durability.failed(resolution.why);
      case 'deleted':
        this.#deleted();
        return 'again';
      case 'fenced':
        return this.#fence(resolution.there);
      case 'again':
      case 'late':
      case 'adopt': {
        const { fault, kind, there } = resolution;
        this.#stored(there.resourceVersion, there);
        if (kind === 'adopt') this.#entries.adopt(there);
        else if (fault === undefined) this.#rewrite(kind === 'again');
        // A server may fail only writes. Without a wait, this would be a tight loop of requests.
        return fault === undefined ? 'again' : this.#durability.failed(fault);
      }
    }
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
        return this.#durability.failed(LEASE_UNKNOWN);
    }
  }

  /** Writes everything again. `byOther`: something else than hnotif has changed the object, maybe again and again. */
  #rewrite(byOther: boolean): void {
    for (const { state } of this.#entries.plans()) state.rewrite();
    if (!byOther || this.#isChangedByOther) return;
    this.#isChangedByOther = true;
    this.#options.log.warn(
      { journal: qualifiedName(this) },
      'something else has changed a journal: hnotif writes it again; leave the right to write journals to hnotif alone',
    );
  }

  /** This version is stored. */
  #stored(resourceVersion: string, { gen, writer }: Stamp): void {
    this.#resourceVersion = resourceVersion;
    this.#written = { gen, writer };
  }

  /** The object does not exist. The next write creates it. */
  #deleted(): void {
    this.#resourceVersion = '';
    this.#mayExist = false;
    this.#entries.deleted();
  }

  #deliverFromMemory(): void {
    for (const plan of this.#entries.plans()) plan.deliverFromMemory();
  }
}

const TOO_LARGE: WriteProblem = {
  reason: 'JournalTooLarge',
  message: 'what has to be remembered of the plan is too large',
};

/** Without the entries. */
const stampOf = ({ gen, writer }: Stamp): Stamp => ({ gen, writer });
