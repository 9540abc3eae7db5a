import type { Clock } from '../clock.ts';
import type { Written } from '../cluster/journals.ts';
import { isExpendable } from '../dispatch/overflow.ts';
import type { LifecycleEvent } from '../lifecycle/event.ts';
import { isSameButVersion, type Observed } from '../lifecycle/observed.ts';
import type { Journal } from '../resources/journal.ts';
import { digestOf } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord } from '../sinks/teamchat/thread/store.ts';
import { Book, streamKey, type Entry, type Outcome, type StreamName } from './book.ts';
import { contentOf } from './content.ts';
import { isCrowded } from './crowd.ts';
import { fit } from './fit.ts';
import { Patience, type Trouble } from './patience.ts';
import { readBook, Stored, type Found, type StoredOptions } from './stored.ts';
import { WriteLoop, type AfterWrite } from './write-loop.ts';

/** An event, and the sinks that subscribed to it. */
export interface Routed {
  readonly event: LifecycleEvent;
  readonly to: readonly StreamName[];
}

export interface PlanJournalOptions extends StoredOptions {
  readonly clock: Clock;
  /**
   * Waits until it is our turn to write; `hurry` aborts when what was in no hurry is (undefined: it is in a hurry now). Gives what
   * ends the turn; undefined: nothing more is written.
   */
  readonly turn: (hurry: AbortSignal | undefined) => Promise<(() => void) | undefined>;
  readonly write: (journal: Journal, signal: AbortSignal) => Promise<Written>;
  /** It is kept (or cannot be): it may be sent. `restored`: an earlier process may have sent it already. */
  readonly deliver: (entry: Entry, to: StreamName, restored: boolean) => void;
  /** Whether anything more may wait, of whatever plan; where not, `retry` is called when it may. */
  readonly hasRoom: () => boolean;
  /** There is no room for it. It is settled by this, or goes on waiting; `delivered` says whether it was handed over. */
  readonly discard: (entry: Entry, to: StreamName, delivered: boolean) => void;
  /** What was derived since then is not kept: derive again from this. Calls `accept`, or not. */
  readonly rebase: (observed: Observed) => void;
  /** What is accepted is not kept, for this reason; undefined: it is kept again. */
  readonly troubled: (trouble: Trouble | undefined) => void;
  /** Another process has taken over the plan, as its journal says. */
  readonly fenced: (journal: string) => void;
}

/** What changed without anybody waiting for it is written after so long (milliseconds). */
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
 * The journal of one plan. What is accepted is delivered when the write that holds it has been acknowledged, and not
 * before: but where nothing can be written, it is delivered from memory, and that is told.
 */
export class PlanJournal {
  readonly #options: PlanJournalOptions;
  readonly #book: Book;
  readonly #stored: Stored;
  readonly #patience: Patience;
  readonly #loop: WriteLoop;
  readonly #stop = new AbortController();
  /** Events up to this one were there before this process. */
  readonly #restored: number;
  /** Events up to this one have been handed over. */
  #delivered: number;
  #waiters: (() => void)[] = [];
  /** Ends the patience of what is settled and not written. */
  #cancelPatience: (() => void) | undefined;
  /** There is no room for what was derived last: it waits for something to be settled. */
  #full = false;

  /** `observed`: what is known of the plan where no journal says it. */
  constructor(options: PlanJournalOptions, found: Found | undefined, observed: Observed) {
    const { clock, troubled } = options;
    this.#options = options;
    this.#stored = new Stored(options, found);
    this.#patience = new Patience(clock, troubled);
    this.#loop = new WriteLoop(clock, (hurry) => this.#inTurn(hurry));
    this.#book = found?.book ?? new Book(observed);
    this.#restored = this.#stored.observed?.seq ?? 0;
    this.#delivered = this.#book.entries.size > 0 ? 0 : this.#restored;
  }

  /** What was observed last, be it kept or not: derive from this. */
  get observed(): Observed {
    return this.#book.observed;
  }

  get name(): string {
    return this.#stored.name;
  }

  get pending(): number {
    return this.#book.pending;
  }

  /** Whether something waits for room. */
  get full(): boolean {
    return this.#full;
  }

