import type { Logger } from 'pino';
import { sleep, type Clock } from '../clock.ts';
import { TokenBucket } from '../cluster/bucket.ts';
import type { Written } from '../cluster/journals.ts';
import type { LivePlan, Settlement, Submission } from '../dispatch/delivery.ts';
import { Slots } from '../dispatch/slots.ts';
import type { Observed } from '../lifecycle/observed.ts';
import { JOURNAL_VERSION, type Journal, type Writer } from '../resources/journal.ts';
import { qualifiedName, type Metadata } from '../resources/metadata.ts';
import type { Plan } from '../resources/plan.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import { partsOfRootKey } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord, RootStore } from '../sinks/teamchat/thread/store.ts';
import type { Entry, StreamName } from './book.ts';
import type { Trouble } from './patience.ts';
import { PlanJournal, type Routed } from './plan-journal.ts';
import { readBook, type Found } from './stored.ts';
import { Troubles } from './troubles.ts';

export interface JournalsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly instance: string;
  readonly writer: Writer;
  readonly write: (journal: Journal, signal: AbortSignal) => Promise<Written>;
  /** Writes a second for which nobody waits: what is settled, and plans that get a journal. */
  readonly lazyPerSecond: number;
  readonly submit: (submission: Submission) => void;
  /** Whether there is room for more that is never dropped. */
  readonly hasRoom: () => boolean;
  /** There is no room for it: it is dropped, if it has not been tried yet. `delivered`: it was submitted before. */
  readonly discard: (submission: Submission, delivered: boolean) => void;
  /** What was derived of a plan since then is not kept: derive again from this. */
  readonly rebase: (planUid: string, observed: Observed) => void;
  /** The card of a thread does not show what it should, by its key. */
  readonly stale: (plan: LivePlan, root: string) => void;
  /** Whether what is accepted in a namespace is kept; why it is not, for a condition. */
  readonly durable: (namespace: string, trouble: Trouble | undefined) => void;
  /** A plan that a newer version of hnotif kept is ours to serve. */
  readonly released: (plan: Pick<Plan, 'namespace' | 'name'>) => void;
  /** Another process has taken over, as this journal says. */
  readonly fenced: (journal: string) => void;
}

/** What is known of a plan that has come into sight. */
export type Remembered =
  /** Nothing: it begins from a baseline. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'found'; readonly observed: Observed }
  /** A newer version of hnotif keeps it: it is left alone. */
  | { readonly kind: 'newer' };

/**
 * Journals that are written at the same time. At 20:00 a thousand plans begin at once: no limiter of requests holds what
 * deliveries wait for, but not all of it goes together.
 */
const WRITES = 32;
/** Writes for which nobody waits that may come at once after a quiet time. */
const LAZY_BURST = 20;
/** Between two tries to keep what was accepted before a stop (milliseconds). */
const AGAIN_MS = 500;
/** A settled delivery is written within so long (milliseconds): what a kill makes a webhook get twice. */
const SETTLE_MS = 500;

interface Kept {
  readonly live: LivePlan;
  readonly journal: PlanJournal;
}

/** The journals of all plans: what was accepted is kept, then delivered, until it is settled. */
export class Journals implements RootStore {
  readonly #options: JournalsOptions;
  readonly #slots = new Slots(WRITES);
  readonly #lazy: TokenBucket;
  /** By plan uid: as found at the start, until their plan comes into sight. */
  readonly #found = new Map<string, Found>();
  readonly #kept = new Map<string, Kept>();
  /** Plan uids by the journal's name. */
  readonly #uids = new Map<string, string>();
  /** Those that wait for room which others take. */
  readonly #held = new Set<PlanJournal>();
  readonly #troubles: Troubles;
  #restored = 0;

  constructor(options: JournalsOptions) {
    this.#options = options;
    this.#troubles = new Troubles({ log: options.log, tell: options.durable });
    this.#lazy = new TokenBucket(options.clock, options.lazyPerSecond, LAZY_BURST);
  }

  /** How many journals are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** How many plans are not kept, or not served, by reason. */
  get undurable(): ReadonlyMap<string, number> {
    return this.#troubles.plans;
  }

  /** Deliveries that waited in them when they were found, of plans that have come into sight. */
  get restored(): number {
    return this.#restored;
  }

