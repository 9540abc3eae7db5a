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
} from '@hnotif/core/resources';
import type { JournalConditions } from './conditions.ts';
import { LEASE_UNKNOWN, resolve, resolveRemoval, termAhead, type Resolution } from './conflict.ts';
import { Durability } from './durability.ts';
import { Entries } from './entries.ts';
import type { EntryObject } from './place.ts';
import type { PlanJournal } from './plan-journal.ts';
import { prepareWrites } from './prepare.ts';
import { afterAnswer, afterRequest, afterWatch, isOurs, isSuspect, versionOf } from './stored-version.ts';
import type { WritePacer } from './write-pacer.ts';
import { LAZY_MS, WriteSchedule } from './write-schedule.ts';

/** The next step after a write: `done`; `again` at once; or, after a failure, again after this many milliseconds. */
type AfterWrite = 'done' | 'again' | number;

/** What all journal objects share. */
export interface JournalObjectOptions extends Pick<JournalWrite, 'instance' | 'writer'> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly write: (write: JournalWrite, signal: AbortSignal) => Promise<Written>;
  /** Deletes the object if it still has this version; without a version, if it exists. */
  readonly remove: (object: JournalIdentity, signal: AbortSignal) => Promise<Written>;
  readonly pace: WritePacer;
  /** Calls `write` when it is due: one at a time for each object. */
  readonly queue: Pick<WorkQueue<JournalObject>, 'add' | 'flush' | 'remove'>;
  /** Waits after a failure, for `ms` or until the API server is back. Default: for `ms`. */
  readonly rest?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** The object that should hold the entry of a plan. `isLarge`: whether that is a dedicated one. Default: as the plan says. */
  readonly placeOf: (plan: PlanJournal, isLarge?: boolean) => JournalObject;
  /** Has the reasons why events of plans cannot be stored. */
  readonly conditions: Pick<JournalConditions, 'unwritten'>;
  /** A journal names a writer with a higher term. Ends the process if the Lease has moved. */
  readonly fenced: (journal: Journal) => Promise<LeaseCheck>;
  /** Whether failed writes may lead to delivery from memory now. */
  readonly mayGiveUp: () => boolean;
  /** The object has no entries and was deleted. */
  readonly emptied: (object: JournalObject) => void;
}

/**
 * One object in the API server with the entries of some plans of a namespace. One write is in flight at a time. Changes of any of its plans
 * meanwhile join the next write. Terms, conflicts, take-over and failures are handled for the whole object.
 */
