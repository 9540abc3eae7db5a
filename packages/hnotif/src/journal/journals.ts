import type { Logger } from 'pino';
import { sleep } from '../clock.ts';
import { TokenBucket } from '../cluster/bucket.ts';
import type { LivePlan, Settlement } from '../dispatch/delivery.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { streamKey, type LogEntry, type Routed } from '../dispatch/log-entry.ts';
import { FairSemaphore } from '../fair/semaphore.ts';
import type { Subject } from '../lifecycle/event-json.ts';
import type { Observed } from '../lifecycle/observed.ts';
import {
  bucketOf,
  bucketOfName,
  JOURNAL_VERSION,
  loneJournalName,
  ownershipProblem,
  sharedJournalName,
  type Journal,
  type Writer,
} from '../resources/journal.ts';
import { qualifiedName, type Metadata } from '../resources/metadata.ts';
import type { Plan } from '../resources/plan.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { MemoryKey, SinkMemory } from '../sinks/memory.ts';
import { SINKS } from '../sinks/registry.ts';
import { JournalConditions } from './conditions.ts';
import type { Trouble } from './durability.ts';
import { JournalObject, type JournalObjectOptions } from './journal-object.ts';
import { readEntry, type Kept } from './kept.ts';
import { Pace } from './pace.ts';
import { bucketsAtStart, bucketsFor } from './placement.ts';
import { PlanJournal, type PlanJournalOptions } from './plan-journal.ts';
import { endingOf, type Ending } from './state.ts';

export interface JournalsOptions
  extends
    Pick<JournalObjectOptions, 'write' | 'remove' | 'rest' | 'fenced' | 'mayLose'>,
    Pick<PlanJournalOptions, 'clock' | 'ageOf'> {
  /** The wall clock that all processes share, by which the acceptance of events is dated. Default: that of the machine. */
  readonly now?: () => number;
  readonly log: Logger;
  readonly instance: string;
  readonly writer: Writer;
  /** Writes a second that are in no hurry: what is settled, and plans that get a journal. */
  readonly lazyPerSecond: number;
  readonly listener: JournalListener;
}

/** What the journals report to other parts of the service. */
export interface JournalListener {
  /** Events were accepted, now or (`restored`) by an earlier process. */
  appended(live: LivePlan, events: readonly Routed[], restored: boolean): void;
  /** Another process kept something else. The events of this plan must be derived again from `observed`. */
  rebase(planUid: string, observed: Observed): void;
  /** A value that a sink saved in an earlier process. */
  memoryFound(live: LivePlan, at: MemoryKey, value: unknown): void;
  /** Deliveries ended in an earlier process, which may have been killed before it reported them. */
  endingFound(to: SinkAddress, ending: Ending): void;
  /** Why accepted events of a namespace are not kept; undefined: they are. */
  durabilityChanged(namespace: string, trouble: Trouble | undefined): void;
  /** The entry of a plan cannot be read. `message` is for the owner of the plan. */
  journalUnreadable(plan: Plan, message: string): void;
  /** The journal of a newer hnotif is gone, so this process may serve the plan. */
  planReleased(plan: Pick<Plan, 'namespace' | 'name'>): void;
}

/** Holds the logs of events that wait. */
type LogStore = Pick<Dispatcher, 'open' | 'append' | 'release' | 'shed'>;

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
/** Writes in no hurry that may come at once after a quiet time. */
const LAZY_BURST = 20;
/** Between two tries to keep what was accepted before a stop (milliseconds). */
const AGAIN_MS = 500;
/** A settled delivery is written within so long (milliseconds): what a kill makes a webhook get twice… */
const SETTLE_MS = 500;
/** …and a chat, where a message that comes twice is seen: no longer than a write takes, so that those of many plans join. */
const SETTLE_CHAT_MS = 10;

interface KeptPlan {
  readonly live: LivePlan;
  readonly journal: PlanJournal;
}

/** A plan that has just come into sight, and what journals say of it. */
interface Read {
  readonly uid: string;
  readonly kept: Kept | undefined;
  /** Where that was read. */
  readonly from: JournalObject;
  /** Other objects with an entry of it. */
  readonly others: readonly JournalObject[];
}

