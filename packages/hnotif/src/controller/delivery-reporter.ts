import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { About, LoggedEvent, Setback, Settlement, Stall, StallKind } from '../dispatch/delivery.ts';
import type { DispatchListener } from '../dispatch/listener.ts';
import type { Waiting } from '../dispatch/dispatcher.ts';
import { SILENT_DROPS } from '../dispatch/reasons.ts';
import { CATCHING_UP } from '../dispatch/stalls.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { EventKind } from '../resources/kinds.ts';
import { describeDegradation, type Degradation } from '../sinks/degradation.ts';
import type { Outcome } from '../sinks/outcome.ts';
import { FORMER_PROCESS } from '../sinks/teamchat/thread/post-root.ts';
import type { Ending } from '../journal/state.ts';
import { Lines, type Sum } from './lines.ts';
import type { Ended } from './notification-state.ts';
import { Troubles, type Recovery } from './troubles.ts';
import { durationInWords, waitingInWords } from './words.ts';

/** How many deliveries ended how. */
export interface Totals {
  readonly delivered: number;
  readonly failed: number;
  readonly dropped: number;
  /** Not sent, since the sink's configuration says so. */
  readonly suppressed: number;
}

export interface DeliveryReporterOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Moves the sink's status. */
  readonly settled: (settlement: Settlement) => void;
  /** A send has failed and its delivery waits: shown in the sink's status, and in the condition. */
  readonly putOff: (to: SinkAddress, setback: Setback) => void;
  /** Something waits for longer than a moment, for another reason or until another time than was told; or no more: shown in the status. */
  readonly waits: (to: SinkAddress) => void;
  /** So deliveries ended in an earlier process: shown in the sink's status. Whether that is news. */
  readonly ended: (to: SinkAddress, ended: Ended, at: number) => boolean;
  /** A message arrived otherwise than the user wished for: shown in the condition. */
  readonly noticed: (to: SinkAddress, event: EventKind, notice: Degradation) => void;
  /** The receiver refused the credential or the address. */
  readonly rejected: (to: SinkAddress) => void;
  /** Tells the notification's owner with a Kubernetes Event; those of one sink, reason and `cause` make a series. */
  readonly warn: (to: SinkAddress, reason: string, message: string, cause: string) => void;
  /** …and of what is well again. */
  readonly inform: (to: SinkAddress, reason: string, message: string) => void;
}

/** What an Event says of a sink that is parked. */
const PARKED = { parked: 'SinkParked', quarantined: 'SinkQuarantined' } as const;

/** Waits that end by themselves within seconds: a status shows them, a warning would be noise. */
const PASSING: ReadonlySet<string> = new Set([CATCHING_UP.reason, FORMER_PROCESS.reason]);

/** What is told when it begins, by `putOff`. */
const TOLD: ReadonlySet<StallKind> = new Set(['held', 'parked', 'quarantined']);

/** Tells what becomes of deliveries wherever somebody looks: metrics, log, the sink's status, Kubernetes Events. */
export class DeliveryReporter implements DispatchListener {
  readonly #options: DeliveryReporterOptions;
  readonly #totals = { delivered: 0, failed: 0, dropped: 0, suppressed: 0 };
  readonly #lines: Lines;
  readonly #troubles = new Troubles();

  constructor(options: DeliveryReporterOptions) {
    this.#options = options;
    this.#lines = new Lines(options.clock);
  }

