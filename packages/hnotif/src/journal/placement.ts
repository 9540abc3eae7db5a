import { TokenBucket, WorkQueue } from '@hnotif/core/fair';
import {
  dedicatedJournalName,
  isInScope,
  partitionOf,
  partitionOfName,
  qualifiedName,
  sharedJournalName,
  type Journal,
  type Metadata,
  type NamespaceScope,
} from '@hnotif/core/resources';
import { JournalObject, type JournalObjectOptions } from './journal-object.ts';
import type { PlanJournal } from './plan-journal.ts';
import { WritePacer } from './write-pacer.ts';

/** About this many plans share an object. With more, each write stores more unchanged entries. With fewer, fewer plans share a write. */
const PLANS = 32;

/** The number of partitions for the plans of a namespace: a power of two. */
export function partitionsFor(plans: number, before = 1): number {
  let partitions = before;
  while (plans > partitions * PLANS) partitions *= 2;
  return partitions;
}

/**
 * The number of partitions at the start of a leader: as before, or fewer if there are much fewer plans. `before`: one more than the highest
 * partition with a journal. A plan moves to its partition when it is written.
 */
export function partitionsAtStart(plans: number, before: number): number {
  const fewest = partitionsFor(plans);
  const found = 2 ** Math.ceil(Math.log2(before));
  return found > 4 * fewest ? fewest : Math.max(found, fewest);
}

export interface PlacementOptions extends Omit<
  JournalObjectOptions,
  'pace' | 'queue' | 'placeOf' | 'emptied'
> {
  /** Writes per second that are not urgent: outcomes, and new journals. */
  readonly lazyPerSecond: number;
}

/**
 * Journal writes in flight. Namespaces share them; one alone gets half. At 20:00 a thousand plans may begin at once. These writes bypass the
 * client's rate limit, because deliveries wait for them.
 */
const WRITES = 64;
/** Non-urgent writes in flight, such as new journals. On a slow API server more of them would take all slots, and delay events. */
const LAZY_WRITES = 8;
/** Non-urgent writes that may run at once after a quiet time. */
const LAZY_BURST = 20;

interface PlacedPlans {
  /** Of plans with an entry. */
  count: number;
  partitions: number;
}

/** All journal objects, and which of them should hold the entry of a plan. */
export class Placement {
  readonly pace: WritePacer;
  readonly #options: JournalObjectOptions;
  readonly #queue: WorkQueue<JournalObject>;
  /** By namespace and name. */
  readonly #objects = new Map<string, JournalObject>();
  readonly #namespaces = new Map<string, PlacedPlans>();

  constructor(options: PlacementOptions) {
    const { clock, lazyPerSecond } = options;
    this.pace = new WritePacer(clock);
    this.#queue = new WorkQueue({
      ...{ clock, workers: WRITES, isShared: true },
      lazy: { workers: LAZY_WRITES, bucket: new TokenBucket(clock, lazyPerSecond, LAZY_BURST) },
      ownerOf: ({ namespace }) => namespace,
      work: (object, isUrgent) => object.write(isUrgent),
    });
    this.#options = {
      ...options,
      pace: this.pace,
      queue: this.#queue,
      placeOf: (plan, isLarge) => this.placeOf(plan, isLarge),
      emptied: (object) => {
        // An object that was visited once more may have a successor of its name.
        if (this.get(object) === object) this.#objects.delete(qualifiedName(object));
      },
    };
  }

  get size(): number {
    return this.#objects.size;
  }

  /** All objects. A copy: objects come and go. */
  get objects(): readonly JournalObject[] {
    return [...this.#objects.values()];
  }

  get({ namespace, name }: Pick<Metadata, 'namespace' | 'name'>): JournalObject | undefined {
    return this.#objects.get(qualifiedName({ namespace, name }));
  }

  /** An object that existed at the start of the process. */
  found(journal: Journal): JournalObject {
    const { namespace, name, instance } = journal;
    const partition = partitionOfName(name, instance);
    const plans = this.#plansIn(namespace);
    plans.partitions = Math.max(plans.partitions, (partition ?? 0) + 1);
    return this.#make({ namespace, name, isDedicated: partition === undefined }, journal);
  }

  /** All objects in these namespaces that existed at the start have been found. `plans`: those with an entry, by namespace. */
  allFound(scope: NamespaceScope, plans: ReadonlyMap<string, readonly unknown[]>): void {
    for (const [namespace, placed] of this.#namespaces)
      if (isInScope(scope, namespace))
        placed.partitions = partitionsAtStart(plans.get(namespace)?.length ?? 0, placed.partitions);
  }

  /** `by` more plans of the namespace have an entry. */
  counted(namespace: string, by: 1 | -1): void {
    const plans = this.#plansIn(namespace);
    plans.count += by;
    plans.partitions = partitionsFor(plans.count, plans.partitions);
  }

  /** The object that should hold the entry of a plan. `isLarge`: whether that is a dedicated one. */
  placeOf({ isLarge: isLargeNow, subject }: PlanJournal, isLarge = isLargeNow): JournalObject {
    const { instance } = this.#options;
    const { namespace, uid } = subject;
    const partition = partitionOf(uid, this.#plansIn(namespace).partitions);
    const name = isLarge
      ? dedicatedJournalName(subject.name, uid, instance)
      : sharedJournalName(partition, instance);
    return this.get({ namespace, name }) ?? this.#make({ namespace, name, isDedicated: isLarge });
  }

  /** Ends every timer and write. */
  close(): void {
    for (const object of this.#objects.values()) object.close();
    void this.#queue.close();
  }

  #make(of: Pick<JournalObject, 'namespace' | 'name' | 'isDedicated'>, found?: Journal): JournalObject {
    const object = new JournalObject(this.#options, of, found);
    this.#objects.set(qualifiedName(of), object);
    return object;
  }

  #plansIn(namespace: string): PlacedPlans {
    const plans = this.#namespaces.get(namespace) ?? { count: 0, partitions: 1 };
    this.#namespaces.set(namespace, plans);
    return plans;
  }
}
