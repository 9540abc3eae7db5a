import { nextTurn, type Clock } from '../clock.ts';
import type { JournalIdentity, Written } from '../cluster/journals.ts';
import type { LeaseCheck } from '../cluster/leadership.ts';
import {
  JOURNAL_VERSION,
  type Journal,
  type JournalSummary,
  type JournalWrite,
  type Writer,
} from '../resources/journal.ts';
import { isNewer } from '../lifecycle/version.ts';
import { resolveConflict, type Stamp } from './conflict.ts';
import { Durability, type WriteProblem } from './durability.ts';
import { readEntry } from './entry.ts';
import {
  LARGEST_ENTRY,
  LAZY_MS,
  type EntryWrite,
  type EntryObject,
  type PlanJournal,
} from './plan-journal.ts';
import type { WritePacer } from './write-pacer.ts';
import { WriteLoop, type AfterWrite, type WriteLoopOptions } from './write-loop.ts';

export interface JournalObjectOptions {
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  readonly instance: string;
  readonly writer: Writer;
  readonly pace: WritePacer;
  readonly turn: WriteLoopOptions['turn'];
  readonly rest?: WriteLoopOptions['rest'];
  readonly write: (write: JournalWrite, signal: AbortSignal) => Promise<Written>;
  /** Deletes the object, if nothing else has been written to it; without a version, if it is there. */
  readonly remove: (object: JournalIdentity, signal: AbortSignal) => Promise<Written>;
  /** The object in which the entry of a plan should stand. */
  readonly placeOf: (plan: PlanJournal) => JournalObject;
  /** What is accepted of a plan is not kept, for this reason; undefined: it is kept. */
  readonly troubled: (plan: PlanJournal, trouble: WriteProblem | undefined) => void;
  /** A journal names a writer of a higher term. Where the Lease has moved, the process ends by this. */
  readonly fenced: (journal: Journal) => Promise<LeaseCheck>;
  /** Whether writes that fail may make us deliver from memory now. Default: always. */
  readonly mayLose?: (() => boolean) | undefined;
  /** Something else than hnotif has changed it: all of it is written anew. */
  readonly overwritten?: ((object: JournalObject) => void) | undefined;
  /** It has no entry any more, and does not exist. */
  readonly emptied: (object: JournalObject) => void;
}

/** A larger entry has an object alone (characters): each write of a shared one is stored whole. */
const LARGEST_SHARED = 32 * 1024;
/** The entry of a plan that has an object alone returns to a shared one when it is no larger (characters). */
const SMALL = 8 * 1024;
/** Where an object without an entry cannot be deleted, it is tried again after so long (milliseconds): it harms nothing. */
const UNREMOVED_MS = 600_000;
/** Sinks that the summary names. */
const NAMED = 3;

const TOO_LARGE: WriteProblem = {
  reason: 'JournalTooLarge',
  message: 'what has to be remembered of the plan is too large',
};

type Entry = ReturnType<Journal['plans']['get']>;

/**
 * One object in the API server that holds the entries of some plans of a namespace. One write is in flight at a time; what changes
 * meanwhile, of whichever plan, joins the next one. Term, conflicts, take-over and failures are the object's.
 */
export class JournalObject implements EntryObject {
  readonly namespace: string;
  readonly name: string;
  /** Whether its only plan has it alone. */
  readonly isDedicated: boolean;
  readonly #options: JournalObjectOptions;
  readonly #durability: Durability;
  readonly #loop: WriteLoop;
  readonly #stop = new AbortController();
  /** By uid: the plans whose entries are written here. */
  readonly #plans = new Map<string, PlanJournal>();
  /** By uid: entries that were found, of plans that have not come into sight. */
  readonly #others = new Map<string, Entry>();
  /** Uids of entries that stand here until they stand in another object. */
  readonly #leaving = new Set<string>();
  /** Uids of entries that are to be taken out. */
  readonly #discarded = new Set<string>();
  /** Uids of plans that wait for the next write. */
  readonly #urgent = new Set<string>();
  #resourceVersion: string;
  /** Of what stands there, as far as is known. */
  #written: Stamp | undefined;
  #gen: number;
  #isWriting = false;
  /** Whether it was tried to make it. */
  #mayExist: boolean;

