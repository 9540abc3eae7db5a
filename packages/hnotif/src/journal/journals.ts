import type { Logger } from 'pino';
import { sleep, type Clock } from '../clock.ts';
import { TokenBucket } from '../cluster/bucket.ts';
import type { Written } from '../cluster/journals.ts';
import type { LivePlan, Settlement } from '../dispatch/delivery.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { streamKey, type LogEntry, type Routed } from '../dispatch/log-entry.ts';
import { FairSemaphore } from '../fair/semaphore.ts';
import type { Observed } from '../lifecycle/observed.ts';
import { JOURNAL_VERSION, ownershipProblem, type Journal, type Writer } from '../resources/journal.ts';
import { qualifiedName, type Metadata } from '../resources/metadata.ts';
import type { Plan } from '../resources/plan.ts';
import { partsOfRootKey } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord, RootStore } from '../sinks/teamchat/thread/store.ts';
import { JournalConditions } from './conditions.ts';
import type { Trouble } from './durability.ts';
import { PlanJournal, type PlanJournalOptions } from './plan-journal.ts';
import { readKept, type Found } from './stored.ts';

export interface JournalsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly instance: string;
  readonly writer: Writer;
  readonly write: (journal: Journal, signal: AbortSignal) => Promise<Written>;
  /** Writes a second for which nobody waits: what is settled, and plans that get a journal. */
  readonly lazyPerSecond: number;
  /** Holds the logs of what waits. */
  readonly dispatcher: Pick<Dispatcher, 'open' | 'append' | 'release' | 'shed'>;
  /** Events were accepted, now or by an earlier process. */
  readonly appended: (live: LivePlan, events: readonly Routed[], restored: boolean) => void;
  /** What was derived of a plan since then is not kept: derive again from this. */
  readonly rebase: (planUid: string, observed: Observed) => void;
  /** The card of a thread does not show what it should, by its key. */
  readonly stale: (plan: LivePlan, root: string) => void;
  /** Whether what is accepted in a namespace is kept; why it is not, for a condition. */
  readonly durable: (namespace: string, trouble: Trouble | undefined) => void;
  /** A journal cannot be read. */
  readonly unreadable: () => void;
  /** A plan that a newer version of hnotif kept is ours to serve. */
  readonly released: (plan: Pick<Plan, 'namespace' | 'name'>) => void;
  /** A journal names a writer of a higher term. Where the Lease has moved, the process ends by this. */
  readonly fenced: PlanJournalOptions['fenced'];
  readonly mayLose?: PlanJournalOptions['mayLose'];
}

/** What is known of a plan that was met. */
export type Remembered =
  /** Nothing: it begins from a baseline. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'found'; readonly observed: Observed }
  /** A newer version of hnotif keeps it: it is left alone. */
  | { readonly kind: 'newer' };

/**
 * Journals that are written at the same time; namespaces share them, and one alone has half. At 20:00 a thousand plans begin at once: no
 * limiter of requests holds what deliveries wait for, but not all of it goes together.
 */
