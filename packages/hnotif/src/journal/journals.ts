import type { Logger } from 'pino';
import { sleep } from '@hnotif/core/clock';
import type { LivePlan, Settlement } from '../dispatch/delivery.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { streamKey, type LogEntry, type Routed } from '../dispatch/log-entry.ts';
import { TokenBucket, WorkQueue } from '@hnotif/core/fair';
import type { Observed, Subject } from '@hnotif/core/lifecycle';
import {
  partitionOf,
  partitionOfName,
  JOURNAL_VERSION,
  dedicatedJournalName,
  ownershipProblem,
  sharedJournalName,
  type Journal,
  type Writer,
  qualifiedName,
  type Metadata,
  isInScope,
  type NamespaceScope,
  type Plan,
  type SinkAddress,
} from '@hnotif/core/resources';
import { type MemoryKey, type SavePriority, type SinkMemory, SINKS } from '@hnotif/core/sinks';
import { JournalConditions } from './conditions.ts';
import type { WriteProblem } from './durability.ts';
import { JournalObject, type JournalObjectOptions } from './journal-object.ts';
import { readEntry, type StoredPlan, type StoredValue } from './entry.ts';
import { merged } from './merge.ts';
import { WritePacer } from './write-pacer.ts';
import { placeFound } from './place.ts';
import { partitionsAtStart, partitionsFor } from './placement.ts';
import { readPlan } from './plan-text.ts';
import { PlanJournal, SETTLE_MS, type PlanJournalOptions } from './plan-journal.ts';
import { lineAbout, parseOutcomeLine, type OutcomeLine } from './outcome-line.ts';

export interface JournalsOptions
  extends
    Pick<JournalObjectOptions, 'write' | 'remove' | 'rest' | 'fenced' | 'mayGiveUp'>,
    Pick<PlanJournalOptions, 'clock' | 'ageOf' | 'nightsKeptMs'> {
  /** The wall clock for the acceptance times of events. All processes share it. Default: the machine's clock. */
  readonly now?: () => number;
  readonly log: Logger;
  readonly instance: string;
  readonly writer: Writer;
  /** Writes per second that are not urgent: outcomes, and new journals. */
  readonly lazyPerSecond: number;
  readonly listener: JournalListener;
  /** Whether a sink still works on the message of a value that it stored. Default: never. */
  readonly isOpen?: (at: MemoryKey, value: unknown) => boolean;
}

/** What the journals report to other parts of the service. */
export interface JournalListener {
  /** Events were accepted, now or (`restored`) by an earlier process. */
  appended(live: LivePlan, events: readonly Routed[], restored: boolean): void;
  /** These events are stored, or cannot be stored, and will be sent. They were accepted by this process. There is at least one. */
  released(entries: readonly LogEntry[]): void;
  /** Another process has stored a different state. The events of this plan must be derived again from `observed`. */
  rebase(planUid: string, observed: Observed): void;
  /** A value that a sink saved in an earlier process. */
  memoryFound(live: LivePlan, at: MemoryKey, value: unknown): void;
  /** Deliveries ended in an earlier process, which may have been killed before it reported them. */
  endingFound(to: SinkAddress, ending: OutcomeLine): void;
  /** Why accepted events of a namespace are not stored; undefined: they are stored. */
  durabilityChanged(namespace: string, trouble: WriteProblem | undefined): void;
  /** The entry of a plan cannot be read. `message` is for the owner of the plan. */
  journalUnreadable(plan: Plan, message: string): void;
  /** The journal of a newer hnotif is gone, so this process may serve the plan. */
  planReleased(plan: Pick<Plan, 'namespace' | 'name'>): void;
}

/** Holds the logs of events that wait. */
type LogStore = Pick<Dispatcher, 'open' | 'append' | 'release' | 'halveLongest'>;

/** The stored data of a plan that was seen for the first time. */
export type Recalled =
  /** There is none: the plan begins from a baseline. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'found';
      readonly observed: Observed;
      /** The plan was deleted, and its deliveries still wait: they belong to this plan. */
      readonly live?: ServedPlan['live'];
    }
  /** Its journal has the layout of another version of hnotif. The plan is not served. */
  | { readonly kind: 'newer' };

/**
 * Journal writes in flight. Namespaces share them; one alone gets half. At 20:00 a thousand plans may begin at once. These writes bypass the
 * client's rate limit, because deliveries wait for them.
 */
