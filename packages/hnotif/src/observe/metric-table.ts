import { SINK_TYPES } from '@hnotif/core/resources';
import { DELIVERY_METRICS, REQUEST_BUCKETS } from './delivery-metrics.ts';

/** A metric. `docs/metrics.md` is made from the same table. */
export interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly LabelName[];
  readonly unit: string;
  /** Upper bounds of a histogram's buckets, in its unit. */
  readonly buckets?: readonly number[];
}

/** The labels. Their values are names from the cluster, or words of a closed set. */
export const LABELS = {
  event: 'the kind of event: Start, Success, Failure, Recovery, PhaseChange, ExecutionProgress',
  sink_type: SINK_TYPES.join(', '),
  namespace: 'namespace of the notification',
  notification: 'name of the notification',
  sink: 'name of the sink within the notification',
  reason: 'the reason as one word; the log, Events and statuses use the same words',
  outcome:
    'delivered, continue (one request of several), throttled, transient, ambiguous, rejected-payload, rejected-configuration or aborted',
  state:
    'late (attempts fail, or the receiver answers slowly), behind (the sink’s own rate limit), blocked (by something other than the receiver, see reason), paused (the receiver asked to wait), held (one message fails while others arrive), parked (the receiver takes nothing) or quarantined (the configuration must be corrected)',
  resource: 'plural name of the resource',
  result:
    'the result of a write; of a status: written, unchanged or failed; of a journal: written, there (another write came first), failed or refused; of a span: sent, overflow (the collector is too slow), failed (it did not take it) or refused',
  method: 'the HTTP method',
  code: 'the HTTP status of the answer; none: there was no answer',
  version: 'version of hnotif',
} as const;
type LabelName = keyof typeof LABELS;

/** Seconds. After 30 seconds of errors hnotif delivers from memory. */
const JOURNAL_BUCKETS = [...REQUEST_BUCKETS, 30, 60];

/** The metrics of hnotif, by their names in the code. */
export const METRICS = {
  ...DELIVERY_METRICS,
  plans: {
    type: 'gauge',
    name: 'hnotif_plans',
    help: 'Plans that are watched.',
    labels: [],
    unit: 'plans',
  },
  notifications: {
    type: 'gauge',
    name: 'hnotif_notifications',
    help: 'Notifications that are watched.',
    labels: [],
    unit: 'notifications',
  },
  notReady: {
    type: 'gauge',
    name: 'hnotif_notifications_not_ready',
    help: 'Notifications whose condition Ready is false: a correction is needed. Ready stays false, also after a restart, until a message arrives or the configuration changes.',
    labels: [],
    unit: 'notifications',
  },
  unserved: {
    type: 'gauge',
    name: 'hnotif_namespaces_unserved',
    help: 'Namespaces of --watch-namespaces whose plans, notifications or journals cannot be watched now; without that flag 1 stands for all. /readyz says which, and why.',
    labels: [],
    unit: 'namespaces',
  },
  matches: {
    type: 'gauge',
    name: 'hnotif_matches',
    help: 'Pairs of a notification and a matching plan.',
    labels: [],
    unit: 'pairs',
  },
  runsMissed: {
    type: 'counter',
    name: 'hnotif_runs_missed_total',
    help: 'Runs of plans that began and ended while hnotif did not watch, and that the plan’s history no longer has.',
    labels: [],
    unit: 'runs',
  },
  kubeRequests: {
    type: 'counter',
    name: 'hnotif_kubernetes_requests_total',
    help: 'Requests to the API server, without renewals of the Lease. A watch counts when it begins.',
    labels: ['method', 'code'],
    unit: 'requests',
  },
  watchRestarts: {
    type: 'counter',
    name: 'hnotif_watch_restarts_total',
    help: 'Watches of the API server that were opened again.',
    labels: ['resource', 'reason'],
    unit: 'watches',
  },
  lists: {
    type: 'counter',
    name: 'hnotif_lists_total',
    help: 'Complete lists from the API server. More than one for a resource means that a watch could not continue.',
    labels: ['resource'],
    unit: 'lists',
  },
  objectsUnreadable: {
    type: 'counter',
    name: 'hnotif_objects_unreadable_total',
    help: 'Objects of the API server that could not be read and are ignored (hnotif begins a new journal). The log names object and field.',
    labels: ['resource'],
    unit: 'objects',
  },
  statusWrites: {
    type: 'counter',
    name: 'hnotif_status_writes_total',
    help: 'Statuses of notifications given to the writer, by result.',
    labels: ['result'],
    unit: 'writes',
  },
  kubeEventsDropped: {
    type: 'counter',
    name: 'hnotif_kubernetes_events_dropped_total',
    help: 'Kubernetes Events that were not written: `refused` by the API server (see the rights of the service account), or `overload` (10,000 others waited). Statuses and the log have their content, too.',
    labels: ['reason'],
    unit: 'Events',
  },
  leader: {
    type: 'gauge',
    name: 'hnotif_leader',
    help: '1 while this process leads, 0 while it stands by.',
    labels: [],
    unit: '',
  },
  journalDeliveries: {
    type: 'gauge',
    name: 'hnotif_journal_deliveries',
    help: 'Accepted deliveries that have not ended, also those that are not yet kept or not yet in the queue.',
    labels: [],
    unit: 'deliveries',
  },
  journals: {
    type: 'gauge',
    name: 'hnotif_journals',
    help: 'Journal objects that this process writes. About thirty plans of a namespace share one.',
    labels: [],
    unit: 'journals',
  },
  journalWrites: {
    type: 'counter',
    name: 'hnotif_journal_writes_total',
    help: 'Writes of journals, by result.',
    labels: ['result'],
    unit: 'writes',
  },
  journalDelay: {
    type: 'histogram',
    name: 'hnotif_journal_delay_seconds',
    help: 'Time from the moment when the watch showed a change to the end of the journal write that has its first event, and 0 for events that the status of the plan proves. Nothing is sent before. While a journal cannot be written: to the moment when hnotif decides to deliver from memory.',
    labels: [],
    unit: 'seconds',
    buckets: JOURNAL_BUCKETS,
  },
  plansUndurable: {
    type: 'gauge',
    name: 'hnotif_plans_undurable',
    help: 'Plans whose journal cannot be written, so that their waiting deliveries are lost if the process ends. With the reason JournalTooNew the journal is that of a newer hnotif, and the plan is not served.',
    labels: ['reason'],
    unit: 'plans',
  },
  traceSpans: {
    type: 'counter',
    name: 'hnotif_trace_spans_total',
    help: 'Spans of traces, by what became of them. Only with OTEL_EXPORTER_OTLP_ENDPOINT.',
    labels: ['result'],
    unit: 'spans',
  },
  logLinesLost: {
    type: 'counter',
    name: 'hnotif_log_lines_lost_total',
    help: 'Log lines that could not be written: the disk is full, or the reader has closed the stream. Deliveries continue.',
    labels: [],
    unit: 'lines',
  },
  buildInfo: {
    type: 'gauge',
    name: 'hnotif_build_info',
    help: 'Always 1. The label has the version.',
    labels: ['version'],
    unit: '',
  },
} as const satisfies Record<string, MetricSpec>;
