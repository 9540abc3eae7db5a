import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import {
  keyOf,
  type EventKind,
  isInAny,
  isInScope,
  type NamespaceScope,
  type Notification,
  type NotificationStatus,
  nextChange,
  suspensionAt,
  type ReplayStatus,
  sinkKey,
  type SinkAddress,
} from '@hnotif/core/resources';
import type { StatusOwner, StatusWriter } from '../cluster/status-writer.ts';
import type { FailedSend, Settlement, SinkWait } from '../dispatch/delivery.ts';
import type { Dispatcher, LeftSink } from '../dispatch/dispatcher.ts';
import { SILENT_DROPS } from '../dispatch/reasons.ts';
import type { OutcomeLine } from '../journal/outcome-line.ts';
import type { Routes } from '@hnotif/core/routing';
import type { Cause, Degradation } from '@hnotif/core/sinks';
import { NotificationState, type Ended, type Facts, type Undurable } from './notification-state.ts';
import { ReadinessChecks, type SinkCheck, type SinkChecker } from './readiness-checks.ts';
import type { SinkRecord } from './sink-record.ts';

interface StatusTrackerOptions {
  readonly clock: Clock;
  /** The API server's time (milliseconds since the epoch), by which suspensions end. */
  readonly serverNow: () => number;
  readonly log: Logger;
  readonly routes: Pick<Routes, 'matched' | 'unmatched'>;
  readonly sinks: SinkChecker;
  readonly dispatcher: Pick<Dispatcher, 'waitOf'>;
  /** Asks for the statuses, and writes those that differ from what stands there. */
  readonly statuses: Pick<StatusWriter, 'changed' | 'forget'>;
  /** The name of this installation. */
  readonly instance: string;
  /** The plan resource that it watches, if that is not the default one. Commands read it. */
  readonly planResource?: string | undefined;
  /** Sinks that are checked per second, in the long run. */
  readonly checksPerSecond: number;
  /** The longest time between two checks of a notification with a problem; the first ones come after 1, 2, 4… seconds. */
  readonly recheckUnreadyMs: number;
  /** The time between two checks of a notification without a problem. */
  readonly recheckReadyMs: number;
}

interface Entry extends StatusOwner {
  readonly state: NotificationState;
  /** Sinks of this generation whose template has no effect, and whose log line was written. */
  readonly templatesIgnored: Set<string>;
  /** Checks in a row that found a problem. */
  failedChecks: number;
}

/** Why deliveries wait that were on their way when the process stopped. */
const STOPPED: Cause = {
  reason: 'HnotifStopped',
  message: 'hnotif has stopped; the next process sends what waits',
};

/** Fields that change with each message that arrives. */
export const PACE: ReadonlySet<string> = new Set(['lastSuccess', 'observedAt']);

/** The first check after one that found a problem (milliseconds): a secret is often created a moment after its notification. */
const FIRST_RECHECK_MS = 1_000;

/**
 * Knows what the status of every notification should be. A change only reports the notification to the status writer, which asks for the
 * status when its turn comes. A new notification has no status before its first check: this saves a write.
 */
export class StatusTracker {
  readonly #options: StatusTrackerOptions;
  readonly #entries = new Map<string, Entry>();
  /** Why journals cannot be written, by namespace. */
  readonly #undurable = new Map<string, Undurable>();
  readonly #checks: ReadinessChecks;
  /** The namespaces (undefined: all) whose plans have been listed, so that counts of matching plans are complete. */
  readonly #listed = new Set<NamespaceScope>();
  /** The same, where no event can be derived. */
  readonly #unserved = new Map<NamespaceScope, Cause>();
  /** Why sinks wait whose deliveries are left for the next process; undefined: this one sends. */
  #left: ReadonlyMap<string, SinkWait> | undefined;
  /** Other instances that write statuses, and whose log line was written. */
  readonly #others = new Set<string>();