/** The journals of all plans: what was accepted is kept, then delivered, until it is settled. */
export class Journals implements SinkMemory {
  readonly #options: JournalsOptions;
  #dispatcher: LogStore | undefined;
  readonly #slots = new FairSemaphore(WRITES);
  readonly #lazy: TokenBucket;
  readonly #pace: Pace;
  /** By namespace and name. */
  readonly #objects = new Map<string, JournalObject>();
  /** By namespace and plan uid: where entries were found of plans that have not come into sight. */
  readonly #found = new Map<string, JournalObject[]>();
  /** By namespace. */
  readonly #buckets = new Map<string, number>();
  /** By namespace: plans with an entry. */
  readonly #count = new Map<string, number>();
  readonly #plans = new Map<string, KeptPlan>();
  /** By namespace and plan uid: plans that are not served, and the journals of a newer version that name them. */
  /** The objects in which plans belonged when they were asked for last, by so many buckets: each name is made of hashes. */
  readonly #names = new WeakMap<
    PlanJournal,
    { readonly buckets: number | undefined; readonly object: string }
  >();
  readonly #newer = new Map<
    string,
    { readonly journals: Set<string>; plan: Plan | undefined; version: number }
  >();
  /** Journals that something else has changed. */
  readonly #changedByOthers = new Set<string>();
  readonly #conditions: JournalConditions;
  #read: Read | undefined;
  #restored = 0;

