import type { Logger } from 'pino';
import { momentOf, turnedBetween, type Clock, type Moment } from '@hnotif/core/clock';
import type { LivePlan } from '../dispatch/delivery.ts';
import type { Journals } from '../journal/journals.ts';
import type { Routed } from '../dispatch/log-entry.ts';
import { groupedBy } from '@hnotif/core/grouped-by';
import type { EventKind, Notification, Plan } from '@hnotif/core/resources';
import {
  derive,
  type DerivedEvent,
  provenEvents,
  isNewer,
  emptyBaseline,
  silentBaseline,
  type Observed,
  rolledBack,
} from '@hnotif/core/lifecycle';
import type { Metrics } from '../observe/metrics.ts';
import { meetsAll, requirementsOf, type Routes } from '@hnotif/core/routing';
import { SINKS } from '@hnotif/core/sinks';
import { DeletedPlans } from './deleted-plans.ts';
import type { DeliveryReporter } from './delivery-reporter.ts';

export interface IntakeOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly routes: Routes;
  /** Keeps events and hands them to the dispatcher. */
  readonly journals: Pick<Journals, 'recall' | 'begin' | 'accept' | 'of' | 'deleted'>;
  /** When hnotif was first installed here (milliseconds since the epoch); undefined: not known. */
  readonly installedAt: number | undefined;
  readonly failureAfterMs: number;
  /** A new random epoch. It makes ids unique where the plan has no time for an event. */
  readonly newEpoch: () => string;
  readonly reporter: Pick<DeliveryReporter, 'wentBack'>;
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

