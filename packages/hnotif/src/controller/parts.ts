import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { KubeClient } from '../cluster/client.ts';
import type { EventRecorder } from '../cluster/event-recorder.ts';
import type { Leadership } from '../cluster/leadership.ts';
import type { StatusWriter } from '../cluster/status-writer.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { RateLimiter, Threads } from '@hnotif/core/sinks';
import type { JournalObjectOptions } from '../journal/journal-object.ts';
import type { Journals } from '../journal/journals.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { TemplatePool } from '../template-pool/pool.ts';
import type { Routes } from '@hnotif/core/routing';
import type { StatusTracker } from '../status/status-tracker.ts';
import type { Transport } from '../transport/client.ts';
import type { DeliveryReporter } from './delivery-reporter.ts';
import type { GracePeriods } from './grace-periods.ts';
import type { Intake } from './intake.ts';
import type { MetricSeries } from './metric-series.ts';
import type { ControllerOptions } from './options.ts';
import type { Repairs } from './repairs.ts';
import type { Replays } from './replays.ts';
import type { SinkResolver } from './sink-resolver.ts';
import type { Traces } from './traces.ts';
import type { WatchHealth } from './watch-health.ts';
import type { Watches } from './watches.ts';

/** What the service is given. */
export interface ServiceDeps {
  readonly options: ControllerOptions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly traces: Traces | undefined;
  readonly leadership: Pick<Leadership, 'identity' | 'installedAt' | 'isRenewed'>;
  /** The term in which this process leads. */
  readonly term: number;
  /** Checks the Lease after a journal has shown a later term. */
  readonly fenced: JournalObjectOptions['fenced'];
}

/** The parts of the service, in the order in which an event passes them. `buildPipeline` makes them in another order. */
export interface Pipeline {
  readonly watches: Watches;
  readonly routes: Routes;
  readonly intake: Intake;
  readonly journals: Journals;
  readonly dispatcher: Dispatcher;
  readonly sinks: SinkResolver;
  /** What sinks share. */
  readonly rateLimits: RateLimiter;
  readonly templates: TemplatePool;
  readonly threads: Threads;
  readonly repairs: Repairs;
  readonly replays: Replays;
  readonly gracePeriods: GracePeriods;
  /** Reports. */
  readonly statusTracker: StatusTracker;
  readonly statuses: StatusWriter;
  readonly reporter: DeliveryReporter;
  readonly events: EventRecorder;
  readonly series: MetricSeries;
  readonly watchHealth: WatchHealth;
  /** Undefined: traces are off. */
  readonly traces: Traces | undefined;
}