  constructor(options: JournalsOptions) {
    this.#options = options;
    const { listener, log } = options;
    this.#conditions = new JournalConditions({
      log,
      tell: (namespace, trouble) => {
        listener.durabilityChanged(namespace, trouble);
      },
    });
    this.#lazy = new TokenBucket(options.clock, options.lazyPerSecond, LAZY_BURST);
    this.#pace = new Pace(options.clock);
  }

  /** Events go to this dispatcher from now on. Call it before the first plan begins. */
  deliverTo(dispatcher: LogStore): void {
    this.#dispatcher = dispatcher;
  }

  /** How many objects there are. */
  get size(): number {
    return this.#objects.size;
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
    for (const { journal } of this.#plans.values()) pending += journal.pending;
    return pending;
  }

  /** One of those that stood there when the process began. False: it is not ours to read, and is left alone. */
  found(journal: Journal): boolean {
    const { instance, log } = this.#options;
    if (journal.instance !== instance) return true;
    const { namespace, name, plans, version } = journal;
    const problem = ownershipProblem(journal);
    if (problem !== undefined) {
      log.warn(
        { journal: qualifiedName(journal), problem },
        'journal ignored: hnotif has not made it; delete it, and with it the deliveries that wait there',
      );
      return false;
    }
    if (version > JOURNAL_VERSION) {
      for (const uid of plans.keys()) {
        const key = planKey({ namespace, uid });
        const newer = this.#newer.get(key) ?? { journals: new Set(), plan: undefined, version };
        newer.journals.add(name);
        this.#newer.set(key, newer);
      }
      return true;
    }
    const bucket = version === JOURNAL_VERSION ? bucketOfName(name, instance) : undefined;
    const isLone = version === JOURNAL_VERSION && bucket === undefined;
    const object = this.#makeObject(namespace, name, isLone, journal);
    for (const uid of plans.keys()) {
      const key = planKey({ namespace, uid });
      this.#found.set(key, [...(this.#found.get(key) ?? []), object]);
    }
    this.#buckets.set(namespace, Math.max(this.#buckets.get(namespace) ?? 1, (bucket ?? 0) + 1));
    return true;
  }

  /** All journals that stood there have been found. */
  allFound(): void {
    const plans = new Map<string, number>();
    for (const key of this.#found.keys()) {
      const namespace = namespaceOf(key);
      plans.set(namespace, (plans.get(namespace) ?? 0) + 1);
    }
    for (const [namespace, buckets] of this.#buckets)
      this.#buckets.set(namespace, bucketsAtStart(plans.get(namespace) ?? 0, buckets));
  }

  /** All plans that stood there have come into sight: entries of others are taken out. */
  allSeen(): void {
    for (const object of this.#objects.values())
      for (const uid of object.others) {
        const entry = object.entry(uid);
        const journal = qualifiedName(object);
        if (entry !== undefined && entry.waiting > 0)
          this.#options.log.warn(
            { plan: qualifiedName({ ...object, name: entry.name }), journal, deliveries: entry.waiting },
            'deliveries lost: they waited, and their plan was deleted while hnotif was not running',
          );
        object.discard(uid);
      }
    this.#found.clear();
    // An object without an entry is of no use.
    for (const object of this.#objects.values()) object.tidy();
  }

  /** A plan has come into sight. */
  remembered(plan: Plan): Remembered {
    const key = planKey(plan);
    const newer = this.#newer.get(key);
    if (newer !== undefined) {
      newer.plan = plan;
      const [name = ''] = newer.journals;
      this.#conditions.unserved(plan, { name, version: newer.version });
      return { kind: 'newer' };
    }
    const objects = this.#found.get(key);
    this.#found.delete(key);
    if (objects === undefined) return { kind: 'nothing' };
    const { namespace, name, uid } = plan;
    const gen = (object: JournalObject): number => object.entry(uid)?.gen ?? 0;
    // A plan that went to another object, or was about to, has an entry in both.
    const [from, ...others] = objects.sort((a, b) => b.term - a.term || gen(b) - gen(a));
    if (from === undefined) return { kind: 'nothing' };
    const entry = from.entry(uid);
    const kept = readEntry(entry, { namespace, name, uid });
    if (entry !== undefined && 'layout' in entry) this.#rolledBack(plan, others);
    this.#read = { uid, kept, from, others };
    if (kept !== undefined) return { kind: 'found', observed: kept.observed };
    const message = `what journal ${from.name} says of the plan cannot be read, and is begun anew: the deliveries that waited are lost`;
    this.#options.log.error({ plan: qualifiedName(plan), journal: from.name }, message);
    this.#options.listener.journalUnreadable(plan, message);
    return { kind: 'nothing' };
  }

  /** A plan goes on from a journal of an old layout. Where one of today's is older, an older hnotif has served the plan in between. */
  #rolledBack(plan: Plan, others: readonly JournalObject[]): void {
    for (const object of others) {
      const entry = object.entry(plan.uid);
      if (entry === undefined || 'layout' in entry || entry.waiting === 0) continue;
      this.#options.log.warn(
        { plan: qualifiedName(plan), journal: object.name, deliveries: entry.waiting },
        'deliveries lost: they waited when an older hnotif took over, which cannot read this journal',
      );
    }
  }

  /** From now on this process keeps the plan's journal, where it has one that can be read. */
  begin(live: LivePlan): void {
    const { uid, namespace } = live.current;
    if (this.#read?.uid !== uid || this.#read.kept === undefined) return;
    const journal = this.#open(live, this.#read.kept.observed);
    this.#restored += journal.pending;
    for (const { stream, key, value } of journal.state.memories()) {
      const [notification = '', sink = ''] = stream.split('/');
      this.#options.listener.memoryFound(
        live,
        { address: { namespace, notification, sink }, planUid: uid, key },
        value,
      );
    }
    for (const line of [...journal.state.outcomes.values()].sort()) {
      const ending = endingOf(line);
      const [notification = '', sink = ''] = ending?.stream.split('/') ?? [];
      if (ending !== undefined) this.#options.listener.endingFound({ namespace, notification, sink }, ending);
    }
  }

  /** What was derived of a plan. A plan that was never subscribed to has no journal. */
  accept(live: LivePlan, observed: Observed, events: readonly Routed[], isMatched: boolean): void {
    const kept = this.#plans.get(live.current.uid);
    if (kept === undefined && !isMatched) return;
    const journal = kept?.journal ?? this.#open(live, observed);
    const { clock, now = () => clock.now() } = this.#options;
    journal.accept(observed, events, now());
  }

  /** Whether an event of a plan stands in its journal, from which the next process takes it. */
  keeps(planUid: string, entry: Pick<LogEntry, 'seq'>): boolean {
    return this.#plans.get(planUid)?.journal.keeps(entry) === true;
  }

  /** Whether a plan has a journal. */
  has(planUid: string): boolean {
    return this.#plans.has(planUid);
  }

  /** Resolves when what was accepted of a plan is kept and handed over, or could not be. */
  async written(planUid: string): Promise<void> {
    await this.#plans.get(planUid)?.journal.flush();
  }

  /** Deliveries of one stream have ended. */
  settled({ to, sinkType, event, events, result, reason }: Settlement): void {
    const { clock } = this.#options;
    const ending = {
      at: new Date(clock.now()).toISOString(),
      ...{ seq: event.seq, event: event.kind, stream: streamKey(to), count: events.length, result, reason },
    };
    const { dropsRepeats } = SINKS[sinkType];
    const within = dropsRepeats ? SETTLE_MS : SETTLE_CHAT_MS;
    this.#plans.get(event.planUid)?.journal.settled(ending, within, !dropsRepeats);
  }

  /** A plan is gone, and what is kept of it with it: what waits is finished from memory. */
  deleted(plan: Plan): void {
    const { uid, namespace } = plan;
    const kept = this.#plans.get(uid);
    const key = planKey(plan);
    for (const object of this.#found.get(key) ?? []) object.discard(uid);
    this.#found.delete(key);
    this.#newer.delete(key);
    if (kept !== undefined) {
      this.#plans.delete(uid);
      this.#count.set(namespace, (this.#count.get(namespace) ?? 1) - 1);
      kept.journal.gone();
    }
    this.#conditions.gone(plan);
  }

  /** A journal was deleted, by whomever: what it said is known here, or it was not ours. */
  vanished({ namespace, name }: Pick<Metadata, 'namespace' | 'name'>): void {
    this.#objects.get(qualifiedName({ namespace, name }))?.vanished();
    for (const [key, { journals, plan }] of this.#newer) {
      if (namespaceOf(key) !== namespace || !journals.delete(name) || journals.size > 0) continue;
      this.#newer.delete(key);
      if (plan === undefined) continue;
      this.#conditions.gone(plan);
      this.#options.listener.planReleased(plan);
    }
  }

  /** Resolves when all that has ended of a plan is kept, or cannot be; undefined: it is. */
  endsKept(planUid: string): Promise<void> | undefined {
    return this.#plans.get(planUid)?.journal.keepEnds();
  }

  /** A journal stands in this version. */
  changed({
    namespace,
    name,
    resourceVersion,
  }: Pick<Metadata, 'namespace' | 'name' | 'resourceVersion'>): void {
    this.#objects.get(qualifiedName({ namespace, name }))?.changed(resourceVersion);
  }

  /** Said once of each: something may write it again and again. */
  #overwritten(journal: string): void {
    if (this.#changedByOthers.has(journal)) return;
    this.#changedByOthers.add(journal);
    this.#options.log.warn(
      { journal },
      'something else has changed a journal: hnotif writes it anew; leave the right to write journals to hnotif alone',
    );
  }

  load({ address, planUid, key }: MemoryKey): unknown {
    return this.#plans.get(planUid)?.journal.state.recall(streamKey(address), key)?.value;
  }

  save({ address, planUid, key }: MemoryKey, value: unknown): void | Promise<void> {
    return this.#plans.get(planUid)?.journal.remember(streamKey(address), key, value);
  }

  /** Tries to keep, and so to hand over, all that was accepted: again and again, until that is done or `enough` aborts. */
  async keep(enough: AbortSignal): Promise<void> {
    const over = new Promise<void>((resolve) => {
      enough.addEventListener('abort', () => {
        resolve();
      });
    });
    while (!enough.aborted) {
      const held = [...this.#plans.values()].filter(({ journal }) => journal.isHeld);
      if (held.length === 0) return;
      await Promise.race([Promise.all(held.map(({ journal }) => journal.flush())), over]);
      if (held.some(({ journal }) => journal.isHeld)) await sleep(this.#options.clock, AGAIN_MS, enough);
    }
  }

  /** Writes what is not written yet; resolves when all of it is, or has failed once. */
  async flush(): Promise<void> {
    await Promise.all([...this.#objects.values()].map((object) => object.flush()));
    // A plan may have gone to an object of its own.
    await Promise.all([...this.#objects.values()].map((object) => object.flush()));
  }

  /** Ends every timer and write. */
  close(): void {
    for (const { journal } of this.#plans.values()) journal.close();
    for (const object of this.#objects.values()) object.close();
    this.#slots.close();
  }

  #open(live: LivePlan, observed: Observed): PlanJournal {
    const { ageOf, clock, listener } = this.#options;
    const dispatcher = this.#dispatcher;
    if (dispatcher === undefined) throw new Error('a plan begins before the journals have a dispatcher');
    const { namespace, name, uid } = live.current;
    const read = this.#read?.uid === uid ? this.#read : undefined;
    this.#read = undefined;
    const journal: PlanJournal = new PlanJournal(
      {
        ...{ clock, ageOf },
        subject: { namespace, name, uid },
        log: dispatcher.open(live),
        append: (log, routed, by) => {
          listener.appended(live, routed, by.restored);
          dispatcher.append(log, routed, by);
        },
        release: (log, upTo) => {
          dispatcher.release(log, upTo);
        },
        shed: (log) => dispatcher.shed(log),
        rebase: (observed) => {
          listener.rebase(uid, observed);
        },
      },
      read?.kept,
      observed,
    );
    this.#plans.set(uid, { live, journal });
    const plans = (this.#count.get(namespace) ?? 0) + 1;
    this.#count.set(namespace, plans);
    this.#buckets.set(namespace, bucketsFor(plans, this.#buckets.get(namespace)));
    journal.isLarge = read?.kept !== undefined && read.from.isLone;
    const place = this.#placeOf(journal);
    const old = read === undefined ? [] : [read.from, ...read.others].filter((object) => object !== place);
    const isMoved = read?.kept !== undefined && read.from !== place;
    for (const object of old) object.leave(uid);
    place.join(journal);
    journal.stand(place, read?.kept !== undefined && !isMoved, old);
    return journal;
  }

  /** The object in which the entry of a plan should stand. */
  #placeOf(plan: PlanJournal): JournalObject {
    const { isLarge, subject } = plan;
    const { namespace } = subject;
    const buckets = isLarge ? undefined : (this.#buckets.get(namespace) ?? 1);
    let name = this.#names.get(plan);
    if (name === undefined || name.buckets !== buckets)
      this.#names.set(plan, (name = { buckets, object: this.#nameOf(subject, buckets) }));
    const known = this.#objects.get(qualifiedName({ namespace, name: name.object }));
    return known ?? this.#makeObject(namespace, name.object, isLarge);
  }

  /** The name of an object; without buckets that of the plan's own. */
  #nameOf({ name, uid }: Subject, buckets: number | undefined): string {
    const { instance } = this.#options;
    return buckets === undefined
      ? loneJournalName(name, uid, instance)
      : sharedJournalName(bucketOf(uid, buckets), instance);
  }

  #makeObject(namespace: string, name: string, isLone: boolean, found?: Journal): JournalObject {
    const { clock, fenced, instance, mayLose, remove, rest, write, writer } = this.#options;
    const object = new JournalObject(
      {
        ...{ clock, namespace, name, instance, writer, write, remove, rest, fenced, mayLose },
        pace: this.#pace,
        turn: (hurry) => this.#turn(namespace, hurry),
        placeOf: (plan) => this.#placeOf(plan),
        troubled: ({ subject }, trouble) => {
          this.#conditions.unwritten(subject, trouble);
        },
        overwritten: (changed) => {
          this.#overwritten(qualifiedName(changed));
        },
        emptied: (emptied) => {
          this.#objects.delete(qualifiedName(emptied));
        },
      },
      found,
      isLone,
    );
    this.#objects.set(qualifiedName(object), object);
    return object;
  }

  async #turn(namespace: string, hurry: AbortSignal | undefined): Promise<(() => void) | undefined> {
    if (hurry !== undefined) await this.#lazy.take(hurry, namespace);
    if (!(await this.#slots.acquire(namespace))) return undefined;
    return () => {
      this.#slots.release(namespace);
    };
  }
}

const planKey = ({ namespace, uid }: Pick<Plan, 'namespace' | 'uid'>): string => `${namespace}/${uid}`;

const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));
