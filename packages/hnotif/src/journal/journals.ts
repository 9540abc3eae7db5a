import { once } from 'node:events';
import { sleep } from '@hnotif/core/clock';
import { groupedBy } from '@hnotif/core/grouped-by';
import type { Settlement } from '../dispatch/delivery.ts';
import { streamKey, type Routed } from '../dispatch/log-entry.ts';
import { formatTime, type Observed, type Subject } from '@hnotif/core/lifecycle';
import {
  JOURNAL_VERSION,
  ownershipProblem,
  type Journal,
  qualifiedName,
  type Metadata,
  isInScope,
  type NamespaceScope,
  type Plan,
} from '@hnotif/core/resources';
import { type MemoryKey, type SavePriority, type SinkMemory, SINKS } from '@hnotif/core/sinks';
import { JournalConditions, namespaceOf, planKey } from './conditions.ts';
import type { WriteProblem } from './durability.ts';
import type { JournalObject } from './journal-object.ts';
import type { JournalListener } from './listener.ts';
import { readFound, type FoundPlan, type Recalled } from './merge.ts';
import { placeFound } from './place.ts';
import { Placement, type PlacementOptions } from './placement.ts';
import { readPlan } from './plan-text.ts';
import { PlanJournal } from './plan-journal.ts';
import type { PlanJournalOptions } from './plan-options.ts';
import { lineAbout, parseOutcomeLine } from './outcome-line.ts';
import { linesOf } from './outcomes.ts';
import { SETTLE, SETTLE_CHAT } from './write-schedule.ts';

export interface JournalsOptions
  extends Omit<PlacementOptions, 'conditions'>, Omit<PlanJournalOptions, 'listener' | 'finished'> {
  /** The wall clock for the acceptance times of events. All processes share it. Default: the machine's clock. */
  readonly now?: () => number;
  readonly listener: JournalListener;
}

/** The time between two tries to store events before a stop (milliseconds). */
const AGAIN_MS = 500;

/** The journals of all plans: an event is stored, then delivered, and removed when it is settled. */
export class Journals implements SinkMemory {
  readonly #options: JournalsOptions;
  readonly #ofPlans: PlanJournalOptions;
  readonly #placement: Placement;
  readonly #conditions: JournalConditions;
  /** By uid. */
  readonly #plans = new Map<string, PlanJournal>();
  /** By namespace and plan uid: plans that have not begun. `read`: the entries of a plan, read when the plan was seen. */
  readonly #found = new Map<string, { readonly objects: JournalObject[]; read?: FoundPlan<JournalObject> }>();
  #restored = 0;

