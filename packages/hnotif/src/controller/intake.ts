import type { Logger } from 'pino';
import { momentOf, turnedBetween, type Clock, type Moment } from '../clock.ts';
import type { LivePlan } from '../dispatch/delivery.ts';
import type { Journals } from '../journal/journals.ts';
import type { Routed } from '../dispatch/log-entry.ts';
import { derive } from '../lifecycle/derive.ts';
import type { DerivedEvent } from '../lifecycle/event.ts';
import { isNewer } from '../lifecycle/version.ts';
import { emptyBaseline, silentBaseline, type Observed } from '../lifecycle/observed.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { EventKind } from '../resources/kinds.ts';
import type { Notification } from '../resources/notification.ts';
import type { Plan } from '../resources/plan.ts';
import type { Routes } from '../routing/routes.ts';

export interface IntakeOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly routes: Routes;
  /** Keeps what is derived, and hands it over to be sent. */
  readonly journals: Pick<Journals, 'remembered' | 'begin' | 'accept' | 'has' | 'written' | 'deleted'>;
  /** When hnotif was first installed here (milliseconds since the epoch); undefined: not known. */
  readonly installedAt: number | undefined;
  readonly failureAfterMs: number;
  /** A new random epoch, for the ids of events that no time of the plan tells apart. */
  readonly newEpoch: () => string;
}

interface Waiter {
  readonly plan: string;
  readonly resourceVersion: string;
  readonly resolve: () => void;
}

interface Tracked {
  readonly live: { current: Plan };
  observed: Observed;
  observedAt: Moment;
  cancelRecheck: (() => void) | undefined;
}

/** A plan that is younger, and has no journal, is new (milliseconds). */
const NEW_MS = 3_600_000;

/** Deleted plans that are remembered, the newest: some MB, if each has dozens of targets. */
const MAX_GONE = 10_000;