  constructor(options: StatusTrackerOptions) {
    this.#options = options;
    const { clock, log, sinks, checksPerSecond } = options;
    this.#checks = new ReadinessChecks({
      ...{ clock, log, sinks, checksPerSecond },
      found: (notification, checks) => {
        const entry = this.#entries.get(keyOf(notification));
        if (entry !== undefined) this.#checked(entry, checks);
      },
    });
  }

  /** How many notifications are not ready. */
  get notReady(): number {
    let count = 0;
    for (const { state } of this.#entries.values()) if (state.isUnready) count++;
    return count;
  }

  /**
   * A notification is new or has changed. A new spec starts a check of its sinks. The check is `urgent` when the change came after the
   * first list.
   */
  set(notification: Notification, urgent: boolean): void {
    const entry = this.#entries.get(keyOf(notification));
    if (entry?.state.notification.uid !== notification.uid) {
      this.#add(notification, urgent);
      return;
    }
    const { generation } = entry.state.notification;
    entry.state.update(notification);
    if (generation !== notification.generation) {
      entry.templatesIgnored.clear();
      entry.failedChecks = 0;
      this.#checks.begin(notification, urgent);
    }
    this.#mark(entry);
  }

  /** The notification is gone. Nothing more is written to its status. */
  delete(notification: Notification): void {
    const entry = this.#entries.get(keyOf(notification));
    if (entry === undefined) return;
    this.#options.statuses.forget(entry);
    this.#checks.forget(notification);
    this.#entries.delete(keyOf(notification));
  }

  /** Why accepted events of a namespace are not kept; undefined: they are. */
  durable(namespace: string, undurable: Undurable): void {
    if (undurable === undefined) this.#undurable.delete(namespace);
    else this.#undurable.set(namespace, undurable);
    for (const entry of this.#entries.values()) {
      if (entry.state.notification.namespace !== namespace) continue;
      entry.state.durable(undurable, this.#options.clock.now());
      this.#mark(entry);
    }
  }

  /** Other plans match the notification now. */
  rematched(namespace: string, name: string): void {
    const entry = this.#entries.get(keyOf({ namespace, name }));
    if (entry !== undefined) this.#mark(entry);
  }

  /** All plans of a namespace (undefined: of all) have been listed. Until then a notification keeps the count that its status shows. */
  plansListed(scope: NamespaceScope): void {
    this.#listed.add(scope);
    this.#markAll(scope);
  }

  /** Why no event can be derived from plans of a namespace (undefined: of all); undefined: events can be derived. */
  unserved(scope: NamespaceScope, why: Cause | undefined): void {
    if (isDeepStrictEqual(why, this.#unserved.get(scope))) return;
    if (why === undefined) this.#unserved.delete(scope);
    else this.#unserved.set(scope, why);
    this.#markAll(scope);
  }

  settled({ to, event, events, isDegraded, result, reason, message }: Settlement): void {
    if (result === 'suppressed' || (result === 'dropped' && SILENT_DROPS.has(reason))) return;
    this.#change(to, (sink, now) => {
      if (result === 'delivered') sink.arrived(event.kind, !isDegraded, now);
      else sink.lost(reason, events.length, now);
      if (result === 'failed') sink.failed({ reason, message }, now);
    });
  }

  /** Deliveries ended in an earlier process. Returns what the status did not show yet. */
  endedBefore(to: SinkAddress, { at: time, event, result, reason, count }: OutcomeLine): Ended | undefined {
    if (result !== 'failed' && (result !== 'dropped' || SILENT_DROPS.has(reason))) return undefined;
    const at = Date.parse(time);
    if (
      this.#entryOf(to)
        ?.state.sink(to.sink)
        ?.shows(at, result === 'failed' ? undefined : reason) !== false
    )
      return undefined;
    const message = `a ${event} ended like this in an earlier process, which was killed; its log may say more`;
    this.#change(to, (sink, now) => {
      if (result === 'failed') sink.failed({ reason, message, at }, now);
      else sink.lost(reason, count, at);
    });
    return { result, reason, message, count };
  }

  /** A replay that was asked for is done. */
  replayed(
    { namespace, name, uid }: Pick<Notification, 'namespace' | 'name' | 'uid'>,
    answer: ReplayStatus,
  ): void {
    const entry = this.#entries.get(keyOf({ namespace, name }));
    if (entry?.uid !== uid) return;
    entry.state.replay = answer;
    this.#mark(entry);
  }

  /** A send has failed, and its delivery waits. */
  sendFailed(to: SinkAddress, { begun, kind, reason, message }: FailedSend): void {
    const lasting = kind === 'quarantined';
    const refused = lasting ? this.#options.sinks.version(to) : undefined;
    this.#change(to, (sink, now) => {
      sink.failed({ reason, message, lasting, refused }, now);
    });
    // Its secret may have changed already.
    if (begun && lasting) this.#check(to, false);
  }

  /** A message of this kind arrived, but not in the form that the user wanted. */
  degraded(to: SinkAddress, event: EventKind, degradation: Degradation): void {
    this.#change(to, (sink) => {
      sink.degraded(event, degradation);
    });
  }

  /** The configuration or template of a sink has changed: failures and degradations of the old one are dropped, and the sink is checked. */
  renewed(to: SinkAddress): void {
    this.#change(to, (sink) => {
      sink.renewed();
    });
    this.#check(to, true);
  }

  /** A sink begins or stops to wait, or waits for another reason or until another time. */
  waits(to: SinkAddress): void {
    this.#change(to, () => undefined);
  }

  /** Nothing more is sent: the statuses show what is left for the next process. */
  stopped(left: readonly LeftSink[]): void {
    this.#left = new Map(
      left.map(({ to, wait }) => [sinkKey(to), wait.kind === 'late' ? { ...wait, ...STOPPED } : wait]),
    );
    for (const { to } of left) this.waits(to);
  }

  /** Ends every timer. The writer may still ask for statuses. */
  close(): void {
    this.#checks.close();
  }

  #add(notification: Notification, urgent: boolean): void {
    const { namespace, name, uid } = notification;
    const before = this.#entries.get(keyOf(notification));
    if (before !== undefined) this.#options.statuses.forget(before);
    const undurable = this.#undurable.get(namespace);
    const state = new NotificationState(notification, undurable, this.#options.clock.now());
    const entry: Entry = {
      ...{ namespace, name, uid, state, templatesIgnored: new Set(), failedChecks: 0 },
      get observed() {
        return state.notification;
      },
      desired: () => this.#desired(state),
    };
    this.#entries.set(keyOf(notification), entry);
    this.#checks.begin(notification, urgent);
    this.#mark(entry);
  }

  /** Changes what is known of a sink that its notification still lists. */
  #change(to: SinkAddress, change: (sink: SinkRecord, now: number) => void): void {
    const entry = this.#entryOf(to);
    const sink = entry?.state.sink(to.sink);
    if (entry === undefined || sink === undefined) return;
    change(sink, this.#options.clock.now());
    this.#mark(entry);
  }

  /** Checks the sinks of a notification that still lists this one. */
  #check(to: SinkAddress, urgent: boolean): void {
    const entry = this.#entryOf(to);
    if (entry?.state.sink(to.sink) !== undefined) this.#checks.begin(entry.state.notification, urgent);
  }

  #entryOf({ namespace, notification: name }: SinkAddress): Entry | undefined {
    return this.#entries.get(keyOf({ namespace, name }));
  }

  #markAll(scope: NamespaceScope): void {
    for (const entry of this.#entries.values())
      if (isInScope(scope, entry.state.notification.namespace)) this.#mark(entry);
  }

  #mark(entry: Entry): void {
    this.#options.statuses.changed(entry);
  }

  /** The status that a notification should have; undefined: it stays as it is. */
  #desired(state: NotificationState): NotificationStatus | undefined {
    if (state.isBlank && !state.isChecked) return undefined;
    const { notification, hasProblem: hadProblem } = state;
    const { clock, instance, planResource } = this.#options;
    const now = clock.now();
    const writer = { instance, ...(planResource !== undefined && { planResource }) };
    const status = state.status(this.#facts(state), writer, now);
    if (state.isBlank) return undefined;
    // A new problem: the secret may have been deleted.
    if (state.hasProblem && !hadProblem) this.#checks.beginIn(FIRST_RECHECK_MS, notification);
    const other = state.otherWriter(instance, now);
    if (other !== undefined) this.#logOther(notification, other);
    return other === undefined ? status : undefined;
  }

  /** Two instances would overwrite each other's status again and again. The one that wrote it keeps it. */
  #logOther(notification: Notification, instance: string): void {
    if (this.#others.has(instance)) return;
    this.#others.add(instance);
    this.#options.log.warn(
      { instance, notification: keyOf(notification) },
      'statuses are left to another instance, which serves the same notifications: each message is sent twice',
    );
  }

  /** What other parts know of a notification now. */
  #facts(state: NotificationState): Facts {
    const { notification } = state;
    const { namespace, name, sinks, status } = notification;
    const { routes, dispatcher, serverNow } = this.#options;
    const isListed = isInAny(this.#listed, namespace);
    const matched = isListed ? routes.matched(namespace, name) : (status.matched ?? 0);
    return {
      isListed,
      matched,
      unmatched: isListed && matched === 0 ? routes.unmatched(namespace, name) : undefined,
      unserved: this.#unserved.get(namespace) ?? this.#unserved.get(undefined),
      suspension: suspensionAt(notification, serverNow()),
      waits: new Map(
        sinks.map(({ name: sink }) => {
          const to = { namespace, notification: name, sink };
          const wait = (): SinkWait | undefined => dispatcher.waitOf(to, state.sink(sink)?.wasParked);
          return [sink, this.#left === undefined ? wait() : this.#left.get(sinkKey(to))];
        }),
      ),
    };
  }

  #checked(entry: Entry, checks: ReadonlyMap<string, SinkCheck>): void {
    const { state } = entry;
    if (state.isJudged && isInconclusive(checks)) {
      // The status stays as it is.
      this.#checkAgain(entry, true);
      return;
    }
    entry.failedChecks = [...checks.values()].every(({ ok }) => ok) ? 0 : entry.failedChecks + 1;
    this.#logChanges(state, checks);
    this.#logIgnored(entry, checks);
    state.checked(checks, this.#facts(state), this.#options.clock.now());
    this.#mark(entry);
    this.#checkAgain(entry, state.hasProblem);
  }

  /** Sooner while there is a problem: the user wants to see that a correction worked. And when a suspension ends or begins. */
  #checkAgain({ state, failedChecks }: Entry, isSoon: boolean): void {
    const { serverNow, recheckReadyMs, recheckUnreadyMs } = this.#options;
    const { notification } = state;
    const first = failedChecks === 0 ? Infinity : FIRST_RECHECK_MS * 2 ** (failedChecks - 1);
    const next = isSoon ? Math.min(first, recheckUnreadyMs) : recheckReadyMs;
    const now = serverNow();
    this.#checks.beginIn(Math.min(next, nextChange(notification, now) - now), notification);
  }

  #logChanges(state: NotificationState, checks: ReadonlyMap<string, SinkCheck>): void {
    const { log } = this.#options;
    for (const [sink, check] of checks) {
      const known = state.sink(sink)?.check;
      const where = { notification: keyOf(state.notification), sink };
      if (check.ok) {
        if (known?.ok === false) log.info(where, 'sink is ready again');
      } else if (known?.ok !== false || known.message !== check.message)
        log.warn({ ...where, reason: check.reason, detail: check.message }, 'sink is not ready');
    }
  }

  /** Once for each generation of a notification. */
  #logIgnored({ state, templatesIgnored }: Entry, checks: ReadonlyMap<string, SinkCheck>): void {
    for (const [sink, check] of checks) {
      if (!check.ok || check.templateIgnored === undefined || templatesIgnored.has(sink)) continue;
      templatesIgnored.add(sink);
      const where = { notification: keyOf(state.notification), sink };
      this.#options.log.info({ ...where, detail: check.templateIgnored }, 'custom template ignored');
    }
  }
}

/** Whether some sinks could not be checked, and all others are ready. */
function isInconclusive(checks: ReadonlyMap<string, SinkCheck>): boolean {
  const failed = [...checks.values()].filter((check) => !check.ok);
  return failed.length > 0 && failed.every(({ unavailable }) => unavailable === true);
}
