import { nextTurn, type Clock } from '../clock.ts';
import type { Written } from '../cluster/journals.ts';
import type { LeaseCheck } from '../cluster/leadership.ts';
import type { Acceptance, LogEntry, Routed } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import { isSameButVersion, type Observed } from '../lifecycle/observed.ts';
import { JOURNAL_VERSION, ownershipProblem, type Journal } from '../resources/journal.ts';
import { digestOf } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord } from '../sinks/teamchat/thread/store.ts';
import { contentOf, type KeptEvent } from './content.ts';
import { Durability, type Trouble } from './durability.ts';
import { fit } from './fit.ts';
import { JournalState, type Ending } from './state.ts';
import { readKept, Stored, type Found, type StoredOptions } from './stored.ts';
import { WriteLoop, type AfterWrite } from './write-loop.ts';

export interface PlanJournalOptions extends StoredOptions {
  readonly clock: Clock;
  /** Empty. What waits in it is kept. */
  readonly log: PlanLog;
  /**
   * Waits until it is our turn to write; `hurry` aborts when what was in no hurry is (undefined: it is in a hurry now). Gives what
   * ends the turn; undefined: nothing more is written.
   */
  readonly turn: (hurry: AbortSignal | undefined) => Promise<(() => void) | undefined>;
  readonly write: (journal: Journal, signal: AbortSignal) => Promise<Written>;
  /** Puts events into the log, and keeps it within its bounds. */
  readonly append: (log: PlanLog, routed: readonly Routed[], by: Acceptance) => void;
  /** Events up to this seq are kept (or cannot be): they may be sent. */
  readonly release: (log: PlanLog, upTo: number) => void;
  /** The log is too large to be kept: some of it is dropped. False: there is nothing to drop. */
  readonly shed: (log: PlanLog) => boolean;
  /** What was derived since then is not kept: derive again from this. Calls `accept`, or not. */
  readonly rebase: (observed: Observed) => void;
  /** What is accepted is not kept, for this reason; undefined: it is kept again. */
  readonly troubled: (trouble: Trouble | undefined) => void;
  /** A journal names a writer of a higher term. Where the Lease has moved, the process ends by this. */
  readonly fenced: (journal: Journal) => Promise<LeaseCheck>;
  /** Whether writes that fail may make us deliver from memory now. Default: always. */
  readonly mayLose?: (() => boolean) | undefined;
}

/** A plan of more targets is written in a turn of the event loop of its own. */
const MANY = 1_000;
/** What changed and is urgent for nothing is written after so long (milliseconds). */
const LAZY_MS = 1_000;
/** What was settled waits no longer for its turn (milliseconds): a kill makes it come twice. */
const SETTLE_PATIENCE_MS = 5_000;

const TOO_LARGE: Trouble = {
  reason: 'JournalTooLarge',
  message: 'what has to be remembered of the plan is too large',
};

/** What is being written. */
interface Draft {
  readonly journal: Journal;
  readonly observed: Observed;
  /** How many of those who wait for a root wait for this write. */
  readonly waiters: number;
}

/**
 * The journal of one plan. What is accepted is released when the write that holds it has been acknowledged, and not
 * before: but where nothing can be written, it is delivered from memory, and that is told.
 */
export class PlanJournal {
  readonly #options: PlanJournalOptions;
  readonly #state: JournalState;
  readonly #stored: Stored;
  readonly #durability: Durability;
  readonly #loop: WriteLoop;
  readonly #stop = new AbortController();
  /** Events up to this one have been released. */
  #released: number;
  #waiters: (() => void)[] = [];
  /** Ends the patience of what is settled and not written. */
  #cancelPatience: (() => void) | undefined;

  /** `observed`: what is known of the plan where no journal says it. */
  constructor(options: PlanJournalOptions, found: Found | undefined, observed: Observed) {
    const { clock, log, troubled, mayLose } = options;
    this.#options = options;
    this.#stored = new Stored(options, found);
    this.#durability = new Durability(clock, troubled, mayLose);
    this.#loop = new WriteLoop(clock, (hurry) => this.#inTurn(hurry));
    const kept = found?.kept;
    this.#state = new JournalState(kept?.observed ?? observed, log);
    this.#restore(kept?.events() ?? []);
    for (const [key, root] of kept?.roots ?? []) this.#state.keepRoot(key, root);
    this.#state.outcomes = kept?.outcomes ?? [];
    this.#released = log.isEmpty ? (this.#stored.observed?.seq ?? 0) : 0;
  }

  /** What was observed last, be it kept or not: derive from this. */
  get observed(): Observed {
    return this.#state.observed;
  }

  get name(): string {
    return this.#stored.name;
  }

  get pending(): number {
    return this.#state.log.pending;
  }