  get totals(): Totals {
    return { ...this.#totals };
  }

  attempted({ to, sinkType, event }: About, outcome: Outcome, durationMs: number): void {
    const { log, metrics, rejected } = this.#options;
    metrics.requests.inc({ sink_type: sinkType, outcome: outcome.kind });
    metrics.requestDuration.observe({ sink_type: sinkType }, durationMs / 1000);
    if (outcome.kind === 'delivered' || outcome.kind === 'continue' || outcome.kind === 'wait') return;
    if (outcome.kind === 'rejected-configuration') rejected(to);
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
    this.#options.settled(settlement);
  }

  noticed({ to, sinkType, event }: About, notice: Degradation): void {
    const { reason } = notice;
    const message = describeDegradation(notice);
    const { log, metrics, noticed, warn } = this.#options;
    const { namespace, notification, sink } = to;
    metrics.degraded.inc({ namespace, notification, sink, sink_type: sinkType, reason });
    this.#lines.add(keyOf('degraded', to, reason), 1, (sum) => {
      log.warn(
        { ...where(to, event), reason, detail: message, ...more(sum) },
        several(sum, 'message degraded'),
      );
    });
    warn(to, reason, `sink ${sink}: ${message}`, '');
    noticed(to, event.kind, notice);
  }

  putOff({ to, event }: About, setback: Setback): void {
    const { log, warn, putOff } = this.#options;
    const { kind, begun, reason, message, waiting, nextAt } = setback;
    const next = new Date(nextAt).toISOString();
    const about = { ...where(to, event), reason, detail: message, waiting, next };
    if (kind === 'held')
      this.#lines.add(keyOf(kind, to, reason), 1, (sum) => {
        log.warn({ ...about, ...more(sum) }, several(sum, 'delivery put off'));
      });
    else if (begun) {
      log.warn(about, `sink ${kind}`);
      warn(to, PARKED[kind], `sink ${to.sink}: ${reason}: ${message}; deliveries wait`, reason);
      this.#troubles.begun(to, setback);
    } else {
      log.debug(about, `sink still ${kind}`);
      this.#troubles.waits(to, setback);
    }
    putOff(to, setback);
  }

  waits(to: SinkAddress, stall: Stall, begun: boolean): void {
    const { log, warn } = this.#options;
    const { kind, reason, message, waiting, nextAt } = stall;
    // A failure is told by itself, and what ends soon needs no warning.
    if (begun && !TOLD.has(kind) && !PASSING.has(reason)) {
      const until = nextAt === 0 ? {} : { until: new Date(nextAt).toISOString() };
      log.warn({ ...sinkOf(to), state: kind, reason, detail: message, waiting, ...until }, 'sink waits');
      warn(to, reason, `sink ${to.sink}: ${waitingInWords(stall)}: ${message}`, kind);
      this.#troubles.begun(to, stall);
    } else this.#troubles.waits(to, stall);
    this.#options.waits(to);
  }

  flows(to: SinkAddress): void {
    this.#options.waits(to);
    this.#recovered(to, this.#troubles.flows(to));
  }

  /** What a journal says of deliveries that ended: an earlier process may have been killed before it told anyone. */
  left(to: SinkAddress, { at, event, result, reason, count }: Ending): void {
    const isFailure = result === 'failed';
    if ((!isFailure && result !== 'dropped') || SILENT_DROPS.has(reason)) return;
    const message = `a ${event} ended so in an earlier process, which was killed; its log may tell more`;
    const ended: Ended = { result, reason, message, count };
    if (!this.#options.ended(to, ended, Date.parse(at))) return;
    const { log, warn } = this.#options;
    log.warn({ ...sinkOf(to), event, result, reason, count, at }, 'deliveries of an earlier process ended');
    warn(
      to,
      isFailure ? 'DeliveryFailed' : 'DeliveryDropped',
      `sink ${to.sink}: ${reason}: ${message}`,
      reason,
    );
  }

  released(to: SinkAddress, waiting: number, forMs: number): void {
    const seconds = Math.round(forMs / 1000);
    this.#options.log.info({ ...sinkOf(to), waiting, seconds }, 'sink takes messages again');
    this.#recovered(to, this.#troubles.released(to));
  }

  /** The sink is gone. */
  forget(to: SinkAddress): void {
    this.#troubles.forget(to);
  }

  /** A stop waits for these, for so long (milliseconds) at the most. */
  drains(sinks: Waiting, ms: number): void {
    const about = { deliveries: sinks.deliveries, seconds: Math.round(ms / 1000), sinks: named(sinks) };
    this.#options.log.info(about, 'the stop waits for deliveries');
  }

  /** …and so much is left by it. */
  notSent(sinks: Waiting): void {
    const about = { deliveries: sinks.deliveries, sinks: named(sinks) };
    this.#options.log.warn(about, 'the stop leaves deliveries');
  }

  fault(error: unknown): void {
    this.#options.log.error({ err: error }, 'fault in the dispatcher');
  }

  /** Tells what has not been told. */
  close(): void {
    this.#lines.close();
  }

  /** The end of what a Warning has told. */
  #recovered(to: SinkAddress, recovery: Recovery | undefined): void {
    if (recovery === undefined) return;
    const { clock, inform } = this.#options;
    const { waiting, since } = recovery;
    const were = waiting === 1 ? '1 delivery was' : `${waiting} deliveries were`;
    const age = since === Infinity ? '' : `, the oldest for ${durationInWords(clock.now() - since)}`;
    inform(to, 'SinkRecovered', `sink ${to.sink} is delivering again; ${were} waiting${age}`);
  }

  #delivered({ to, sinkType, event, requests, latencyMs }: Settlement): void {
    const { log, metrics } = this.#options;
    metrics.delivered.inc({ sink_type: sinkType, event: event.kind });
    metrics.deliveryLatency.observe({ sink_type: sinkType }, latencyMs / 1000);
    this.#recovered(to, this.#troubles.arrived(to));
    if (log.isLevelEnabled('debug'))
      log.debug({ ...where(to, event), requests, latencyMs: Math.round(latencyMs) }, 'delivered');
  }

  #lost(settlement: Settlement, result: 'failed' | 'dropped'): void {
    const { log, metrics, warn } = this.#options;
    const { to, sinkType, event, events, reason, message, requests } = settlement;
    const { namespace, notification, sink } = to;
    metrics[result].inc({ namespace, notification, sink, sink_type: sinkType, reason }, events.length);
    const key = keyOf(result, to, reason);
    if (result === 'dropped') {
      this.#lines.add(key, events.length, (sum) => {
        this.#dropped(settlement, sum);
      });
      return;
    }
    this.#lines.add(key, 1, (sum) => {
      const about = { ...where(to, event), reason, detail: message, requests };
      log.error({ ...about, ...more(sum) }, several(sum, 'delivery failed'));
    });
    warn(to, 'DeliveryFailed', `sink ${sink}: ${reason}: ${message}`, reason);
  }

  #dropped({ to, event, reason, message }: Settlement, sum: Sum): void {
    const { log, warn } = this.#options;
    const { count, total } = sum;
    log.warn({ ...where(to, event), reason, detail: message, ...more(sum), count }, 'deliveries dropped');
    if (SILENT_DROPS.has(reason)) return;
    // An Event is written over by the next of its series, and has to tell of all of it.
    const number = total === 1 ? '' : ` (${total} deliveries)`;
    warn(to, 'DeliveryDropped', `sink ${to.sink}: ${reason}: ${message}${number}`, reason);
  }
}

