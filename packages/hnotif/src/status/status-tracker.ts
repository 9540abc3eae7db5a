import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import {
  type EventKind,
  type NamespaceScope,
  type Notification,
  type NotificationStatus,
  nextChange,
  type ReplayStatus,
  sinkKey,
  type SinkAddress,
} from '@hnotif/core/resources';
import type { StatusOwner, StatusWriter } from '../cluster/status-writer.ts';
import type { FailedSend, Settlement, SinkWait } from '../dispatch/delivery.ts';
import type { LeftSink } from '../dispatch/dispatcher.ts';
import { SILENT_DROPS } from '../dispatch/reasons.ts';
import type { OutcomeLine } from '../journal/outcome-line.ts';
import type { Degradation } from '@hnotif/core/sinks';
import { ByName } from './by-name.ts';
import { factsOf, leftWaits, type Facts, type FactSources } from './facts.ts';
import { NotificationState, type Ended } from './notification-state.ts';
import {
  FIRST_RECHECK_MS,
  isInconclusive,
  ReadinessChecks,
  type Checked,
  recheckMs,
  type RecheckTimes,
  type SinkCheck,
  type SinkChecker,
} from './readiness-checks.ts';
import { arrived, degraded, failed, lost, renewed, showedEarlier, type SinkRecord } from './sink-record.ts';
import { StatusLog } from './status-log.ts';

interface StatusTrackerOptions extends FactSources, RecheckTimes {
  readonly clock: Clock;
  readonly log: Logger;
  readonly sinks: SinkChecker;
  /** Asks for the statuses, and writes those that differ from what stands there. */
  readonly statuses: Pick<StatusWriter, 'changed' | 'forget'>;
  /** The name of this installation. */
  readonly instance: string;
  /** The plan resource that it watches, if that is not the default one. Commands read it. */
  readonly planResource?: string | undefined;
  /** Sinks that are checked per second, in the long run. */
  readonly checksPerSecond: number;
}

interface Entry extends StatusOwner, Checked {
  readonly observed: Notification;
  readonly state: NotificationState;
  /** Checks in a row that found a problem. */
  failedChecks: number;
}

/**
 * Knows what the status of every notification should be. A change only reports the notification to the status writer, which asks for the
 * status when its turn comes. A new notification has no status before its first check: this saves a write.
 */
export class StatusTracker {
  readonly #options: StatusTrackerOptions;
  readonly #entries = new ByName<Entry>();
  /** Why sinks wait whose deliveries are left for the next process; undefined: this one sends. */
  #left: ReadonlyMap<string, SinkWait> | undefined;
  readonly #checks: ReadinessChecks<Entry>;
  readonly #log: StatusLog;