const WRITES = 64;
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
  readonly #slots = new FairSemaphore(WRITES);
  readonly #lazy: TokenBucket;
  /** By namespace and plan uid: as found at the start, until their plan comes into sight. */
  readonly #found = new Map<string, Journal>();
  readonly #kept = new Map<string, Kept>();
  /** Plans by the journal's name. */
  readonly #plans = new Map<string, PlanName>();
  readonly #conditions: JournalConditions;
  /** That of the plan that has just come into sight, as read. */
  #read: { readonly uid: string; readonly found: Found } | undefined;
  #restored = 0;

  constructor(options: JournalsOptions) {
    this.#options = options;
    this.#conditions = new JournalConditions({ log: options.log, tell: options.durable });
    this.#lazy = new TokenBucket(options.clock, options.lazyPerSecond, LAZY_BURST);
  }

  /** How many journals are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** How many plans are not kept, or not served, by reason. */
  get undurable(): ReadonlyMap<string, number> {
    return this.#conditions.plans;
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

  /** One of those that stood there when the process began. False: it is not ours to read, and is left alone. */
  found(journal: Journal): boolean {
    const { instance, log } = this.#options;
    if (journal.instance !== instance) return true;
    const { namespace, plan } = journal;
    const problem = ownershipProblem(journal);
    if (problem !== undefined) {
      log.warn(
        { journal: qualifiedName(journal), plan: plan.name, problem, deliveries: journal.pending },
        'journal ignored: it does not belong to the plan that it names; delete it, and with it the deliveries that wait there',
      );
      return false;
    }
    this.#found.set(planKey({ namespace, ...plan }), journal);
    this.#plans.set(qualifiedName(journal), { namespace, ...plan });
    return true;
  }

  /** A plan has come into sight. */
  remembered(plan: Plan): Remembered {
    const journal = this.#foundOf(plan);
    if (journal === undefined) return { kind: 'nothing' };
    if (journal.version > JOURNAL_VERSION) {
      this.#conditions.unserved(plan, journal);
      return { kind: 'newer' };
    }
    const { namespace, name, uid } = plan;
    const kept = readKept(journal, { namespace, name, uid });
    this.#read = { uid, found: { journal, kept } };
    if (kept !== undefined) return { kind: 'found', observed: kept.observed };
    this.#options.unreadable();
    this.#options.log.error(
      { plan: qualifiedName(plan), journal: journal.name, deliveries: journal.pending },
      'the journal cannot be read and is begun anew: what waited in it is lost',
    );
    return { kind: 'nothing' };
  }

  /** From now on this process keeps the plan's journal, where it has one that can be read. */
  begin(live: LivePlan): void {
    const { uid } = live.current;
    if (this.#read?.uid !== uid || this.#read.found.kept === undefined) return;
    const journal = this.#open(live, this.#read.found.kept.observed);
    this.#restored += journal.pending;
    journal.begin();
    for (const root of journal.staleRoots()) this.#options.stale(live, root);
  }

  /** What was derived of a plan. A plan that was never subscribed to has no journal. */
  accept(live: LivePlan, observed: Observed, events: readonly Routed[], isMatched: boolean): void {
    const kept = this.#kept.get(live.current.uid);
    if (kept === undefined && !isMatched) return;
    const journal = kept?.journal ?? this.#open(live, observed);
    journal.accept(observed, events, this.#options.clock.now());
  }

  /** Whether an event of a plan stands in its journal, from which the next process takes it. */
  keeps(planUid: string, entry: Pick<LogEntry, 'seq'>): boolean {
    return this.#kept.get(planUid)?.journal.keeps(entry) === true;
  }

  /** Whether a plan has a journal. */
  has(planUid: string): boolean {
    return this.#kept.has(planUid);
  }

  /** Resolves when what was accepted of a plan is kept and handed over, or could not be. */
  async written(planUid: string): Promise<void> {
    await this.#kept.get(planUid)?.journal.flush();
  }

  /** Deliveries of one stream have ended. */
  settled({ to, sinkType, event, events, result, reason }: Settlement): void {
    const { clock } = this.#options;
    const ending = {
      at: new Date(clock.now()).toISOString(),
      ...{ seq: event.seq, event: event.kind, stream: streamKey(to), count: events.length, result, reason },
    };
    // In a chat a message that comes twice is seen.
    const within = sinkType === 'webhook' ? SETTLE_MS : 0;
    this.#kept.get(event.planUid)?.journal.settled(ending, within);
  }

  /** A plan is gone, and its journal with it: what waits is finished from memory. */
  deleted(plan: Plan): void {
    const kept = this.#kept.get(plan.uid);
    const name = kept?.journal.name ?? this.#foundOf(plan)?.name;
    this.#kept.delete(plan.uid);
    this.#found.delete(planKey(plan));
    if (name !== undefined) this.#plans.delete(qualifiedName({ ...plan, name }));
    kept?.journal.gone();
    this.#conditions.gone(plan);
  }

  /** A journal was deleted, by whomever: what it said is known here, or it was not ours. */
  vanished(journal: Pick<Metadata, 'namespace' | 'name'>): void {
    const plan = this.#plans.get(qualifiedName(journal));
    if (plan === undefined) return;
    this.#kept.get(plan.uid)?.journal.vanished();
    const found = this.#foundOf(plan);
    if (found === undefined || found.version <= JOURNAL_VERSION) return;
    this.#found.delete(planKey(plan));
    this.#plans.delete(qualifiedName(journal));
    this.#conditions.gone(plan);
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

  /** The journal that stood there for a plan: its own by namespace, name and uid. */
  #foundOf(plan: PlanName): Journal | undefined {
    const journal = this.#found.get(planKey(plan));
    return journal?.plan.name === plan.name ? journal : undefined;
  }

  #open(live: LivePlan, observed: Observed): PlanJournal {
    const { appended, clock, dispatcher, fenced, instance, mayLose, rebase, writer } = this.#options;
    const { namespace, name, uid } = live.current;
    const found = this.#read?.uid === uid ? this.#read.found : undefined;
    this.#read = undefined;
    const journal = new PlanJournal(
      {
        ...{ clock, instance, writer, fenced, mayLose },
        subject: { namespace, name, uid },
        log: dispatcher.open(live),
        turn: (hurry) => this.#turn(namespace, hurry),
        write: this.#options.write,
        append: (log, routed, by) => {
          appended(live, routed, by.restored);
          dispatcher.append(log, routed, by);
        },
        release: (log, upTo) => {
          dispatcher.release(log, upTo);
        },
        shed: (log) => dispatcher.shed(log),
        rebase: (observed) => {
          rebase(uid, observed);
        },
        troubled: (trouble) => {
          this.#conditions.unwritten(live.current, trouble);
        },
      },
      found,
      observed,
    );
    this.#kept.set(uid, { live, journal });
    this.#plans.set(qualifiedName({ namespace, name: journal.name }), { namespace, name, uid });
    this.#found.delete(planKey(live.current));
    return journal;
  }

  async #turn(namespace: string, hurry: AbortSignal | undefined): Promise<(() => void) | undefined> {
    if (hurry !== undefined) await this.#lazy.take(hurry, namespace);
    if (!(await this.#slots.acquire(namespace))) return undefined;
    return () => {
      this.#slots.release(namespace);
    };
  }
}

type PlanName = Pick<Plan, 'namespace' | 'name' | 'uid'>;

const planKey = ({ namespace, uid }: Pick<Plan, 'namespace' | 'uid'>): string => `${namespace}/${uid}`;