  /** `found`: as it stood when the process began. */
  constructor(options: JournalObjectOptions, found: Journal | undefined, isLone: boolean) {
    const { clock, namespace, name, rest, turn } = options;
    this.#options = options;
    this.namespace = namespace;
    this.name = name;
    this.isDedicated = isLone;
    this.#resourceVersion = found?.resourceVersion ?? '';
    this.#written = found && stampOf(found);
    this.#gen = found?.gen ?? 0;
    this.#mayExist = found !== undefined;
    for (const [uid, entry] of found?.plans ?? []) this.#others.set(uid, entry);
    const tell = (trouble: WriteProblem | undefined): void => {
      for (const plan of this.#plans.values()) options.troubled(plan, trouble);
    };
    this.#durability = new Durability(clock, tell, options.mayLose);
    this.#loop = new WriteLoop({ clock, turn, rest, write: () => this.#write() });
  }

  /** The term of who wrote it last. */
  get term(): number {
    return this.#written?.writer.term ?? 0;
  }

  get cannotWrite(): boolean {
    return this.#durability.hasGivenUp;
  }

  get isOurs(): boolean {
    const { holder, term } = this.#options.writer;
    return this.#written?.writer.holder === holder && this.#written.writer.term === term;
  }

  /** The entry of a plan that has not come into sight. */
  entry(uid: string): Entry {
    return this.#others.get(uid);
  }

  /** Uids of the plans that have not come into sight. */
  get others(): readonly string[] {
    return [...this.#others.keys()];
  }

  /** The plan's entry is written here from now on. */
  join(plan: PlanJournal): void {
    const { uid } = plan.subject;
    this.#others.delete(uid);
    this.#leaving.delete(uid);
    this.#discarded.delete(uid);
    this.#plans.set(uid, plan);
    this.#options.troubled(plan, this.#durability.trouble);
  }

  /** A plan's entry is not written here any more. It stands until it is taken out by `discard`. */
  leave(uid: string): void {
    this.#plans.delete(uid);
    this.#others.delete(uid);
    this.#leaving.add(uid);
  }

  /** Takes an entry out, which is in no hurry. */
  discard(uid: string): void {
    this.#plans.delete(uid);
    this.#others.delete(uid);
    this.#leaving.delete(uid);
    this.#discarded.add(uid);
    this.#loop.schedule(LAZY_MS);
  }

  /** Deletes it where it has no entry. */
  tidy(): void {
    if (this.#isEmpty) this.#loop.schedule(LAZY_MS);
  }

  writeWithin(withinMs: number): void {
    this.#loop.schedule(withinMs);
  }

  writeUrgently(uid: string, withinMs: number): void {
    const { pace } = this.#options;
    pace.count();
    this.#urgent.add(uid);
    // Where most of its plans are in it already, there are few left that could share a write.
    const isFull = 4 * this.#urgent.size >= 3 * this.#plans.size;
    this.#loop.schedule(isFull ? withinMs : Math.max(withinMs, pace.waitMs(this.#loop.writtenAt)), true);
  }

  flush(): Promise<void> {
    return this.#loop.flush();
  }

  /** It was deleted. It is made anew, but not at once: its plans may be gone as well. */
  vanished(): void {
    if (this.#plans.size > 0) {
      for (const plan of this.#plans.values()) plan.touch();
      this.#loop.schedule(LAZY_MS);
      // What stood in the way of writes may be gone with it.
      if (this.cannotWrite) void this.#loop.flush();
    }
  }

  /** It stands in this version. Where that is none of ours, something else has changed it, and what it says is not to be relied on. */
  changed(resourceVersion: string): void {
    if (this.#isWriting || this.#resourceVersion === '' || !isNewer(resourceVersion, this.#resourceVersion))
      return;
    for (const plan of this.#plans.values()) plan.touch();
    this.#loop.schedule(LAZY_MS);
  }

  /** Ends every timer and write. */
  close(): void {
    this.#stop.abort();
    this.#loop.close();
  }

  /** Never rejects. */
  async #write(): Promise<AfterWrite> {
    const { signal } = this.#stop;
    // What comes in this turn of the event loop goes along: in a burst that are the changes of many plans.
    if (this.#options.pace.isBurst) await nextTurn();
    this.#urgent.clear();
    const drafts = await this.#drafts();
    if (signal.aborted) return 'done';
    const discarded = [...this.#discarded];
    if (this.#isEmpty) return this.#remove();
    if (drafts.length === 0 && discarded.length === 0) return 'done';
    const write = this.#next(drafts, discarded);
    this.#mayExist = true;
    this.#isWriting = true;
    const written = await this.#options.write(write, signal);
    if (signal.aborted) return 'done';
    const after = await this.#after(write, written);
    this.#isWriting = false;
    if (after === 'done') {
      for (const uid of discarded) if (write.plans[uid] === null) this.#discarded.delete(uid);
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

  /** What is to be written of the plans that have changed. */
  async #drafts(): Promise<readonly EntryWrite[]> {
    const { placeOf } = this.#options;
    const drafts: EntryWrite[] = [];
    for (const plan of [...this.#plans.values()]) {
      if (!plan.isDirty) continue;
      if (this.#moves(plan, placeOf(plan))) continue;
      const draft = (await plan.prepareWrite(this.#room)) ?? (await this.#tooLarge(plan));
      if (draft !== undefined) drafts.push(draft);
    }
    // What was deleted meanwhile is not written again.
    return drafts.filter(({ plan }) => this.#has(plan));
  }

  /** What is to be written of a plan that takes more than there is room for: less of it, or it goes to an object alone. */
  async #tooLarge(plan: PlanJournal): Promise<EntryWrite | undefined> {
    // It was deleted meanwhile.
    if (!this.#has(plan)) return undefined;
    if (!this.isDedicated) {
      plan.isLarge = true;
      this.#moves(plan, this.#options.placeOf(plan));
      return undefined;
    }
    const short = await plan.prepareShortWrite(LARGEST_ENTRY);
    if (short === undefined) this.#lose(TOO_LARGE);
    return short;
  }

  /** Whether the plan goes to another object. Its entry here is taken out once it stands there. */
  #moves(plan: PlanJournal, place: JournalObject): boolean {
    if (place === this) return false;
    this.leave(plan.subject.uid);
    place.join(plan);
    plan.move(place);
    place.writeUrgently(plan.subject.uid, 0);
    return true;
  }

  #has(plan: PlanJournal): boolean {
    return this.#plans.get(plan.subject.uid) === plan;
  }

  /** Whether no entry stands here, or soon none will. */
  get #isEmpty(): boolean {
    return this.#plans.size === 0 && this.#others.size === 0 && this.#leaving.size === 0;
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
    return {
      ...{ namespace, name, resourceVersion: this.#resourceVersion, instance, version: JOURNAL_VERSION },
      ...{ gen: ++this.#gen, writer, summary: this.#summary(), plans },
    };
  }

  #summary(): JournalSummary {
    let waiting = 0;
    let oldest = Infinity;
    const streams = new Set<string>();
    for (const plan of this.#plans.values()) {
      waiting += plan.pending;
      oldest = Math.min(oldest, plan.oldest);
      for (const stream of plan.waitingStreams()) streams.add(stream);
    }
    for (const entry of this.#others.values()) waiting += entry?.waiting ?? 0;
    const named = [...streams].slice(0, NAMED).join(', ');
    return {
      plans: this.#plans.size + this.#others.size + this.#leaving.size,
      waiting,
      oldest: oldest === Infinity ? null : new Date(oldest).toISOString(),
      for: streams.size > NAMED ? `${named} and ${streams.size - NAMED} more` : named,
    };
  }

  /** It has no entry any more. */
  async #remove(): Promise<AfterWrite> {
    const { remove, emptied } = this.#options;
    const { namespace, name } = this;
    if (this.#mayExist) {
      const object = { namespace, name, resourceVersion: this.#resourceVersion };
      const written = await remove(object, this.#stop.signal);
      if (written.kind === 'failed' || written.kind === 'refused') {
        const ms = this.#durability.failed(troubleOf(written));
        return this.cannotWrite ? UNREMOVED_MS : ms;
      }
      if (written.kind === 'there' && written.journal !== undefined) {
        this.#adoptVersion(written.journal);
        return 'again';
      }
      this.#deleted();
    }
    this.#discarded.clear();
    if (!this.#isEmpty) return 'again';
    emptied(this);
    return 'done';
  }

  /** `done`: it stands there. */
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

  /** Something else stands there than was expected. */
  async #resolve(
    write: JournalWrite,
    { journal: there, fault }: Extract<Written, { kind: 'there' }>,
  ): Promise<AfterWrite> {
    if (there === undefined) {
      // It was deleted: it is made anew from what we know.
      this.#deleted();
      return 'again';
    }
    if (there.instance !== write.instance) return this.#durability.refused(foreign(there));
    if (there.version > JOURNAL_VERSION) return this.#fence(there);
    switch (resolveConflict(there, write, this.#written)) {
      case 'fenced':
        return this.#fence(there);
      case 'committed':
        return this.#committed(write, there.resourceVersion);
      case 'again':
        this.#adoptVersion(there);
        // Not by hnotif, and nobody knows what: all of it is written again.
        if (fault === undefined) {
          this.#options.overwritten?.(this);
          for (const plan of this.#plans.values()) plan.rewrite();
        }
        break;
      case 'adopt':
        this.#adoptVersion(there);
        this.#adopt(there);
    }
    // A server that is read well and written badly would be asked as fast as it answers.
    return fault === undefined ? 'again' : this.#durability.failed(troubleOf(fault));
  }

  /** A writer of a higher term has taken over: then the process ends. Or the term is false: then the plans go on from memory. */
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

  /** Entries that another process has written are taken over; then all is written in our own name. */
  #adopt({ plans }: Journal): void {
    for (const [uid, entry] of plans) {
      const plan = this.#plans.get(uid);
      if (plan === undefined) {
        if (!this.#discarded.has(uid) && !this.#leaving.has(uid)) this.#others.set(uid, entry);
      } else if (entry !== undefined && plan.isStored(entry.gen)) plan.rewrite();
      else plan.adopt(readEntry(entry, plan.subject));
    }
    for (const [uid, plan] of this.#plans) if (!plans.has(uid)) plan.vanished();
    for (const uid of this.#others.keys()) if (!plans.has(uid)) this.#others.delete(uid);
  }

  /** An earlier write stands there, or another process's. */
  #adoptVersion(there: Journal): void {
    this.#resourceVersion = there.resourceVersion;
    this.#written = stampOf(there);
  }

  /** The next write makes it anew. */
  #deleted(): void {
    this.#resourceVersion = '';
    this.#mayExist = false;
    this.#others.clear();
    this.#leaving.clear();
    this.#discarded.clear();
    for (const plan of this.#plans.values()) plan.vanished();
  }

  #lose(trouble: WriteProblem): void {
    this.#durability.giveUp(trouble);
    this.#deliverFromMemory();
  }

  #deliverFromMemory(): void {
    for (const plan of this.#plans.values()) plan.deliverFromMemory();
  }
}

/** Without the entries. */
const stampOf = ({ gen, writer }: Stamp): Stamp => ({ gen, writer });

const troubleOf = ({ reason, message }: WriteProblem): WriteProblem => ({ reason, message });

const NO_LEASE = 'a journal names a leader of a later term, and the Lease cannot be read';

const termAhead = ({ name, version, writer }: Journal): WriteProblem => ({
  reason: version > JOURNAL_VERSION ? 'JournalTooNew' : 'JournalTermAhead',
  message:
    `journal ${name} names ${version > JOURNAL_VERSION ? `the layout ${version}, newer than this hnotif's` : `the term ${writer.term}, later than the leader's`}, ` +
    'and the Lease has not moved: something else than hnotif has written it; delete the journal, and leave the right to write journals ' +
    'to hnotif alone',
});

const foreign = ({ name, instance }: Journal): WriteProblem => ({
  reason: 'JournalForeign',
  message: `journal ${name} is left alone: it names the instance ${instance}, whose name it does not have; delete it, and with it the deliveries that wait there`,
});