  /** Deliveries that wait in them. */
  get pending(): number {
    let pending = 0;
    for (const { journal } of this.#kept.values()) pending += journal.pending;
    return pending;
  }

  /** One of those that stood there when the process began. False: it cannot be read. */
  async found(journal: Journal): Promise<boolean> {
    const { instance, log } = this.#options;
    if (journal.instance !== instance) return true;
    const { namespace, plan } = journal;
    const subject = { namespace, name: plan.name, uid: plan.uid };
    const book = journal.version > JOURNAL_VERSION ? undefined : await readBook(journal, subject);
    const isLost = book === undefined && journal.version <= JOURNAL_VERSION;
    if (isLost)
      log.error(
        { plan: `${namespace}/${plan.name}`, journal: journal.name, deliveries: journal.pending },
        'the journal cannot be read and is begun anew: what waited in it is lost',
      );
    this.#found.set(plan.uid, { journal, book });
    this.#uids.set(qualifiedName(journal), plan.uid);
    return !isLost;
  }

  /** A plan has come into sight. */
  remembered(plan: Plan): Remembered {
    const found = this.#found.get(plan.uid);
    if (found !== undefined && found.journal.version > JOURNAL_VERSION) {
      this.#troubles.unserved(plan, found.journal);
      return { kind: 'newer' };
    }
    if (found?.book === undefined) return { kind: 'nothing' };
    return { kind: 'found', observed: found.book.observed };
  }

  /** From now on this process keeps the plan's journal, where it has one. */
  begin(live: LivePlan): void {
    const book = this.#found.get(live.current.uid)?.book;
    if (book === undefined) return;
    const journal = this.#open(live, book.observed);
    this.#restored += journal.pending;
    journal.begin();
    for (const root of journal.staleRoots()) this.#options.stale(live, root);
  }

  /**
   * What was derived of a plan; returns from where to derive next. A plan that nobody ever subscribed to has no journal.
   */
  accept(live: LivePlan, observed: Observed, events: readonly Routed[], isMatched: boolean): Observed {
    const kept = this.#kept.get(live.current.uid);
    if (kept === undefined && !isMatched) return observed;
    const journal = kept?.journal ?? this.#open(live, observed);
    journal.accept(observed, events, this.#options.clock.now());
    if (journal.full && !this.#options.hasRoom()) this.#held.add(journal);
    return journal.observed;
  }

  /** Whether a delivery stands in a journal, from which the next process takes it. */
  keeps({ event, to }: Submission): boolean {
    const journal = this.#kept.get(event.planUid)?.journal;
    return journal?.keeps(event, `${to.notification}/${to.sink}`) === true;
  }

  /** What waits and stands in no journal: it ends with the process. */
  unkept(): readonly Submission[] {
    return [...this.#kept.values()].flatMap(({ live, journal }) =>
      journal.unkept().map(({ entry, to }) => submissionOf(live, entry, to, false)),
    );
  }

  /** Whether a plan has a journal. */
  has(planUid: string): boolean {
    return this.#kept.has(planUid);
  }

  /** Resolves when what was accepted of a plan is kept and handed over, or could not be. */
  async written(planUid: string): Promise<void> {
    await this.#kept.get(planUid)?.journal.flush();
  }

  /** A delivery has ended. */
  settled({ to, sinkType, event, result, reason }: Settlement): void {
    const { clock } = this.#options;
    const stream = { notification: to.notification, sink: to.sink, type: sinkType };
    const outcome = {
      at: new Date(clock.now()).toISOString(),
      ...{ seq: event.seq, event: event.kind, stream: `${to.notification}/${to.sink}`, result, reason },
    };
    // In a chat a message that comes twice is seen.
    const within = sinkType === 'webhook' ? SETTLE_MS : 0;
    this.#kept.get(event.planUid)?.journal.settled(event, stream, outcome, within);
    this.#release();
  }

  /** Some of those that wait for room get it: so many that another one ends, which releases the next. */
  #release(): void {
    for (const journal of this.#held) {
      if (!this.#options.hasRoom()) return;
      this.#held.delete(journal);
      journal.retry();
      if (journal.pending > 0) return;
    }
  }

  /** A plan is gone, and its journal with it: what waits is finished from memory. */
  deleted(plan: Plan): void {
    const kept = this.#kept.get(plan.uid);
    const journal = kept?.journal ?? this.#found.get(plan.uid)?.journal;
    this.#kept.delete(plan.uid);
    this.#found.delete(plan.uid);
    if (journal !== undefined) this.#uids.delete(qualifiedName({ ...plan, name: journal.name }));
    kept?.journal.gone();
    if (kept !== undefined) this.#held.delete(kept.journal);
    this.#troubles.gone(plan);
  }

  /** A journal was deleted, by whomever: what it said is known here, or it was not ours. */
  vanished(journal: Pick<Metadata, 'namespace' | 'name'>): void {
    const uid = this.#uids.get(qualifiedName(journal));
    if (uid === undefined) return;
    this.#kept.get(uid)?.journal.vanished();
    const found = this.#found.get(uid)?.journal;
    if (found === undefined || found.version <= JOURNAL_VERSION) return;
    this.#found.delete(uid);
    this.#uids.delete(qualifiedName(journal));
    const plan = { namespace: found.namespace, ...found.plan };
    this.#troubles.gone(plan);
    this.#options.released(plan);
  }

  load(key: string): RootRecord | undefined {
    return this.#journalOfRoot(key)?.root(key);
  }

  save(key: string, record: RootRecord): void | Promise<void> {
    return this.#journalOfRoot(key)?.saveRoot(key, record);
  }

  /** Tries to keep, and so to hand over, all that was accepted: again and again, until that is done or `enough` aborts. */
  async keep(enough: AbortSignal): Promise<void> {
    const over = new Promise<void>((resolve) => {
      enough.addEventListener('abort', () => {
        resolve();
      });
    });
    while (!enough.aborted) {
      const held = [...this.#kept.values()].filter(({ journal }) => journal.isHeld);
      if (held.length === 0) return;
      await Promise.race([Promise.all(held.map(({ journal }) => journal.flush())), over]);
      if (held.some(({ journal }) => journal.isHeld)) await sleep(this.#options.clock, AGAIN_MS, enough);
    }
  }

  /** Writes what is not written yet; resolves when all of it is, or has failed once. */
  async flush(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ journal }) => journal.flush()));
  }

  /** Ends every timer and write. */
  close(): void {
    for (const { journal } of this.#kept.values()) journal.close();
    this.#slots.close();
  }

  #journalOfRoot(key: string): PlanJournal | undefined {
    return this.#kept.get(partsOfRootKey(key).planUid)?.journal;
  }

  #open(live: LivePlan, observed: Observed): PlanJournal {
    const { clock, discard, fenced, hasRoom, instance, rebase, submit, writer } = this.#options;
    const { namespace, name, uid } = live.current;
    const journal = new PlanJournal(
      {
        ...{ clock, instance, writer, fenced, hasRoom },
        subject: { namespace, name, uid },
        turn: (hurry) => this.#turn(hurry),
        write: this.#options.write,
        deliver: (entry, to, restored) => {
          submit(submissionOf(live, entry, to, restored));
        },
        discard: (entry, to, delivered) => {
          discard(submissionOf(live, entry, to, false), delivered);
        },
        rebase: (observed) => {
          rebase(uid, observed);
        },
        troubled: (trouble) => {
          this.#troubles.unwritten(live.current, trouble);
        },
      },
      this.#found.get(uid),
      observed,
    );
    this.#kept.set(uid, { live, journal });
    this.#uids.set(qualifiedName({ namespace, name: journal.name }), uid);
    this.#found.delete(uid);
    return journal;
  }

  async #turn(hurry: AbortSignal | undefined): Promise<(() => void) | undefined> {
    if (hurry !== undefined) await this.#lazy.take(hurry);
    if (!(await this.#slots.acquire(''))) return undefined;
    return () => {
      this.#slots.release('');
    };
  }
}

function submissionOf(
  live: LivePlan,
  { event, acceptedAt, since }: Entry,
  { notification, sink, type }: StreamName,
  restored: boolean,
): Submission {
  const to: SinkAddress = { namespace: event.namespace, notification, sink };
  return {
    to,
    sinkType: type,
    event,
    plan: live,
    ...{ acceptedAt, since },
    unclearSince: restored ? acceptedAt : undefined,
  };
}