/** Derives the events of each change of a plan, in order, and gives them with their sinks to the plan's journal. Synchronous, no I/O. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #plans = new Map<string, Tracked>();
  readonly #gone = new DeletedPlans();
  readonly #waiters = new Set<Waiter>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * A plan is new or has changed. `known`: it comes from the first list. Without a journal such a plan is a silent baseline, because it
   * is not known which events were sent already. A plan that is created later begins from nothing.
   */
  changed(plan: Plan, known: boolean): void {
    const tracked = this.#plans.get(plan.uid);
    this.#logProblems(plan, tracked?.live.current.problems ?? []);
    if (tracked === undefined) this.#begin(plan, known);
    else {
      const { resourceVersion } = tracked.live.current;
      tracked.live.current = plan;
      this.#proceed(tracked, resourceVersion);
    }
    this.#wake(plan);
  }

  /** Resolves when this version of a plan, or a later one, was observed and its events were handed over, or when the plan is deleted. */
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
      void Promise.resolve(this.#options.journals.of(uid)?.flush()).then(waiter.resolve);
    }
  }

  #begin(plan: Plan, known: boolean): void {
    const { clock, journals } = this.#options;
    const gone = this.#gone.take(plan);
    const recalled = journals.recall(plan);
    if (recalled.kind === 'newer') return;
    const found = recalled.kind === 'found' ? recalled : undefined;
    // Deliveries of a deleted plan may still wait: they see the plan that has returned.
    const live = found?.live ?? { current: plan };
    live.current = plan;
    const now = momentOf(clock);
    const observed = gone?.observed ?? found?.observed ?? this.#baseline(plan, known, now);
    const begun: Tracked = {
      ...{ live, observed, observedAt: gone?.observedAt ?? now, cancelRecheck: undefined },
    };
    this.#plans.set(plan.uid, begun);
    journals.begin(live);
    this.#proceed(begun, observed.rv);
  }

  /** The state of a plan without a journal. */
  #baseline(plan: Plan, known: boolean, now: Moment): Observed {
    const { newEpoch, failureAfterMs } = this.#options;
    const epoch = flat(newEpoch());
    return known && !this.#isNew(plan)
      ? silentBaseline(plan, epoch, now.wall, { failureAfterMs })
      : emptyBaseline(epoch);
  }

  /** Whether a plan of the first list is so new that no event of it can have been sent. */
  #isNew({ creationTimestamp }: Plan): boolean {
    const { clock, installedAt } = this.#options;
    const created = Date.parse(creationTimestamp);
    return installedAt !== undefined && created > installedAt && clock.now() - created < NEW_MS;
  }

  /** Another process kept something else: the events of the plan are derived again from `observed`. */
  rebase(planUid: string, observed: Observed): void {
    const tracked = this.#plans.get(planUid);
    if (tracked === undefined) return;
    tracked.observed = observed;
    tracked.observedAt = momentOf(this.#options.clock);
    this.#observe(tracked);
  }

  /** What was last observed of a plan; undefined: it is not served. */
  observedOf(planUid: string): Observed | undefined {
    return this.#plans.get(planUid)?.observed;
  }

  /** Accepts events of a plan once more, for these sinks, under their ids. They get new numbers, since those give their places in the log. */
  again(planUid: string, routed: readonly Routed[]): void {
    const tracked = this.#plans.get(planUid);
    if (tracked === undefined) return;
    let { seq } = tracked.observed;
    const numbered = routed.map(({ event, to }) => ({
      event: { ...event, seq: ++seq, replayed: true as const },
      to,
    }));
    tracked.observed = { ...tracked.observed, seq };
    this.#options.journals.accept(tracked.live, tracked.observed, numbered, true);
  }

  /** A notification is new or has changed. Plans that it matches get a journal, so that a later gap loses no event. */
  subscribed({ namespace, selector }: Notification): void {
    // Not all that match a plan: a namespace may have thousands of both.
    const requirements = requirementsOf(selector);
    for (const { live, observed } of this.#plans.values()) {
      const { current } = live;
      if (current.namespace !== namespace || this.#options.journals.of(current.uid)) continue;
      if (meetsAll(current.labels, requirements)) this.#options.journals.accept(live, observed, [], true);
    }
  }

  /**
   * `last` is the version before. The reflector gives versions in order, so a lower one means that the cluster was restored from a backup,
   * or a list came from a stale cache. Another process may have kept a version that is newer than both.
   */
  #proceed(tracked: Tracked, last: string): void {
    if (isNewer(last, tracked.live.current.resourceVersion)) {
      tracked.observed = rolledBack(tracked.observed);
      this.#options.reporter.wentBack(tracked.live.current, this.#subscribers(tracked.live));
    }
    this.#observe(tracked);
  }

  /**
   * The plan was deleted. Its waiting deliveries are still sent. If it returns with the same uid (the API server was empty until its
   * backup was restored), it continues where it was.
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

  #forget(tracked: Tracked): void {
    const { current } = tracked.live;
    tracked.cancelRecheck?.();
    this.#plans.delete(current.uid);
    this.#gone.add(current, tracked);
  }

  /** Ends every timer. */
  close(): void {
    for (const tracked of this.#plans.values()) tracked.cancelRecheck?.();
    this.#plans.clear();
  }

  /** Logs each field of a plan that cannot be read, once. The other fields are used. */
  #logProblems({ namespace, name, problems }: Plan, known: readonly string[]): void {
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
    const journal = this.#options.journals.of(plan.uid);
    // Most changes have no event, or no subscriber: then nothing has to be proven.
    const basis = events.length > 0 && subscribers.length > 0 ? journal?.basis : undefined;
    const proven =
      basis && provenEvents(events, { stored: basis, before }, plan, now.wall, { failureAfterMs });
    const routed = this.#route(events, subscribers, proven);
    // A plan with a journal, and without a change, needs no write.
    tracked.observed = observed;
    if (observed !== before || journal === undefined)
      this.#options.journals.accept(tracked.live, observed, routed, subscribers.length > 0);
    for (const [event, those] of groupedBy(events, ({ kind }) => kind))
      metrics.events.inc({ event }, those.length);
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

  #route(
    events: readonly DerivedEvent[],
    subscribers: readonly Notification[],
    proven: ReadonlySet<DerivedEvent> = new Set(),
  ): Routed[] {
    // A change may make thousands of events of one kind. Their sinks are looked up once.
    const sinksOf = new Map<EventKind, Routed['to']>();
    return events.map((event) => {
      const to =
        sinksOf.get(event.kind) ??
        subscribers
          .filter(({ onEvents }) => onEvents.includes(event.kind))
          .flatMap((notification) => streamsOf(notification));
      sinksOf.set(event.kind, to);
      return { event, to, isProven: proven.has(event) && dropRepeats(to) };
    });
  }
}

/** When the wall clock was changed, the beginning of a plan's Error moves by the same time, so that its duration stays right. */
function turned(observed: Observed, from: Moment, to: Moment): Observed {
  if (observed.errorSince === 0) return observed;
  return { ...observed, errorSince: observed.errorSince + turnedBetween(from, to) };
}

/** Copies a text into one piece: `randomUUID` returns a text of twenty pieces, which needs ten times the memory. */
const flat = (text: string): string => Buffer.from(text).toString();

/** Whether the receivers of all streams drop a message that comes again. */
const dropRepeats = (to: Routed['to']): boolean => to.every(({ type }) => SINKS[type].dropsRepeats);

const streams = new WeakMap<Notification, Routed['to']>();

/** The streams of a notification, made once: it may have 32 sinks, and thousands of plans. */
function streamsOf(notification: Notification): Routed['to'] {
  let to = streams.get(notification);
  if (to === undefined) {
    const { name, sinks } = notification;
    to = sinks.map((sink) => ({ notification: name, sink: sink.name, type: sink.type }));
    streams.set(notification, to);
  }
  return to;
}