  constructor(options: JournalsOptions) {
    this.#options = options;
    this.#conditions = new JournalConditions(options);
    this.#placement = new Placement({ ...options, conditions: this.#conditions });
    this.#ofPlans = {
      ...options,
      finished: (plan) => {
        this.#finished(plan);
      },
    };
  }

  /** The number of objects. */
  get size(): number {
    return this.#placement.size;
  }

  /** How many plans are not stored or not served, by reason. */
  get undurable(): ReadonlyMap<string, number> {
    return this.#conditions.plans;
  }

  /** Why accepted events of a namespace are not stored; undefined: they are stored. */
  problemIn(namespace: string): WriteProblem | undefined {
    return this.#conditions.problemIn(namespace);
  }

  /** Deliveries that were found at the start, of plans that have been seen. */
  get restored(): number {
    return this.#restored;
  }

  /** Deliveries that wait. */
  get pending(): number {
    return [...this.#plans.values()].reduce((sum, { state }) => sum + state.log.pending, 0);
  }

  /** Takes a journal that existed at the start of the process. False: it is not ours, and is ignored. */
  found(journal: Journal): boolean {
    const { instance, log } = this.#options;
    if (journal.instance !== instance) return true;
    const problem = ownershipProblem(journal);
    if (problem !== undefined) {
      log.warn(
        { journal: qualifiedName(journal), problem },
        'journal ignored: hnotif has not made it; delete it, and with it the deliveries that wait there',
      );
      return false;
    }
    if (journal.version !== JOURNAL_VERSION) {
      this.#conditions.foundNewer(journal);
      return true;
    }
    const { namespace, plans } = journal;
    const object = this.#placement.found(journal);
    for (const uid of plans.keys()) {
      const key = planKey({ namespace, uid });
      const found = this.#found.get(key) ?? { objects: [] };
      found.objects.push(object);
      this.#found.set(key, found);
    }
    return true;
  }

  /** All journals of a namespace (undefined: of all) that existed at the start have been found. */
  allFound(scope: NamespaceScope): void {
    this.#placement.allFound(scope, groupedBy([...this.#found.keys()], namespaceOf));
  }

  /**
   * All plans of a namespace (undefined: of all) that existed at the start have been seen. The other ones are deleted. The entry of a plan
   * that is not served stays.
   */
  allSeen(scope: NamespaceScope): void {
    for (const [key, { objects, read }] of [...this.#found])
      if (read === undefined && isInScope(scope, namespaceOf(key)) && !this.#conditions.hasNewer(key))
        this.#foundDeleted(key, objects);
    for (const object of this.#placement.objects) if (isInScope(scope, object.namespace)) object.tidy();
  }

  /** Continues with the deliveries of a plan that was deleted, maybe while no process ran. Its entry goes when nothing waits. */
  #foundDeleted(key: string, objects: readonly JournalObject[]): void {
    const uid = key.slice(key.indexOf('/') + 1);
    const namespace = namespaceOf(key);
    const entry = objects.map((object) => object.entry(uid)).find((each) => each !== undefined);
    const { plan, deletedAt } = readPlan(entry?.plan, { namespace, name: entry?.name ?? '', uid });
    if (entry !== undefined && this.recall(plan).kind === 'found') {
      this.begin({ current: plan });
      this.#plans.get(uid)?.planDeleted(deletedAt ?? this.#now());
    }
    // It could not be read.
    if (!this.#plans.has(uid)) for (const object of objects) object.discard(uid);
    this.#found.delete(key);
  }

  /** A plan was seen for the first time, or again after it was deleted. */
  recall(plan: Plan): Recalled {
    const served = this.#plans.get(plan.uid);
    if (served !== undefined) return { kind: 'found', observed: served.state.observed, live: served.live };
    if (this.#conditions.isUnserved(plan)) return { kind: 'newer' };
    const found = this.#found.get(planKey(plan));
    if (found === undefined || found.read !== undefined) return { kind: 'nothing' };
    const read = (found.read = readFound(plan, found.objects));
    for (const { name } of read.unreadable) this.#unreadable(plan, name, read.last);
    return read.stored === undefined
      ? { kind: 'nothing' }
      : { kind: 'found', observed: read.stored.observed };
  }

  /** The entry in this journal cannot be read. `other`: the object with one that can. */
  #unreadable(plan: Plan, journal: string, other: JournalObject | undefined): void {
    const message =
      `the entry of the plan in journal ${journal} cannot be read: ` +
      (other === undefined
        ? 'the plan begins again, and the deliveries that waited are lost'
        : `the plan goes on from an older entry in journal ${other.name}`);
    this.#options.log.error({ plan: qualifiedName(plan), journal }, message);
    this.#options.listener.journalUnreadable(plan, message);
  }

  /** Takes over the entry of the plan, if it has one that can be read. */
  begin(live: PlanJournal['live']): void {
    const { uid, namespace } = live.current;
    this.#plans.get(uid)?.planReturned();
    const stored = this.#found.get(planKey(live.current))?.read?.stored;
    if (stored === undefined) return;
    const journal = this.#open(live, stored.observed);
    const { log, outcomes } = journal.state;
    this.#restored += log.pending;
    journal.reportMemories();
    for (const line of [...linesOf(outcomes)].sort()) {
      const ending = parseOutcomeLine(line);
      const [notification = '', sink = ''] = ending?.stream.split('/') ?? [];
      if (ending !== undefined) this.#options.listener.endingFound({ namespace, notification, sink }, ending);
    }
  }

  /** Takes the new state of a plan and its events. A plan that no notification ever matched has no journal. */
  accept(live: PlanJournal['live'], observed: Observed, events: readonly Routed[], isMatched: boolean): void {
    const served = this.#plans.get(live.current.uid);
    if (served === undefined && !isMatched) return;
    const journal = served ?? this.#open(live, observed);
    if (events.some(({ to }) => to.length > 0)) this.#placement.pace.count(live.current.namespace);
    journal.accept(observed, events, this.#now());
  }

  /** The journal of a plan; undefined: it has none. */
  of(planUid: string): PlanJournal | undefined {
    return this.#plans.get(planUid);
  }

  /** Deliveries of one stream have ended. */
  settled(settlement: Settlement): void {
    const { event, sinkType } = settlement;
    const line = lineAbout(settlement, formatTime(this.#options.clock.now()));
    this.#plans.get(event.planUid)?.settled(line, SINKS[sinkType].dropsRepeats ? SETTLE : SETTLE_CHAT);
  }

  /** By the clock that all processes share. */
  #now(): number {
    const { clock, now = () => clock.now() } = this.#options;
    return now();
  }

  /** A plan was deleted: its entry is removed when its deliveries have ended. */
  deleted(plan: Plan): void {
    this.#conditions.deleted(plan);
    const served = this.#plans.get(plan.uid);
    if (served === undefined) return;
    served.live.current = plan;
    served.planDeleted(this.#now());
  }

  /** The entry of a deleted plan was removed. */
  #finished(plan: Subject): void {
    this.#plans.delete(plan.uid);
    this.#placement.counted(plan.namespace, -1);
    this.#conditions.gone(plan);
  }

  /** A journal was deleted. */
  vanished(journal: Pick<Metadata, 'namespace' | 'name'>): void {
    this.#placement.get(journal)?.vanished();
    this.#conditions.vanished(journal);
  }

  /** A journal has this version. */
  changed(journal: Pick<Metadata, 'namespace' | 'name' | 'resourceVersion'>): void {
    this.#placement.get(journal)?.changed(journal.resourceVersion);
  }

  load({ address, planUid, key }: MemoryKey): unknown {
    return this.#plans.get(planUid)?.state.recall(streamKey(address), key)?.value;
  }

  save({ address, planUid, key }: MemoryKey, value: unknown, priority: SavePriority): void | Promise<void> {
    return this.#plans.get(planUid)?.remember(streamKey(address), key, value, priority);
  }

  /** Stores and releases all accepted events. Tries again until that is done or `enough` aborts. */
  async storeAll(enough: AbortSignal): Promise<void> {
    const over = once(enough, 'abort');
    while (!enough.aborted) {
      const held = [...this.#plans.values()].filter((journal) => journal.outbox.hasUnstored);
      if (held.length === 0) return;
      await Promise.race([Promise.all(held.map((journal) => journal.flush())), over]);
      if (held.some((journal) => journal.outbox.hasUnstored))
        await sleep(this.#options.clock, AGAIN_MS, enough);
    }
  }

  /** Writes everything that is not stored. Resolves when that is done, or has failed once. */
  async flush(): Promise<void> {
    await Promise.all(this.#placement.objects.map((object) => object.flush()));
    // A plan may have moved to another object.
    await Promise.all(this.#placement.objects.map((object) => object.flush()));
  }

  /** Ends every timer and write. */
  close(): void {
    for (const journal of this.#plans.values()) journal.close();
    this.#placement.close();
    this.#conditions.close();
  }

  #open(live: PlanJournal['live'], observed: Observed): PlanJournal {
    const { uid, namespace } = live.current;
    const key = planKey(live.current);
    const { objects = [], stored, last } = this.#found.get(key)?.read ?? {};
    this.#found.delete(key);
    const journal = new PlanJournal(this.#ofPlans, live, stored, observed);
    this.#plans.set(uid, journal);
    this.#placement.counted(namespace, 1);
    journal.begin(placeFound(objects, last ?? this.#placement.placeOf(journal), last));
    return journal;
  }
}