export class JournalObject implements EntryObject<PlanJournal> {
  readonly namespace: string;
  readonly name: string;
  readonly isDedicated: boolean;
  readonly schedule: WriteSchedule<JournalObject>;
  readonly #options: JournalObjectOptions;
  readonly #durability: Durability;
  readonly #stop = new AbortController();
  readonly #entries: Entries;
  #stored: ReturnType<typeof versionOf>;
  #failedRemovals = 0;
  /** Cancels the timer of the next try to delete it. */
  #cancelRemoval: (() => void) | undefined;
  /** Whether it was logged that another writer than hnotif has changed it. */
  #isChangedByOther = false;
  /** Of the wait after a failure. */
  #rest: AbortController | undefined;
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
    this.#stored = versionOf(found);
    this.#entries = new Entries(this, options.placeOf, found);
    this.schedule = new WriteSchedule<JournalObject>(options, this);
    this.#durability = new Durability(options.clock, options.mayGiveUp, (trouble) => {
      for (const { subject } of this.#entries.plans()) options.conditions.unwritten(subject, trouble);
    });
  }

  /** How many plans have an entry in it. */
  get size(): number {
    return this.#entries.size;
  }

  /** The term of its last writer. */
  get term(): number {
    return this.#stored.by?.writer.term ?? 0;
  }

  get cannotWrite(): boolean {
    return this.#durability.hasGivenUp;
  }

  get isCurrent(): boolean {
    return isOurs(this.#stored) && this.#options.mayGiveUp();
  }

  /** The entry of a plan that was not seen yet. */
  entry(uid: string): JournalEntry | undefined {
    return this.#entries.entry(uid);
  }

  add(uid: string, plan: PlanJournal): void {
    this.#entries.add(uid, plan);
    if (this.#entries.has(plan)) this.#options.conditions.unwritten(plan.subject, this.#durability.trouble);
    this.#writeSuspect();
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
    this.changed();
    // The reason why writes failed may be gone as well.
    if (this.cannotWrite) void this.flush();
  }

  /** The object has this version (default: an unknown one). If we did not write it, another writer has changed the object, and it is written again. */
  changed(resourceVersion?: string): void {
    this.#stored = afterWatch(this.#stored, resourceVersion);
    this.#writeSuspect();
  }

  #writeSuspect(): void {
    if (isSuspect(this.#stored)) this.schedule.within(LAZY_MS);
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
    const { clock, rest = (ms, enough) => sleep(clock, ms, enough) } = this.#options;
    const after = this.#stop.signal.aborted ? 'done' : await this.#write();
    if (after === 'again') this.schedule.within(0, isUrgent);
    if (typeof after === 'string' || this.#stop.signal.aborted) return;
    this.#rest = new AbortController();
    return { over: rest(after, this.#rest.signal) };
  }

  async #write(): Promise<AfterWrite> {
    const { signal } = this.#stop;
    const writes = await prepareWrites({
      ...{ clock: this.#options.clock, entries: this.#entries, schedule: this.schedule },
      dedicated: this.isDedicated ? undefined : (plan) => this.#options.placeOf(plan, true),
      tooLarge: (why) => {
        this.#durability.giveUp(why);
        for (const plan of this.#entries.plans()) plan.deliverFromMemory();
      },
    });
    if (signal.aborted) return 'done';
    const removed = this.#entries.allRemoved;
    if (this.#entries.isEmpty) return this.#remove();
    const isStale = isSuspect(this.#stored) && this.#entries.isServing;
    if (writes.length + removed.length === 0 && !isStale) return 'done';
    const plans: Record<string, JournalWrite['plans'][string]> = {};
    for (const uid of removed) plans[uid] = null;
    for (const { plan, patch } of writes) plans[plan.subject.uid] = patch;
    this.#entries.sent(writes.map(({ plan }) => plan.subject.uid));
    this.schedule.sent();
    const resolution = await this.#request({ summary: this.#entries.summary, plans });
    if (signal.aborted) return 'done';
    const after = await this.#after(resolution);
    if (after === 'done') {
      // A plan whose former entry was in the way, or that has come back meanwhile.
      for (const uid of removed) if (this.#entries.emptied(uid) !== undefined) this.schedule.within(0);
      for (const each of writes) each.plan.committed(each);
      this.#writeSuspect();
    } else {
      for (const each of writes) each.plan.state.failed(each);
      if (this.cannotWrite) for (const plan of this.#entries.plans()) plan.deliverFromMemory();
    }
    return after;
  }

  /** Writes this, or deletes the object. */
  async #request(content?: Pick<JournalWrite, 'plans' | 'summary'>): Promise<Resolution> {
    const { instance, remove, write, writer } = this.#options;
    const { by, mayExist, resourceVersion } = this.#stored;
    const object = { namespace: this.namespace, name: this.name, resourceVersion };
    this.#stored = afterRequest(this.#stored);
    const sent = { instance, version: JOURNAL_VERSION, gen: this.#stored.gen, writer };
    const resolution =
      content === undefined
        ? resolveRemoval(sent, mayExist ? await remove(object, this.#stop.signal) : undefined, by)
        : resolve(sent, await write({ ...object, ...sent, ...content }, this.#stop.signal), by);
    this.#stored = afterAnswer(this.#stored, sent, resolution);
    return resolution;
  }

  /** Deletes the empty object. If that fails, it is tried again later. A plan that joins meanwhile is written without a wait. */
  async #remove(): Promise<AfterWrite> {
    this.#cancelRemoval?.();
    const resolution = await this.#request();
    if (this.#stop.signal.aborted) return 'done';
    if (resolution.kind === 'failed') {
      const { reason, message: detail } = resolution.why;
      const waitMs = Math.min(UNREMOVED_MS, LAZY_MS * 2 ** this.#failedRemovals++);
      this.#cancelRemoval = this.#options.clock.after(waitMs, () => {
        this.tidy();
      });
      if (this.#failedRemovals === REPORTED_REMOVALS)
        this.#options.log.warn({ journal: qualifiedName(this), reason, detail }, UNREMOVED);
      return 'done';
    }
    const after = await this.#after(resolution);
    if (resolution.kind !== 'deleted' || !this.#entries.isEmpty) return after;
    this.#options.emptied(this);
    return 'done';
  }

  /** `done`: our write is stored. */
  async #after(resolution: Resolution): Promise<AfterWrite> {
    switch (resolution.kind) {
      case 'committed':
        this.#durability.succeeded();
        return 'done';
      case 'refused':
      case 'failed':
        return this.#durability[resolution.kind](resolution.why);
      case 'deleted':
        this.#entries.deleted();
        return 'again';
      case 'fenced':
        return this.#fence(resolution.there);
      case 'again':
      case 'late':
      case 'adopt': {
        const { fault, kind, there } = resolution;
        if (kind === 'adopt') this.#entries.adopt(there);
        else if (fault === undefined) this.#rewrite(kind === 'again');
        // A server may fail only writes. Without a wait, this would be a tight loop of requests.
        return fault === undefined ? 'again' : this.#durability.failed(fault);
      }
    }
  }

  /** A writer with a higher term has taken over: the process ends. If the term is wrong, events are delivered from memory. */
  async #fence(there: Journal): Promise<AfterWrite> {
    const lease = await this.#options.fenced(there);
    if (lease === 'held') return this.#durability.refused(termAhead(there));
    if (lease === 'unknown') return this.#durability.failed(LEASE_UNKNOWN);
    this.close();
    return LAZY_MS;
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
}

/** The longest wait before another try to delete an empty object (milliseconds). Such an object does no harm. */
const UNREMOVED_MS = 600_000;
/** After this many failed tries to delete it, some 15 s after the first one, an empty object is reported. */
const REPORTED_REMOVALS = 5;
const UNREMOVED =
  'an empty journal cannot be deleted, and stays; it does no harm; grant delete on hibernatenotificationjournals, as deploy/kustomize does';