  /** What an earlier process left is sent once our own term stands there. */
  begin(): void {
    if (this.#book.entries.size > 0) this.#loop.want(0);
  }

  /**
   * What was derived, at `now` (milliseconds since the epoch). Delivered as soon as it is kept. Without room it is not taken:
   * `observed` stays where it was, and `rebase` asks for it when there is room again.
   */
  accept(observed: Observed, events: readonly Routed[], now: number): void {
    this.#full ||= isCrowded(this.#book, events, this.#options.hasRoom);
    if (this.#full) return;
    const before = this.#book.observed;
    this.#book.observed = observed;
    // Labels and the like: not worth a write.
    if (events.length === 0 && this.#stored.observed !== undefined && isSameButVersion(before, observed))
      return;
    let waits = false;
    for (const { event, to } of events) {
      if (to.length === 0) continue;
      this.#book.add(event, now, to, this.#options.clock.monotonic());
      waits = true;
    }
    if (this.#patience.isOver) this.#deliver(observed.seq);
    this.#loop.want(waits ? 0 : LAZY_MS);
  }

  /** A delivery has ended; written within `withinMs`. */
  settled(event: LifecycleEvent, to: StreamName, outcome: Outcome, withinMs: number): void {
    if (!this.#book.settle(event, streamKey(to))) return;
    this.#book.tell(outcome);
    this.#loop.want(withinMs);
    this.#cancelPatience ??= this.#options.clock.after(SETTLE_PATIENCE_MS, () => {
      this.#loop.want(0);
    });
    this.retry();
  }

  /** There may be room now for what waits for it. */
  retry(): void {
    if (!this.#full) return;
    this.#full = false;
    this.#options.rebase(this.#book.observed);
  }

  /** Whether something was accepted that is neither kept nor handed over. */
  get isHeld(): boolean {
    const known = Math.max(this.#delivered, this.#stored.upTo);
    return [...this.#book.entries.keys()].some((seq) => seq > known);
  }

  /** Whether a delivery stands in what was written last. */
  keeps(event: LifecycleEvent, stream: string): boolean {
    return event.seq <= this.#stored.upTo && this.#book.entries.get(event.seq)?.waits.has(stream) === true;
  }

  /** What waits and does not stand in what was written last: it ends with the process. */
  unkept(): { readonly entry: Entry; readonly to: StreamName }[] {
    return [...this.#book.entries.values()]
      .filter(({ event }) => event.seq > this.#stored.upTo)
      .flatMap((entry) => [...entry.waits.values()].map((to) => ({ entry, to })));
  }

  root(key: string): RootRecord | undefined {
    return this.#book.roots.get(key);
  }

  /** Roots that stand, and do not show what they should. */
  staleRoots(): readonly string[] {
    return [...this.#book.roots]
      .filter(([, { place, sent, wanted }]) => place !== undefined && sent !== digestOf(wanted))
      .map(([key]) => key);
  }

  /** Resolves when the root is kept, or cannot be. */
  saveRoot(key: string, record: RootRecord): Promise<void> {
    this.#book.keepRoot(key, record);
    if (this.#stop.signal.aborted) return Promise.resolve();
    this.#loop.want(0);
    if (this.#patience.isOver) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Writes what is not written yet; resolves when that is done, or has failed once. */
  flush(): Promise<void> {
    return this.#loop.flush();
  }

  /** Somebody has deleted it. It is made anew, but not at once: its plan may be gone as well. */
  vanished(): void {
    this.#loop.want(LAZY_MS);
  }

  /** The plan is gone, and this with it: what was accepted is finished from memory, be it kept or not. */
  gone(): void {
    this.close();
    this.#deliver(this.#book.observed.seq);
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
    if (after === 'done' || this.#patience.isOver)
      for (const resolve of this.#waiters.splice(0, draft.waiters)) resolve();
    return after;
  }

  /** The present state as a journal; undefined: there is no room for it. */
  async #draft(): Promise<Draft | undefined> {
    const book = this.#book;
    const { observed, pending } = book;
    const waiters = this.#waiters.length;
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
    const text = await fit(contentOf(book));
    // What was settled while it was packed has made room.
    if (text === undefined) return book.pending < pending || this.#makeRoom() ? this.#draft() : undefined;
    return { journal: this.#stored.next(text, pending), observed, waiters };
  }

  async #after(draft: Draft, written: Written): Promise<AfterWrite> {
    switch (written.kind) {
      case 'written':
        return this.#committed(draft, written.resourceVersion);
      case 'refused':
        return this.#waited(this.#patience.refused(troubleOf(written)));
      case 'failed':
        return this.#waited(this.#patience.failed(troubleOf(written)));
      case 'there':
        return this.#compare(draft, written);
    }
  }

  async #compare(
    draft: Draft,
    { journal: there, fault }: Extract<Written, { kind: 'there' }>,
  ): Promise<AfterWrite> {
    if (there === undefined) {
      // Somebody deleted it: it is made anew from what we know.
      this.#stored.isGone();
      return 'again';
    }
    const verdict = this.#stored.judge(there, draft.journal);
    if (verdict === 'fenced') {
      this.close();
      this.#options.fenced(`${there.namespace}/${there.name}`);
      return 'done';
    }
    if (verdict === 'committed') return this.#committed(draft, there.resourceVersion);
    this.#stored.is(there);
    if (verdict === 'adopt') await this.#adopt(there);
    // Who reads well and writes badly would be asked as fast as it answers.
    return fault === undefined ? 'again' : this.#waited(this.#patience.failed(fault));
  }

  #committed({ journal, observed }: Draft, resourceVersion: string): AfterWrite {
    this.#stored.holds(journal, observed, resourceVersion);
    this.#patience.succeeded();
    this.#deliver(observed.seq);
    return 'done';
  }

  /** A write came to nothing; the next one is due after so long. */
  #waited(ms: number): AfterWrite {
    if (this.#patience.isOver) this.#deliverLoose();
    return ms;
  }

  /** Nothing can be kept: what is accepted is delivered from memory. */
  #deliverLoose(): void {
    this.#deliver(this.#book.observed.seq);
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /**
   * Another process with no higher term wrote in between (a leader that did not know yet that it was none). What it kept is kept;
   * what we derived and have not delivered is derived again from there, and gets the same ids.
   */
  async #adopt(there: Journal): Promise<void> {
    const theirs = await readBook(there, this.#options.subject);
    if (theirs === undefined) return;
    const { entries, roots } = this.#book;
    for (const seq of entries.keys()) if (seq > this.#delivered) entries.delete(seq);
    for (const [seq, entry] of theirs.entries) if (seq > this.#delivered) entries.set(seq, entry);
    for (const [key, root] of theirs.roots) if (roots.get(key)?.place === undefined) roots.set(key, root);
    this.#book.observed = theirs.observed;
    this.#options.rebase(theirs.observed);
  }

  /**
   * Threads of earlier runs go, else progress and phase changes; else what was not kept yet waits until something is settled. False:
   * there is nothing of all that.
   */
  #makeRoom(): boolean {
    if (this.#book.thinRoots()) return true;
    const before = this.#book.pending;
    for (const entry of [...this.#book.entries.values()])
      if (isExpendable(entry.event))
        for (const to of [...entry.waits.values()])
          this.#options.discard(entry, to, entry.event.seq <= this.#delivered);
    if (this.#book.pending < before) return true;
    const waits = [...this.#book.entries.keys()].some((seq) => seq <= this.#delivered);
    const kept = this.#stored.observed;
    if (kept === undefined || !waits || this.#delivered >= this.#book.observed.seq) {
      this.#patience.end(TOO_LARGE);
      this.#deliverLoose();
      return false;
    }
    for (const seq of this.#book.entries.keys()) if (seq > this.#delivered) this.#book.entries.delete(seq);
    this.#book.observed = kept;
    this.#full = true;
    return true;
  }

  #deliver(upTo: number): void {
    const from = this.#delivered;
    this.#delivered = Math.max(from, upTo);
    for (const entry of [...this.#book.entries.values()]) {
      const { seq } = entry.event;
      if (seq <= from || seq > upTo) continue;
      for (const to of [...entry.waits.values()]) this.#options.deliver(entry, to, seq <= this.#restored);
    }
  }
}

const troubleOf = ({ reason, message }: Trouble): Trouble => ({ reason, message });