/**
 * From a plan's changes to deliveries: derives the events of each change, in order, and hands them to the plan's journal with
 * every sink that subscribed to them. Synchronous, no I/O.
 */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #plans = new Map<string, Tracked>();
  /** What was last seen of plans that are gone, by uid. */
  readonly #gone = new Map<string, Pick<Tracked, 'observed' | 'observedAt'>>();
  readonly #waiters = new Set<Waiter>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * A plan that is new or has changed. `known` says that it was there before we looked (the first list): it is
   * then a silent baseline, since nobody knows what was told of it already. A plan created while we watch has
   * begun from nothing.
   */
  changed(plan: Plan, known: boolean): void {
    const tracked = this.#plans.get(plan.uid);
    this.#complain(plan, tracked?.live.current.problems ?? []);
    if (tracked === undefined) this.#begin(plan, known);
    else {
      const { resourceVersion } = tracked.live.current;
      tracked.live.current = plan;
      this.#proceed(tracked, resourceVersion);
    }
    this.#wake(plan);
  }

  /**
   * Resolves once a plan's state of this version, or a later one, has been observed and its events submitted; or when
   * the plan is deleted.
   */
  seen(namespace: string, name: string, resourceVersion: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.add({ plan: `${namespace}/${name}`, resourceVersion, resolve });
      for (const { live } of this.#plans.values()) this.#wake(live.current);
    });
  }

  #wake({ namespace, name, resourceVersion, uid }: Plan): void {
    for (const waiter of this.#waiters) {
      if (waiter.plan !== `${namespace}/${name}` || isNewer(waiter.resourceVersion, resourceVersion))
        continue;
      this.#waiters.delete(waiter);
      void this.#options.journals.written(uid).then(waiter.resolve);
    }
  }

  #begin(plan: Plan, known: boolean): void {
    const { clock, newEpoch, failureAfterMs } = this.#options;
    const live = { current: plan };
    const gone = this.#gone.get(plan.uid);
    this.#gone.delete(plan.uid);
    if (gone !== undefined) {
      const returned: Tracked = { ...gone, live, cancelRecheck: undefined };
      this.#plans.set(plan.uid, returned);
      this.#proceed(returned, gone.observed.rv);
      return;
    }
    const remembered = this.#options.journals.remembered(plan);
    if (remembered.kind === 'newer') return;
    const observedAt = momentOf(clock);
    const epoch = flat(newEpoch());
    const baseline = (): Observed =>
      known && !this.#isNew(plan)
        ? silentBaseline(plan, epoch, observedAt.wall, { failureAfterMs })
        : emptyBaseline(epoch);
    const observed = remembered.kind === 'found' ? remembered.observed : baseline();
    const begun: Tracked = { live, observed, observedAt, cancelRecheck: undefined };
    this.#plans.set(plan.uid, begun);
    this.#options.journals.begin(live);
    this.#proceed(begun, observed.rv);
  }

  /** Whether a plan of the first list is so new that no event of it can have been sent. */
  #isNew({ creationTimestamp }: Plan): boolean {
    const { clock, installedAt } = this.#options;
    const created = Date.parse(creationTimestamp);
    return installedAt !== undefined && created > installedAt && clock.now() - created < NEW_MS;
  }

  /**
   * What was derived of a plan since then is not kept, and counts no more: another process kept something else.
   */
  rebase(planUid: string, observed: Observed): void {
    const tracked = this.#plans.get(planUid);
    if (tracked === undefined) return;
    tracked.observed = observed;
    tracked.observedAt = momentOf(this.#options.clock);
    this.#observe(tracked);
  }

  /** Plans of a namespace that somebody subscribes to from now on get a journal: what comes in the next gap is not lost. */
  subscribed(namespace: string): void {
    for (const { live, observed } of this.#plans.values()) {
      if (live.current.namespace !== namespace || this.#options.journals.has(live.current.uid)) continue;
      if (this.#subscribers(live).length > 0) this.#options.journals.accept(live, observed, [], true);
    }
  }

  /**
   * `last` is the version that was told of last. The reflector vouches for the order: a lower one now is that of a cluster restored
   * from a backup. What another process kept may be newer than either, and is caught up with.
   */
  #proceed(tracked: Tracked, last: string): void {
    if (isNewer(last, tracked.live.current.resourceVersion))
      tracked.observed = { ...tracked.observed, rv: '' };
    this.#observe(tracked);
  }

  /**
   * What still waits of a deleted plan is sent; nothing new comes of it. Should it return under its uid (an API server
   * that was empty until its backup was restored), it goes on where it was: its nights were told.
   */
  deleted(plan: Plan): void {
    const tracked = this.#plans.get(plan.uid);
    if (tracked !== undefined) this.#forget(tracked);
    this.#options.journals.deleted(plan);
    for (const waiter of this.#waiters) {
      if (waiter.plan !== `${plan.namespace}/${plan.name}`) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #forget({ live, observed, observedAt, cancelRecheck }: Tracked): void {
    cancelRecheck?.();
    const { uid } = live.current;
    this.#plans.delete(uid);
    this.#gone.set(uid, { observed, observedAt });
    const [oldest] = this.#gone.keys();
    if (this.#gone.size > MAX_GONE && oldest !== undefined) this.#gone.delete(oldest);
  }

  /** Ends every timer. */
  close(): void {
    for (const tracked of this.#plans.values()) tracked.cancelRecheck?.();
    this.#plans.clear();
    this.#gone.clear();
  }

  /** Says once what of a plan cannot be read; its other fields go on being served. */
  #complain({ namespace, name, problems }: Plan, known: readonly string[]): void {
    for (const problem of problems)
      if (!known.includes(problem))
        this.#options.log.warn({ plan: `${namespace}/${name}`, problem }, 'plan field ignored');
  }

  #observe(tracked: Tracked): void {
    const { clock, failureAfterMs, metrics } = this.#options;
    const plan = tracked.live.current;
    const now = momentOf(clock);
    const before = turned(tracked.observed, tracked.observedAt, now);
    const { observed, events, missedRuns, recheckAt } = derive(before, plan, now.wall, { failureAfterMs });
    tracked.observedAt = now;
    const subscribers = this.#subscribers(tracked.live);
    const routed = this.#route(events, subscribers);
    // Nothing new to a plan that has a journal, or needs none, is nothing to write.
    tracked.observed = observed;
    if (observed !== before || !this.#options.journals.has(plan.uid))
      this.#options.journals.accept(tracked.live, observed, routed, subscribers.length > 0);
    for (const { kind } of events) metrics.events.inc({ event: kind });
    metrics.runsMissed.inc(missedRuns);
    tracked.cancelRecheck?.();
    tracked.cancelRecheck =
      recheckAt === undefined
        ? undefined
        : clock.after(Math.max(0, recheckAt - now.wall), () => {
            tracked.cancelRecheck = undefined;
            this.#observe(tracked);
          });
  }

  #subscribers({ current }: LivePlan): readonly Notification[] {
    return this.#options.routes.for(current.namespace, current.name);
  }

  #route(events: readonly DerivedEvent[], subscribers: readonly Notification[]): Routed[] {
    // A change may make thousands of events of one kind: their sinks are found once.
    const sinksOf = new Map<EventKind, Routed['to']>();
    return events.map((event) => {
      const to =
        sinksOf.get(event.kind) ??
        subscribers
          .filter(({ onEvents }) => onEvents.includes(event.kind))
          .flatMap(({ name, sinks }) =>
            sinks.map((sink) => ({ notification: name, sink: sink.name, type: sink.type })),
          );
      sinksOf.set(event.kind, to);
      return { event, to };
    });
  }
}

/** A visit of Error lasts as long as it lasts: where the wall clock was turned, its beginning is turned with it. */
function turned(observed: Observed, from: Moment, to: Moment): Observed {
  if (observed.errorSince === 0) return observed;
  return { ...observed, errorSince: observed.errorSince + turnedBetween(from, to) };
}

/** The same text in one piece: `randomUUID` gives one of twenty, in ten times the memory. */
const flat = (text: string): string => Buffer.from(text).toString();
