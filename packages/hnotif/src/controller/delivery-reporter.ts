import { deliveryId } from '@hnotif/core/lifecycle';
import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import { groupedBy } from '@hnotif/core/grouped-by';
import { journalsOf, type Notification, type Plan, type SinkAddress } from '@hnotif/core/resources';
import type {
  About,
  FailedSend,
  RequestTimes,
  Settlement,
  SinkWait,
  WaitKind,
} from '../dispatch/delivery.ts';
import type { DispatchListener } from '../dispatch/listener.ts';
import type { Acceptance, LoggedEvent, Routed } from '../dispatch/log-entry.ts';
import { HARMLESS_DROPS, SILENT_DROPS } from '../dispatch/reasons.ts';
import { CATCHING_UP, TOLD_AFTER } from '../dispatch/sink-waits.ts';
import type { Metrics } from '../observe/metrics.ts';
import { describeDegradation, type Degradation, type Outcome, FORMER_PROCESS } from '@hnotif/core/sinks';
import type { OutcomeLine } from '../journal/outcome-line.ts';
import { LogSeries, type Sum } from './log-series.ts';
import type { Ended } from '../status/notification-state.ts';
import type { NotificationEvents } from './notification-events.ts';
import { isOver, stillWaiting, warned, type Incident } from '../status/incident.ts';
import type { SinkRecord } from '../status/sink-record.ts';
import { durationInWords, waitingInWords } from '../status/words.ts';

/** How deliveries have ended. */
export interface Totals {
  readonly delivered: number;
  readonly failed: number;
  readonly dropped: number;
  /** Not sent, because the configuration of the sink says so. */
  readonly suppressed: number;
}

interface DeliveryReporterOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly events: Pick<NotificationEvents, 'warn' | 'inform' | 'warnPlan'>;
  /** Has the incident of each sink. */
  readonly sinks: {
    sink(to: SinkAddress): Pick<SinkRecord, 'incident'> | undefined;
    setIncident(to: SinkAddress, incident: Incident | undefined): void;
  };
}

/** Reasons of the Events when a circuit opens. */
const CIRCUIT_OPEN = { parked: 'SinkParked', quarantined: 'SinkQuarantined' } as const;

/** Waits that end by themselves within seconds, or that a user has asked for. The status shows them, but they need no Warning. */
const PASSING: ReadonlySet<string> = new Set([CATCHING_UP.reason, FORMER_PROCESS.reason, TOLD_AFTER.reason]);

/** Waits that `sendFailed` reports when they begin. */
const REPORTED: ReadonlySet<WaitKind> = new Set(['held', 'parked', 'quarantined']);

type LineFields = Readonly<Record<string, unknown>> & { readonly reason: string };

/** Reports what becomes of deliveries: to metrics, the log and Kubernetes Events. */
export class DeliveryReporter implements DispatchListener {
  readonly #options: DeliveryReporterOptions;
  readonly #totals = { delivered: 0, failed: 0, dropped: 0, suppressed: 0 };
  readonly #lines: LogSeries;

  constructor(options: DeliveryReporterOptions) {
    this.#options = options;
    this.#lines = new LogSeries(options.clock);
  }