const WRITES = 64;
/** Non-urgent writes in flight, such as new journals. On a slow API server more of them would take all slots, and delay events. */
const LAZY_WRITES = 8;
/** Non-urgent writes that may run at once after a quiet time. */
const LAZY_BURST = 20;
/** The time between two tries to store events before a stop (milliseconds). */
const AGAIN_MS = 500;
/** For a chat, where people see a duplicate, instead of `SETTLE_MS`: about as long as a write takes, so that the writes of many plans join. */
const SETTLE_CHAT_MS = 10;

interface ServedPlan {
  readonly live: { current: Plan };
  readonly journal: PlanJournal;
}

/** A plan that was just seen for the first time, and its entry. */
interface FoundPlan {
  readonly uid: string;
  readonly stored: StoredPlan | undefined;
  /** The object with the newest entry that can be read. */
  readonly last: JournalObject | undefined;
  /** All objects with an entry of the plan. */
  readonly objects: readonly JournalObject[];
}

/** The journals of all plans: an event is stored, then delivered, and removed when it is settled. */
export class Journals implements SinkMemory {
  readonly #options: JournalsOptions;
  #dispatcher: LogStore | undefined;
  readonly #queue: WorkQueue<JournalObject>;
  readonly #pace: WritePacer;
  /** By namespace and name. */
  readonly #objects = new Map<string, JournalObject>();
  /** By namespace and plan uid: the objects with entries of plans that were not seen yet. */
  readonly #found = new Map<string, JournalObject[]>();
  /** By namespace. */
  readonly #partitions = new Map<string, number>();
  /** By namespace: the number of plans with an entry. */
  readonly #count = new Map<string, number>();
  readonly #plans = new Map<string, ServedPlan>();
  /** The name of the object to which a plan belongs, cached for a number of partitions: a name is made of hashes. */
  readonly #names = new WeakMap<
    PlanJournal,
    { readonly partitions: number | undefined; readonly object: string }
  >();
  /** By namespace and plan uid: plans that are not served, and the journals of a newer version that name them. */
  readonly #newer = new Map<
    string,
    { readonly journals: Set<string>; plan: Plan | undefined; version: number }
  >();
  /** Journals that another writer than hnotif has changed. */
  readonly #changedByOthers = new Set<string>();
  readonly #conditions: JournalConditions;
  #read: FoundPlan | undefined;
  #restored = 0;
  #formatted = { now: NaN, text: '' };