/** What lines of the log are alike. */
const keyOf = (what: string, { namespace, notification, sink }: SinkAddress, reason: string): string =>
  [what, namespace, notification, sink, reason].join('/');

/** How many the line tells of, where it may be several: since when. */
const more = ({ count, since }: Sum) =>
  since === undefined ? {} : { count, since: new Date(since).toISOString() };

/** `deliveries failed` where the line tells of all that came since the last one. */
const several = ({ since }: Sum, one: string): string =>
  since === undefined ? one : one.replace('delivery', 'deliveries').replace('message', 'messages');

/** The sinks in words: how many wait for each, and why. */
const named = ({ first, more }: Waiting): string[] => [
  ...first.map(({ to, stall }) => {
    const { namespace, notification, sink } = to;
    const { reason, message } = stall;
    return `${namespace}/${notification}, sink ${sink}: ${waitingInWords(stall)}: ${reason}: ${message}`;
  }),
  ...(more > 0 ? [`and ${more} more`] : []),
];

const sinkOf = ({ namespace, notification, sink }: SinkAddress) => ({
  notification: `${namespace}/${notification}`,
  sink,
});

const where = (to: SinkAddress, event: LoggedEvent) => ({
  ...sinkOf(to),
  plan: `${event.namespace}/${event.plan}`,
  event: event.kind,
  eventId: event.id,
});