  get totals(): Totals {
    return { ...this.#totals };
  }

  /** Events were accepted. A change may make thousands of one kind, all for the same hundreds of sinks. */
  accepted(events: readonly Routed[]): void {
    const { submitted } = this.#options.metrics;
    for (const [to, ofSinks] of groupedBy(events, (event) => event.to))
      for (const [type, streams] of groupedBy(to, (stream) => stream.type))
        for (const [kind, { length }] of groupedBy(ofSinks, ({ event }) => event.kind))
          submitted.inc({ sink_type: type, event: kind }, length * streams.length);
  }

  /** Events were stored and may be sent. */
  released([first]: readonly Pick<Acceptance, 'since'>[]): void {
    const { clock, metrics } = this.#options;
    if (first !== undefined) metrics.journalDelay.observe((clock.monotonic() - first.since) / 1000);
  }

  attempted({ to, sinkType, event }: About, outcome: Outcome, { sent, ended }: RequestTimes): void {
    const { log, metrics } = this.#options;
    metrics.requests.inc({ sink_type: sinkType, outcome: outcome.kind });
    metrics.requestDuration.observe({ sink_type: sinkType }, (ended - sent) / 1000);
    if (outcome.kind === 'delivered' || outcome.kind === 'continue' || outcome.kind === 'wait') return;
    if (!log.isLevelEnabled('debug')) return;
    const { kind, reason, message } = outcome;
    log.debug({ ...where(to, event), outcome: kind, reason, detail: message }, 'attempt failed');
  }

  settled(settlement: Settlement): void {
    this.#totals[settlement.result] += settlement.events.length;
    const { result, sinkType, event } = settlement;
    if (result === 'delivered') this.#delivered(settlement);
    else if (result === 'suppressed')
      this.#options.metrics.suppressed.inc({ sink_type: sinkType, event: event.kind });
    else this.#lost(settlement, result);
  }

  degraded({ to, sinkType, event }: About, degradation: Degradation): void {
    const { reason } = degradation;
    const message = describeDegradation(degradation);
    const { metrics, events } = this.#options;
    const { namespace, notification, sink } = to;
    metrics.degraded.inc({ namespace, notification, sink, sink_type: sinkType, reason });
    this.#line('warn', 'message degraded', to, { ...where(to, event), reason, detail: message });
    events.warn(to, reason, message, '');
  }

  sendFailed({ to, event }: About, failure: FailedSend): void {
    const { log, events } = this.#options;
    const { kind, begun, reason, message, waiting, nextAt } = failure;
    const next = new Date(nextAt).toISOString();
    const about = { ...where(to, event), reason, detail: message, waiting, next };
    if (kind === 'held') this.#line('warn', 'delivery put off', to, about);
    else if (begun) {
      log.warn(about, `sink ${kind}`);
      events.warn(to, CIRCUIT_OPEN[kind], `${reason}: ${message}; deliveries wait`, reason);
      this.#warned(to, failure);
    } else {
      log.debug(about, `sink still ${kind}`);
      this.#incident(to, (known) => stillWaiting(known, failure));
    }
  }

  waits(to: SinkAddress, wait: SinkWait, begun: boolean): void {
    const { log, events } = this.#options;
    const { kind, reason, message, waiting, nextAt } = wait;
    if (begun && !REPORTED.has(kind) && !PASSING.has(reason)) {
      const until = nextAt === 0 ? {} : { until: new Date(nextAt).toISOString() };
      log.warn({ ...sinkOf(to), state: kind, reason, detail: message, waiting, ...until }, 'sink waits');
      events.warn(to, reason, `${waitingInWords(wait)}: ${message}`, kind);
      this.#warned(to, wait);
    } else this.#incident(to, (known) => stillWaiting(known, wait));
  }

  resumed(to: SinkAddress): void {
    this.#incident(to, (known) => ({ ...known, isWaiting: false }));
  }

  /** Deliveries ended in an earlier process, which may have been killed before it reported them. */
  endedBefore(to: SinkAddress, { at, event }: OutcomeLine, ended: Ended): void {
    const { result, reason, count } = ended;
    const about = { ...sinkOf(to), event, result, reason, count, at };
    this.#options.log.warn(about, 'deliveries of an earlier process ended');
    this.#warnOfLoss(to, ended);
  }

  /** The entry of a plan in its journal cannot be read. */
  journalUnreadable(plan: Plan, message: string): void {
    const { metrics, events } = this.#options;
    metrics.objectsUnreadable.inc({ resource: journalsOf('').plural });
    events.warnPlan(plan, 'JournalUnreadable', message);
  }

  /** The version of a plan is lower than before. States that were reported make no events. `of`: its notifications. */
  wentBack({ namespace, name }: Plan, of: readonly Pick<Notification, 'name'>[]): void {
    const { log, events } = this.#options;
    for (const { name: notification } of of) {
      const to = { namespace, notification, sink: '' };
      this.#lines.add(namespace, keyOf('went back', to, ''), 1, ({ total, count }) => {
        const notificationName = `${namespace}/${notification}`;
        log.warn({ plan: `${namespace}/${name}`, notification: notificationName, count }, WENT_BACK);
        const plans = total === 1 ? `plan ${name} shows` : `${total} plans, such as ${name}, show`;
        events.warn(to, 'OlderStateSeen', `${plans} an older state than before: ${WENT_BACK}`, '');
      });
    }
  }

  circuitClosed(to: SinkAddress, waiting: number, forMs: number): void {
    const seconds = Math.round(forMs / 1000);
    this.#options.log.info({ ...sinkOf(to), waiting, seconds }, 'sink takes messages again');
    this.#incident(to, (known) => ({ ...known, isWaiting: false, hasArrived: true }));
  }

  fault(error: unknown): void {
    this.#options.log.error({ err: error }, 'internal error in the dispatcher');
  }

  /** Writes the log lines that are due. */
  close(): void {
    this.#lines.close();
  }

  #warned(to: SinkAddress, wait: SinkWait): void {
    const { sinks } = this.#options;
    sinks.setIncident(to, warned(sinks.sink(to)?.incident, wait));
  }

  /** Changes the incident of a sink, if it has one. Reports that it is over. */
  #incident(to: SinkAddress, change: (known: Incident) => Incident): void {
    const { clock, events, sinks } = this.#options;
    const known = sinks.sink(to)?.incident;
    if (known === undefined) return;
    const incident = change(known);
    const isEnd = isOver(incident);
    sinks.setIncident(to, isEnd ? undefined : incident);
    if (!isEnd) return;
    const { waiting, since } = incident;
    const were = waiting === 1 ? '1 delivery was' : `${waiting} deliveries were`;
    const age = since === Infinity ? '' : `, the oldest for ${durationInWords(clock.now() - since)}`;
    events.inform(to, 'SinkRecovered', `sink ${to.sink} is delivering again; ${were} waiting${age}`);
  }

  #delivered({ to, sinkType, event, requestCount, delayMs }: Settlement): void {
    const { log, metrics } = this.#options;
    metrics.delivered.inc({ sink_type: sinkType, event: event.kind });
    metrics.deliveryDelay.observe({ sink_type: sinkType, event: event.kind }, delayMs / 1000);
    this.#incident(to, (known) => ({ ...known, hasArrived: true }));
    if (log.isLevelEnabled('debug'))
      log.debug({ ...where(to, event), requests: requestCount, delayMs: Math.round(delayMs) }, 'delivered');
  }

  #lost(settlement: Settlement, result: 'failed' | 'dropped'): void {
    const { log, metrics } = this.#options;
    const { to, sinkType, event, events, reason, message, requestCount } = settlement;
    const { namespace, notification, sink } = to;
    metrics[result].inc({ namespace, notification, sink, sink_type: sinkType, reason }, events.length);
    const about = { ...where(to, event), reason, detail: message };
    if (result === 'failed') {
      this.#line('error', 'delivery failed', to, { ...about, requests: requestCount });
      this.#warnOfLoss(to, { result, reason, message, count: 1 }, event);
    } else
      this.#lines.add(namespace, keyOf('dropped', to, reason), events.length, (sum) => {
        const { count, total } = sum;
        log.warn({ ...about, ...more(sum), count }, 'deliveries dropped');
        if (!SILENT_DROPS.has(reason) && !HARMLESS_DROPS.has(reason))
          this.#warnOfLoss(to, { result, reason, message, count: total }, event);
      });
  }

  /** A log line, or one in ten seconds for all with the same text, sink and reason. */
  #line(level: 'warn' | 'error', text: string, to: SinkAddress, about: LineFields): void {
    this.#lines.add(to.namespace, keyOf(text, to, about.reason), 1, (sum) => {
      this.#options.log[level]({ ...about, ...more(sum) }, several(sum, text));
    });
  }

  /** `count`: of all deliveries of the series. Its next Event replaces this one. */
  #warnOfLoss(to: SinkAddress, { result, reason, message, count }: Ended, last?: LoggedEvent): void {
    const eventReason = result === 'failed' ? 'DeliveryFailed' : 'DeliveryDropped';
    const number = count === 1 ? '' : ` (${count} deliveries)`;
    const which = last === undefined ? '' : lastOf(last);
    this.#options.events.warn(to, eventReason, `${reason}: ${message}${number}${which}`, reason);
  }
}

const WENT_BACK =
  'the API server was restored from a backup, or answered from a stale cache; what was reported before is not sent again';

/** Log lines with the same key make one series. */
const keyOf = (what: string, { namespace, notification, sink }: SinkAddress, reason: string): string =>
  [what, namespace, notification, sink, reason].join('/');

/** The number of deliveries of a line, and since when it counts them. */
const more = ({ count, since }: Sum) =>
  since === undefined ? {} : { count, since: new Date(since).toISOString() };

/** In the plural when the line is about all deliveries since the last line. */
const several = ({ since }: Sum, one: string): string =>
  since === undefined ? one : one.replace('delivery', 'deliveries').replace('message', 'messages');

const sinkOf = ({ namespace, notification, sink }: SinkAddress) => ({
  notification: `${namespace}/${notification}`,
  sink,
});

const where = (to: SinkAddress, event: LoggedEvent) => ({
  ...sinkOf(to),
  plan: `${event.namespace}/${event.plan}`,
  event: event.kind,
  eventId: event.id,
  messageId: deliveryId(event.id, to.namespace, to.notification, to.sink),
});

/** For `hnotif trace`. */
const lastOf = ({ kind, plan, id }: LoggedEvent): string => `; the last: ${kind} of ${plan}, id ${id}`;