  constructor(options: JournalsOptions) {
    this.#options = options;
    const { listener, log } = options;
    this.#conditions = new JournalConditions({
      log,
      changed: (namespace, trouble) => {
        listener.durabilityChanged(namespace, trouble);
      },
    });
    const { clock, lazyPerSecond } = options;
    this.#queue = new WorkQueue({
      ...{ clock, workers: WRITES, isShared: true },
      lazy: { workers: LAZY_WRITES, bucket: new TokenBucket(clock, lazyPerSecond, LAZY_BURST) },
      ownerOf: ({ namespace }) => namespace,
      work: (object, isUrgent) => object.write(isUrgent),
    });
    this.#pace = new WritePacer(clock);
  }

  /** Events go to this dispatcher from now on. Call it before the first plan begins. */
  deliverTo(dispatcher: LogStore): void {
    this.#dispatcher = dispatcher;
  }

  /** The number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** How many plans are not stored or not served, by reason. */
  get undurable(): ReadonlyMap<string, number> {
    return this.#conditions.plans;
  }

  /** Deliveries that were found at the start, of plans that have been seen. */
  get restored(): number {
    return this.#restored;
  }

  /** Deliveries that wait. */
  get pending(): number {
    let pending = 0;
    for (const { journal } of this.#plans.values()) pending += journal.pending;
    return pending;
  }

  /** Takes a journal that existed at the start of the process. False: it is not ours, and is ignored. */
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
    if (version !== JOURNAL_VERSION) {
      for (const uid of plans.keys()) {
        const key = planKey({ namespace, uid });
        const newer = this.#newer.get(key) ?? { journals: new Set(), plan: undefined, version };
        newer.journals.add(name);
        this.#newer.set(key, newer);
      }
      return true;
    }
    const partition = partitionOfName(name, instance);
    const object = this.#makeObject(namespace, name, partition === undefined, journal);
    for (const uid of plans.keys()) {
      const key = planKey({ namespace, uid });
      this.#found.set(key, [...(this.#found.get(key) ?? []), object]);
    }
    this.#partitions.set(namespace, Math.max(this.#partitions.get(namespace) ?? 1, (partition ?? 0) + 1));
    return true;
  }

  /** All journals of a namespace (undefined: of all) that existed at the start have been found. */
  allFound(scope: NamespaceScope): void {
    const plans = new Map<string, number>();
    for (const key of this.#found.keys()) {
      const namespace = namespaceOf(key);
      plans.set(namespace, (plans.get(namespace) ?? 0) + 1);
    }
    for (const [namespace, partitions] of this.#partitions)
      if (isInScope(scope, namespace))
        this.#partitions.set(namespace, partitionsAtStart(plans.get(namespace) ?? 0, partitions));
  }

  /** All plans of a namespace (undefined: of all) that existed at the start have been seen. The other ones are deleted. */
  allSeen(scope: NamespaceScope): void {
    for (const [key, objects] of [...this.#found])
      if (isInScope(scope, namespaceOf(key))) this.#foundDeleted(key, objects);
    for (const object of this.#objects.values()) if (isInScope(scope, object.namespace)) object.tidy();
  }

  /** Continues with the deliveries of a plan that was deleted, maybe while no process ran. Its entry goes when nothing waits. */
  #foundDeleted(key: string, objects: readonly JournalObject[]): void {
    const uid = key.slice(key.indexOf('/') + 1);
    const namespace = namespaceOf(key);
    const entry = objects.map((object) => object.entry(uid)).find((each) => each !== undefined);
    const { plan, deletedAt } = readPlan(entry?.plan, { namespace, name: entry?.name ?? '', uid });
    if (entry !== undefined && this.recall(plan).kind === 'found') {
      this.begin({ current: plan });
      this.#plans.get(uid)?.journal.planDeleted(deletedAt ?? this.#now());
    }
    // It could not be read.
    if (!this.#plans.has(uid)) for (const object of objects) object.discard(uid);
    this.#found.delete(key);
  }

  /** A plan was seen for the first time, or again after it was deleted. */
  recall(plan: Plan): Recalled {
    const served = this.#plans.get(plan.uid);
    if (served !== undefined) return { kind: 'found', observed: served.journal.observed, live: served.live };
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
    // A plan that moved between objects may have an entry in both. The newest one comes first.
    const entries = objects
      .sort((a, b) => b.term - a.term || gen(b) - gen(a))
      .map((object) => ({ object, stored: readEntry(object.entry(uid), { namespace, name, uid }) }));
    const [newest, ...older] = entries.flatMap(({ object, stored }) => (stored ? { object, stored } : []));
    const stored =
      newest &&
      merged(
        newest.stored,
        older.map((each) => each.stored),
      );
    for (const entry of entries)
      if (entry.stored === undefined) this.#unreadable(plan, entry.object, newest?.object);
    this.#read = { uid, stored, last: newest?.object, objects };
    return stored === undefined ? { kind: 'nothing' } : { kind: 'found', observed: stored.observed };
  }

  /** `other`: the object with an entry that can be read. */
  #unreadable(plan: Plan, { name }: JournalObject, other: JournalObject | undefined): void {
    const message =
      `the entry of the plan in journal ${name} cannot be read: ` +
      (other === undefined
        ? 'the plan begins again, and the deliveries that waited are lost'
        : `the plan goes on from an older entry in journal ${other.name}`);
    this.#options.log.error({ plan: qualifiedName(plan), journal: name }, message);
    this.#options.listener.journalUnreadable(plan, message);
  }

  /** Takes over the entry of the plan, if it has one that can be read. */
  begin(live: ServedPlan['live']): void {
    const { uid, namespace } = live.current;
    this.#plans.get(uid)?.journal.planReturned();
    if (this.#read?.uid !== uid || this.#read.stored === undefined) return;
    const journal = this.#open(live, this.#read.stored.observed);
    this.#restored += journal.pending;
    this.#memoriesFound(live, journal);
    for (const line of [...journal.state.outcomes.lines].sort()) {
      const ending = parseOutcomeLine(line);
      const [notification = '', sink = ''] = ending?.stream.split('/') ?? [];
      if (ending !== undefined) this.#options.listener.endingFound({ namespace, notification, sink }, ending);
    }
  }

  /** Reports the values that sinks saved in another process. */
  #memoriesFound(live: LivePlan, { state, subject }: PlanJournal): void {
    for (const memory of state.memories())
      if (memory.restored) this.#options.listener.memoryFound(live, memoryKey(subject, memory), memory.value);
  }

  /** Takes the new state of a plan and its events. A plan that no notification ever matched has no journal. */
  accept(live: ServedPlan['live'], observed: Observed, events: readonly Routed[], isMatched: boolean): void {
    const served = this.#plans.get(live.current.uid);
    if (served === undefined && !isMatched) return;
    const journal = served?.journal ?? this.#open(live, observed);
    if (events.some(({ to }) => to.length > 0)) this.#pace.count(live.current.namespace);
    journal.accept(observed, events, this.#now());
  }

  /** Whether an event is stored in the journal of its plan, for the next process. */
  stores(planUid: string, entry: Pick<LogEntry, 'seq'>): boolean {
    return this.#plans.get(planUid)?.journal.stores(entry) === true;
  }

  /** The deliveries of a plan, as its journal has them; undefined: it has no journal. */
  deliveriesOf(planUid: string): Pick<PlanJournal, 'state' | 'waits'> | undefined {
    return this.#plans.get(planUid)?.journal;
  }

  /** Whether a plan has a journal. */
  has(planUid: string): boolean {
    return this.#plans.has(planUid);
  }

  /** Resolves when the events of a plan are stored and released, or could not be stored. */
  async written(planUid: string): Promise<void> {
    await this.#plans.get(planUid)?.journal.flush();
  }

  /** Deliveries of one stream have ended. */
  settled(settlement: Settlement): void {
    const { event, sinkType } = settlement;
    const within = SINKS[sinkType].dropsRepeats ? SETTLE_MS : SETTLE_CHAT_MS;
    this.#plans.get(event.planUid)?.journal.settled(lineAbout(settlement, this.#time()), within);
  }

  /** By the clock that all processes share. */
  #now(): number {
    const { clock, now = () => clock.now() } = this.#options;
    return now();
  }

  /** Now, as RFC 3339. Formatted once: in a burst, many deliveries end in the same millisecond. */
  #time(): string {
    const now = this.#options.clock.now();
    if (now !== this.#formatted.now) this.#formatted = { now, text: new Date(now).toISOString() };
    return this.#formatted.text;
  }

  /** A plan was deleted: its entry is removed when its deliveries have ended. */
  deleted(plan: Plan): void {
    if (this.#newer.delete(planKey(plan))) this.#conditions.gone(plan);
    const served = this.#plans.get(plan.uid);
    if (served === undefined) return;
    served.live.current = plan;
    served.journal.planDeleted(this.#now());
  }

  /** The entry of a deleted plan was removed. */
  #finished(subject: Subject): void {
    const { namespace, uid } = subject;
    this.#plans.delete(uid);
    this.#count.set(namespace, (this.#count.get(namespace) ?? 1) - 1);
    this.#conditions.gone(subject);
  }

  /** A journal was deleted. */
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

  /** Resolves when the outcomes of a plan are stored, or cannot be stored; undefined: they are stored. */
  outcomesPersisted(planUid: string): Promise<void> | undefined {
    return this.#plans.get(planUid)?.journal.persistOutcomes();
  }

  /** A journal has this version. */
  changed({
    namespace,
    name,
    resourceVersion,
  }: Pick<Metadata, 'namespace' | 'name' | 'resourceVersion'>): void {
    this.#objects.get(qualifiedName({ namespace, name }))?.changed(resourceVersion);
  }

  /** Logged once for each journal: another writer may change it again and again. */
  #overwritten(journal: string): void {
    if (this.#changedByOthers.has(journal)) return;
    this.#changedByOthers.add(journal);
    this.#options.log.warn(
      { journal },
      'something else has changed a journal: hnotif writes it again; leave the right to write journals to hnotif alone',
    );
  }

  load({ address, planUid, key }: MemoryKey): unknown {
    return this.#plans.get(planUid)?.journal.state.recall(streamKey(address), key)?.value;
  }

  save({ address, planUid, key }: MemoryKey, value: unknown, priority: SavePriority): void | Promise<void> {
    return this.#plans.get(planUid)?.journal.remember(streamKey(address), key, value, priority);
  }

  /** Stores and releases all accepted events. Tries again until that is done or `enough` aborts. */
  async storeAll(enough: AbortSignal): Promise<void> {
    const over = new Promise<void>((resolve) => {
      enough.addEventListener('abort', () => {
        resolve();
      });
    });
    while (!enough.aborted) {
      const held = [...this.#plans.values()].filter(({ journal }) => journal.hasUnstored);
      if (held.length === 0) return;
      await Promise.race([Promise.all(held.map(({ journal }) => journal.flush())), over]);
      if (held.some(({ journal }) => journal.hasUnstored)) await sleep(this.#options.clock, AGAIN_MS, enough);
    }
  }

  /** Writes everything that is not stored. Resolves when that is done, or has failed once. */
  async flush(): Promise<void> {
    await Promise.all([...this.#objects.values()].map((object) => object.flush()));
    // A plan may have moved to another object.
    await Promise.all([...this.#objects.values()].map((object) => object.flush()));
  }

  /** Ends every timer and write. */
  close(): void {
    for (const { journal } of this.#plans.values()) journal.close();
    for (const object of this.#objects.values()) object.close();
    void this.#queue.close();
  }

  #open(live: ServedPlan['live'], observed: Observed): PlanJournal {
    const { ageOf, clock, isOpen, listener, nightsKeptMs } = this.#options;
    const dispatcher = this.#dispatcher;
    if (dispatcher === undefined) throw new Error('a plan begins before the journals have a dispatcher');
    const { namespace, name, uid } = live.current;
    const read = this.#read?.uid === uid ? this.#read : undefined;
    this.#read = undefined;
    const journal: PlanJournal = new PlanJournal(
      {
        ...{ clock, ageOf, nightsKeptMs },
        subject: { namespace, name, uid },
        log: dispatcher.open(live),
        isOpen: (memory) => isOpen?.(memoryKey(live.current, memory), memory.value) === true,
        finished: () => {
          this.#finished({ namespace, name, uid });
        },
        append: (log, routed, by) => {
          listener.appended(live, routed, by.restored);
          dispatcher.append(log, routed, by);
        },
        release: (log, upTo) => {
          const entries = log.entries(log.releasedTo + 1, upTo).filter(({ restored }) => !restored);
          if (entries.length > 0) listener.released(entries);
          dispatcher.release(log, upTo);
        },
        halveLongest: (log) => dispatcher.halveLongest(log),
        rebase: (observed) => {
          listener.rebase(uid, observed);
          this.#memoriesFound(live, journal);
        },
      },
      read?.stored,
      observed,
    );
    this.#plans.set(uid, { live, journal });
    const plans = (this.#count.get(namespace) ?? 0) + 1;
    this.#count.set(namespace, plans);
    this.#partitions.set(namespace, partitionsFor(plans, this.#partitions.get(namespace)));
    const { objects = [], last } = read ?? {};
    journal.isLarge = last?.isDedicated === true;
    journal.begin(placeFound(objects, last ?? this.#placeOf(journal), last));
    return journal;
  }

  /** The object that should hold the entry of a plan. */
  #placeOf(plan: PlanJournal): JournalObject {
    const { isLarge, subject } = plan;
    const { namespace } = subject;
    const partitions = isLarge ? undefined : (this.#partitions.get(namespace) ?? 1);
    let name = this.#names.get(plan);
    if (name === undefined || name.partitions !== partitions)
      this.#names.set(plan, (name = { partitions, object: this.#nameOf(subject, partitions) }));
    const known = this.#objects.get(qualifiedName({ namespace, name: name.object }));
    return known ?? this.#makeObject(namespace, name.object, isLarge);
  }

  /** The name of an object. Without partitions: of the plan's dedicated object. */
  #nameOf({ name, uid }: Subject, partitions: number | undefined): string {
    const { instance } = this.#options;
    return partitions === undefined
      ? dedicatedJournalName(name, uid, instance)
      : sharedJournalName(partitionOf(uid, partitions), instance);
  }

  #makeObject(namespace: string, name: string, isLone: boolean, found?: Journal): JournalObject {
    const { clock, fenced, instance, log, mayGiveUp, remove, rest, write, writer } = this.#options;
    const object = new JournalObject(
      {
        ...{ clock, namespace, name, instance, writer, write, remove, rest, fenced, mayGiveUp },
        pace: this.#pace,
        queue: this.#queue,
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
        unremovable: (empty, { reason, message }) => {
          log.warn(
            { journal: qualifiedName(empty), reason, detail: message },
            'an empty journal cannot be deleted, and stays; it does no harm; grant delete on hibernatenotificationjournals, as deploy/kustomize does',
          );
        },
      },
      found,
      isLone,
    );
    this.#objects.set(qualifiedName(object), object);
    return object;
  }
}

function memoryKey(
  { namespace, uid }: Pick<Plan, 'namespace' | 'uid'>,
  { stream, key }: StoredValue,
): MemoryKey {
  const [notification = '', sink = ''] = stream.split('/');
  return { address: { namespace, notification, sink }, planUid: uid, key };
}

const planKey = ({ namespace, uid }: Pick<Plan, 'namespace' | 'uid'>): string => `${namespace}/${uid}`;

const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));