  constructor(options: StatusTrackerOptions) {
    this.#options = options;
    this.#log = new StatusLog(options.log);
    const { clock, log, sinks, checksPerSecond } = options;
    this.#checks = new ReadinessChecks({
      ...{ clock, log, sinks, checksPerSecond },
      found: (entry, checks) => {
        this.#checked(entry, checks);
      },
    });
  }

  /** How many notifications are not ready. */
  get notReady(): number {
    return [...this.#entries.of(undefined)].filter(({ state }) => state.isUnready).length;
  }

  /**
   * A notification is new or has changed. A new spec starts a check of its sinks. The check is `urgent` when the change came after the
   * first list.
   */
  set(notification: Notification, urgent: boolean): void {
    const entry = this.#entries.get(notification);
    if (entry?.state.notification.uid !== notification.uid) {
      this.#add(notification, urgent);
      return;
    }
    const { generation } = entry.state.notification;
    entry.state.update(notification);
    if (generation !== notification.generation) {
      entry.failedChecks = 0;
      this.#checks.begin(entry, urgent);
    }
    this.#options.statuses.changed(entry);
  }

  /** The notification is gone. Nothing more is written to its status. */
  delete(notification: Notification): void {
    const entry = this.#entries.get(notification);
    if (entry === undefined) return;
    this.#forget(entry);
    this.#entries.delete(notification);
  }

  /** Other plans match the notification now. */
  rematched(namespace: string, name: string): void {
    const entry = this.#entries.get({ namespace, name });
    if (entry !== undefined) this.#options.statuses.changed(entry);
  }

  /** Something else is known of a whole namespace (undefined: of all). */
  changed(scope: NamespaceScope): void {
    for (const entry of this.#entries.of(scope)) this.#options.statuses.changed(entry);
  }

  settled({ to, event, events, isDegraded, result, reason, message }: Settlement): void {
    if (result === 'suppressed' || (result === 'dropped' && SILENT_DROPS.has(reason))) return;
    const now = this.#options.clock.now();
    const entry = this.#update(to, (sink) => {
      if (result === 'delivered') return arrived(sink, event.kind, !isDegraded, now);
      const without = lost(sink, reason, events.length, now);
      return result === 'failed' ? failed(without, { reason, message }, now) : without;
    });
    if (entry !== undefined) this.#options.statuses.changed(entry);
  }

  /** Deliveries ended in an earlier process. Returns what the status did not show yet. */
  endedBefore(to: SinkAddress, { at: time, event, result, reason, count }: OutcomeLine): Ended | undefined {
    if (result !== 'failed' && (result !== 'dropped' || SILENT_DROPS.has(reason))) return undefined;
    const at = Date.parse(time);
    const known = this.sink(to);
    if (known === undefined || showedEarlier(known, at, result === 'failed' ? undefined : reason))
      return undefined;
    const message = `a ${event} ended like this in an earlier process, which was killed; its log may say more`;
    const now = this.#options.clock.now();
    this.#update(to, (sink) =>
      result === 'failed' ? failed(sink, { reason, message, at }, now) : lost(sink, reason, count, at),
    );
    this.waits(to);
    return { result, reason, message, count };
  }

  /** A replay that was asked for is done. */
  replayed(
    { namespace, name, uid }: Pick<Notification, 'namespace' | 'name' | 'uid'>,
    answer: ReplayStatus,
  ): void {
    const entry = this.#entries.get({ namespace, name });
    if (entry?.uid !== uid) return;
    entry.state.replay = answer;
    this.#options.statuses.changed(entry);
  }

  /** A send has failed, and its delivery waits. */
  sendFailed(to: SinkAddress, { begun, kind, reason, message }: FailedSend): void {
    const { clock, sinks, statuses } = this.#options;
    const lasting = kind === 'quarantined';
    const why = { reason, message, lasting, refused: lasting ? sinks.version(to) : undefined };
    const entry = this.#update(to, (sink) => failed(sink, why, clock.now()));
    if (entry === undefined) return;
    statuses.changed(entry);
    // Its secret may have changed already.
    if (begun && lasting) this.#checks.begin(entry, false);
  }

  /** A message of this kind arrived, but not in the form that the user wanted. */
  degraded(to: SinkAddress, event: EventKind, degradation: Degradation): void {
    this.#update(to, (sink) => degraded(sink, event, degradation));
    this.waits(to);
  }

  /** The configuration or template of a sink has changed: failures and degradations of the old one are dropped, and the sink is checked. */
  renewed(to: SinkAddress): void {
    const entry = this.#update(to, renewed);
    if (entry === undefined) return;
    this.#options.statuses.changed(entry);
    this.#checks.begin(entry, true);
  }

  /** A sink begins or stops to wait, or waits for another reason or until another time. */
  waits({ namespace, notification }: SinkAddress): void {
    this.rematched(namespace, notification);
  }

  /** Nothing more is sent: the statuses show what is left for the next process. */
  stopped(left: readonly LeftSink[]): void {
    this.#left = leftWaits(left);
    for (const { to } of left) this.waits(to);
  }

  /** Ends every timer. The writer may still ask for statuses. */
  close(): void {
    this.#checks.close();
  }

  /** What is known of a sink that its notification lists. */
  sink({ namespace, notification: name, sink }: SinkAddress): SinkRecord | undefined {
    return this.#entries.get({ namespace, name })?.state.sink(sink);
  }

  /** A Warning has reported that deliveries of a sink wait; undefined: that is over. The status does not show it. */
  setIncident(to: SinkAddress, incident: SinkRecord['incident']): void {
    this.#update(to, (sink) => ({ ...sink, incident }));
  }

  #add(notification: Notification, urgent: boolean): void {
    const { namespace, name, uid } = notification;
    const before = this.#entries.get(notification);
    if (before !== undefined) this.#forget(before);
    const state = new NotificationState(notification, this.#options.clock.now());
    const entry: Entry = {
      ...{ namespace, name, uid, state, checksRequested: 0, failedChecks: 0 },
      get observed() {
        return state.notification;
      },
      desired: () => this.#desired(entry),
    };
    this.#entries.set(entry);
    this.#checks.begin(entry, urgent);
    this.#options.statuses.changed(entry);
  }

  #forget(entry: Entry): void {
    this.#options.statuses.forget(entry);
    this.#checks.forget(entry);
  }

  /** Changes what is known of a sink; undefined: its notification does not list it any more. */
  #update(to: SinkAddress, change: (sink: SinkRecord) => SinkRecord): Entry | undefined {
    const entry = this.#entries.get({ namespace: to.namespace, name: to.notification });
    const sink = entry?.state.sink(to.sink);
    if (sink !== undefined) entry?.state.changed(to.sink, change(sink));
    return sink && entry;
  }

  #facts(state: NotificationState): Facts {
    const { dispatcher } = this.#options;
    const waitOf = (to: SinkAddress): SinkWait | undefined =>
      this.#left === undefined
        ? dispatcher.waitOf(to, state.sink(to.sink)?.failure?.wasParked)
        : this.#left.get(sinkKey(to));
    return factsOf(state.notification, this.#options, waitOf);
  }

  /** The status that a notification should have; undefined: it stays as it is. */
  #desired(entry: Entry): NotificationStatus | undefined {
    const { state } = entry;
    if (state.isBlank && !state.isChecked) return undefined;
    const { notification, hasProblem: hadProblem } = state;
    const { clock, instance, planResource } = this.#options;
    const now = clock.now();
    const writer = { instance, ...(planResource !== undefined && { planResource }) };
    const status = state.status(this.#facts(state), writer, now);
    if (state.isBlank) return undefined;
    // A new problem: the secret may have been deleted.
    if (state.hasProblem && !hadProblem) this.#checks.beginIn(FIRST_RECHECK_MS, entry);
    const other = state.otherWriter(instance, now);
    if (other !== undefined) this.#log.otherInstance(notification, other);
    return other === undefined ? status : undefined;
  }

  #checked(entry: Entry, checks: ReadonlyMap<string, SinkCheck>): void {
    const { state } = entry;
    if (state.isJudged && isInconclusive(checks)) {
      // The status stays as it is.
      this.#checkAgain(entry, true);
      return;
    }
    entry.failedChecks = [...checks.values()].every(({ ok }) => ok) ? 0 : entry.failedChecks + 1;
    this.#log.changes(state, checks);
    state.checked(checks, this.#facts(state), this.#options.clock.now());
    this.#options.statuses.changed(entry);
    this.#checkAgain(entry, state.hasProblem);
  }

  /** Sooner while there is a problem: the user wants to see that a correction worked. And when a suspension ends or begins. */
  #checkAgain(entry: Entry, isSoon: boolean): void {
    const { observed, failedChecks } = entry;
    const now = this.#options.serverNow();
    const next = isSoon ? recheckMs(failedChecks, this.#options) : this.#options.recheckReadyMs;
    this.#checks.beginIn(Math.min(next, nextChange(observed, now) - now), entry);
  }
}