  /** What an earlier process left is sent once our own term stands there. */
  begin(): void {
    if (!this.#state.log.isEmpty) this.#loop.want(0);
  }

  /** What was derived, at `now` (milliseconds since the epoch). Released as soon as it is kept. */
  accept(observed: Observed, events: readonly Routed[], now: number): void {
    const { append, clock } = this.#options;
    const before = this.#state.observed;
    this.#state.observed = observed;
    // Labels and the like: not worth a write.
    if (events.length === 0 && this.#stored.observed !== undefined && isSameButVersion(before, observed))
      return;
    const waits = events.some(({ to }) => to.length > 0);
    if (waits)
      append(this.#state.log, events, { acceptedAt: now, since: clock.monotonic(), restored: false });
    if (this.#durability.isLost) this.#release(observed.seq);
    this.#loop.want(waits ? 0 : LAZY_MS);
  }

  /** Deliveries have ended, and are out of the log; written within `withinMs`. */
  settled(ending: Ending, withinMs: number): void {
    this.#state.tell(ending);
    this.#loop.want(withinMs);
    this.#cancelPatience ??= this.#options.clock.after(SETTLE_PATIENCE_MS, () => {
      this.#loop.want(0);
    });
  }

  /** Whether something was accepted that is neither kept nor released. */
  get isHeld(): boolean {
    const known = Math.max(this.#released, this.#stored.upTo);
    return this.#state.log.entries().some(({ seq }) => seq > known);
  }

  /** Whether an event stands in what was written last. */
  keeps({ seq }: Pick<LogEntry, 'seq'>): boolean {
    return seq <= this.#stored.upTo;
  }

  root(key: string): RootRecord | undefined {
    return this.#state.roots.get(key);
  }

  /** Roots that stand, and do not show what they should. */
  staleRoots(): readonly string[] {
    return [...this.#state.roots]
      .filter(([, { place, sent, wanted }]) => place !== undefined && sent !== digestOf(wanted))
      .map(([key]) => key);
  }

  /** Resolves when the root is kept, or cannot be. */
  saveRoot(key: string, record: RootRecord): Promise<void> {
    this.#state.keepRoot(key, record);
    if (this.#stop.signal.aborted) return Promise.resolve();
    this.#loop.want(0);
    if (this.#durability.isLost) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Writes what is not written yet; resolves when that is done, or has failed once. */
  flush(): Promise<void> {
    return this.#loop.flush();
  }

  /** It was deleted. It is made anew, but not at once: its plan may be gone as well. */
  vanished(): void {
    this.#loop.want(LAZY_MS);
    // What stood in the way of writes may be gone with it.
    if (this.#durability.isLost) void this.#loop.flush();
  }

  /** The plan is gone, and this with it: what was accepted is finished from memory, be it kept or not. */
  gone(): void {
    this.close();
    this.#release(this.#state.observed.seq);
  }

  /** Ends every timer and write. Who waits for a root goes on. */
  close(): void {
    this.#stop.abort();
    this.#loop.close();
    this.#cancelPatience?.();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** What comes while it waits for its turn is written with the rest. */
  async #inTurn(hurry: AbortSignal | undefined): Promise<AfterWrite> {
    const end = await this.#options.turn(hurry);
    if (end === undefined) return 'done';
    try {
      return await this.#write();
    } finally {
      end();
    }
  }

  /** Never rejects. */
  async #write(): Promise<AfterWrite> {
    const { signal } = this.#stop;
    const draft = await this.#draft();
    if (draft === undefined || signal.aborted) return 'done';
    const written = await this.#options.write(draft.journal, signal);
    const after = signal.aborted ? 'done' : await this.#after(draft, written);
    if (after === 'done' || this.#durability.isLost)
      for (const resolve of this.#waiters.splice(0, draft.waiters)) resolve();
    return after;
  }

  /** The present state as a journal; undefined: there is no room for it. */
  async #draft(): Promise<Draft | undefined> {
    const { observed, log } = this.#state;
    const { pending } = log;
    const waiters = this.#waiters.length;
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
    // What has just been accepted has had its turn of the event loop.
    if (observed.targets.length > MANY) await nextTurn();
    const text = await fit(contentOf(this.#state));
    // What was settled while it was packed has made room.
    if (text === undefined) return log.pending < pending || this.#makeRoom() ? this.#draft() : undefined;
    return { journal: this.#stored.next(text, pending), observed, waiters };
  }

  async #after(draft: Draft, written: Written): Promise<AfterWrite> {
    switch (written.kind) {
      case 'written':
        return this.#committed(draft, written.resourceVersion);
      case 'refused':
        return this.#waited(this.#durability.refused(troubleOf(written)));
      case 'failed':
        return this.#waited(this.#durability.failed(troubleOf(written)));
      case 'there':
        return this.#resolve(draft, written);
    }
  }

  /** Something else stands there than was expected. */
  async #resolve(
    draft: Draft,
    { journal: there, fault }: Extract<Written, { kind: 'there' }>,
  ): Promise<AfterWrite> {
    if (there === undefined) {
      // It was deleted: it is made anew from what we know.
      this.#stored.isGone();
      return 'again';
    }
    const resolution = this.#stored.resolve(there, draft.journal);
    switch (resolution) {
      case 'foreign':
        // What stands there is not what we have written: nothing of ours is kept.
        this.#stored.isGone();
        return this.#waited(this.#durability.refused(foreign(there)));
      case 'fenced':
        return this.#fence(there);
      case 'committed':
        return this.#committed(draft, there.resourceVersion);
      case 'again':
        this.#stored.is(there);
        break;
      case 'adopt':
        this.#stored.is(there);
        this.#adopt(there);
    }
    // A server that is read well and written badly would be asked as fast as it answers.
    return fault === undefined ? 'again' : this.#waited(this.#durability.failed(fault));
  }

  /** A writer of a higher term has taken over: then the process ends. Or the term is false: then the plan goes on from memory. */
  async #fence(there: Journal): Promise<AfterWrite> {
    switch (await this.#options.fenced(there)) {
      case 'moved':
        this.close();
        return 'done';
      case 'held':
        return this.#waited(this.#durability.refused(termAhead(there)));
      case 'unknown':
        return this.#waited(this.#durability.failed({ reason: 'LeaseUnknown', message: NO_LEASE }));
    }
  }

  #committed({ journal, observed }: Draft, resourceVersion: string): AfterWrite {
    this.#stored.holds(journal, observed, resourceVersion);
    this.#durability.succeeded();
    this.#release(observed.seq);
    return 'done';
  }

  /** A write came to nothing; the next one is due after so long. */
  #waited(ms: number): AfterWrite {
    if (this.#durability.isLost) this.#deliverFromMemory();
    return ms;
  }

  /** Nothing can be kept: what is accepted is delivered all the same. */
  #deliverFromMemory(): void {
    this.#release(this.#state.observed.seq);
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /**
   * Another process with no higher term wrote in between (a leader that did not know yet that it was none). What it kept is kept;
   * what we derived and have not released is derived again from there, and gets the same ids.
   */
  #adopt(there: Journal): void {
    const theirs = readKept(there, this.#options.subject);
    if (theirs === undefined) return;
    const { log, roots } = this.#state;
    log.truncate();
    this.#restore(theirs.events());
    for (const [key, root] of theirs.roots) if (roots.get(key)?.place === undefined) roots.set(key, root);
    this.#state.observed = theirs.observed;
    this.#options.rebase(theirs.observed);
  }

  /** What another process accepted, and may have sent. */
  #restore(events: Iterable<KeptEvent>): void {
    const { append, clock, log } = this.#options;
    for (const { event, to, acceptedAt } of events) {
      if (event.seq <= log.releasedTo) continue;
      const since = clock.monotonic() - Math.max(0, clock.now() - acceptedAt);
      append(log, [{ event, to }], { acceptedAt, since, restored: true });
    }
  }

  /** Threads of earlier runs go, then half of what the longest streams hold. False: there is nothing of all that. */
  #makeRoom(): boolean {
    if (this.#state.thinRoots() || this.#options.shed(this.#state.log)) return true;
    this.#durability.lose(TOO_LARGE);
    this.#deliverFromMemory();
    return false;
  }

  #release(upTo: number): void {
    this.#released = Math.max(this.#released, upTo);
    this.#options.release(this.#state.log, this.#released);
  }
}

const troubleOf = ({ reason, message }: Trouble): Trouble => ({ reason, message });

const NO_LEASE = 'a journal names a leader of a later term, and the Lease cannot be read';

const termAhead = ({ name, version, writer }: Journal): Trouble => ({
  reason: version > JOURNAL_VERSION ? 'JournalTooNew' : 'JournalTermAhead',
  message:
    `journal ${name} names ${version > JOURNAL_VERSION ? `the layout ${version}, newer than this hnotif's` : `the term ${writer.term}, later than the leader's`}, ` +
    'and the Lease has not moved: something else than hnotif has written it; delete the journal, and leave the right to write journals ' +
    'to hnotif alone',
});

const foreign = (journal: Journal): Trouble => {
  const { name, pending, plan } = journal;
  const why = ownershipProblem(journal) ?? `it names another plan, ${plan.name}`;
  return {
    reason: 'JournalForeign',
    message: `journal ${name} is left alone: ${why}; delete it, and with it the ${pending} deliveries that wait there`,
  };
};
