/** What a metric is: from this the metrics are made, and `docs/metrics.md` is written. */
export interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly LabelName[];
  readonly unit: string;
  /** Upper bounds of a histogram's buckets, in its unit. */
  readonly buckets?: readonly number[];
}

/** What each label says. Values are names that the cluster's users gave, or words of a closed set. */
export const LABELS = {
  event: 'the kind of event: Start, Success, Failure, Recovery, PhaseChange, ExecutionProgress',
  sink_type: 'teamchat, botchat or webhook',
  namespace: 'namespace of the notification',
  notification: 'name of the notification',
  sink: 'name of the sink within the notification',
  reason: 'why, as a word; the log, Events and the sinks’ statuses use the same words',
  outcome:
    'delivered, continue (one request of several), throttled, transient, ambiguous, rejected-payload, rejected-configuration or aborted',
  state:
    'late (attempts fail, or the receiver answers slowly), behind (the sink’s own rate limit), blocked (something else than the receiver, see reason), paused (the receiver asked to wait), held (one message fails while others arrive), parked (the receiver takes nothing) or quarantined (the configuration has to be corrected)',
  resource: 'plural name of the resource',
  result:
    'what became of a write; of a status: written, unchanged or failed; of a journal: written, there (another write had come between), failed or refused',
  version: 'version of hnotif',
} as const;
export type LabelName = keyof typeof LABELS;

/** Seconds; a message takes a request or two, but a parked one may wait for hours. */
const LATENCY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86400];
/** Seconds; a request ends after 10. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const SINK = ['namespace', 'notification', 'sink', 'sink_type', 'reason'] as const;

/** Every metric of hnotif's own, by the name it has in the code. */
export const METRICS = {
  events: {
    type: 'counter',
    name: 'hnotif_events_total',
    help: 'Lifecycle events derived from changes of plans, whether or not a notification wants them.',
    labels: ['event'],
    unit: 'events',
  },
  submitted: {
    type: 'counter',
    name: 'hnotif_deliveries_submitted_total',
    help: 'Deliveries handed to the dispatcher: one for each event and subscribed sink.',
    labels: ['sink_type', 'event'],
    unit: 'deliveries',
  },
  delivered: {
    type: 'counter',
    name: 'hnotif_deliveries_delivered_total',
    help: 'Deliveries that the receiver has acknowledged.',
    labels: ['sink_type', 'event'],
    unit: 'deliveries',
  },
  failed: {
    type: 'counter',
    name: 'hnotif_deliveries_failed_total',
    help: 'Deliveries given up after an attempt: the receiver refused this message, or three times failed to take it while it took others of the sink.',
    labels: SINK,
    unit: 'deliveries',
  },
  dropped: {
    type: 'counter',
    name: 'hnotif_deliveries_dropped_total',
    help: 'Deliveries that ended before an answer to them: no room, too old, nobody subscribed any more, or a stop. One that was on its way when it was dropped may have arrived.',
    labels: SINK,
    unit: 'deliveries',
  },
  suppressed: {
    type: 'counter',
    name: 'hnotif_deliveries_suppressed_total',
    help: 'Deliveries that the configuration of the sink says not to send (progress of targets that are not done yet, in the preset layouts default and compact).',
    labels: ['sink_type', 'event'],
    unit: 'deliveries',
  },
  degraded: {
    type: 'counter',
    name: 'hnotif_messages_degraded_total',
    help: 'What did not keep a message from arriving, but changed it: a template that failed, a form that the receiver refused.',
    labels: SINK,
    unit: 'messages',
  },
  deliveryLatency: {
    type: 'histogram',
    name: 'hnotif_delivery_latency_seconds',
    help: 'From the acceptance of a delivery to the 2xx of the receiver, waiting and retries included.',
    labels: ['sink_type'],
    unit: 'seconds',
    buckets: LATENCY_BUCKETS,
  },
  requests: {
    type: 'counter',
    name: 'hnotif_requests_total',
    help: 'Requests to receivers by what became of them. A delivery may take several.',
    labels: ['sink_type', 'outcome'],
    unit: 'requests',
  },
  requestDuration: {
    type: 'histogram',
    name: 'hnotif_request_duration_seconds',
    help: 'How long a single request to a receiver took.',
    labels: ['sink_type'],
    unit: 'seconds',
    buckets: REQUEST_BUCKETS,
  },
  queueDeliveries: {
    type: 'gauge',
    name: 'hnotif_queue_deliveries',
    help: 'Deliveries that were handed over, and wait or are being sent. What its journal has not taken yet is not among them; progress that coalesce_progress will leave out is, until its turn comes.',
    labels: [],
    unit: 'deliveries',
  },
  queueBytes: {
    type: 'gauge',
    name: 'hnotif_queue_bytes',
    help: 'Memory that the deliveries in the queue account for.',
    labels: [],
    unit: 'bytes',
  },
  queueStreams: {
    type: 'gauge',
    name: 'hnotif_queue_streams',
    help: 'Streams (a plan of a sink of a notification) in which something waits.',
    labels: [],
    unit: 'streams',
  },
  sinksWaiting: {
    type: 'gauge',
    name: 'hnotif_sinks_waiting',
    help: 'Sinks for which deliveries wait for longer than a moment, by what keeps them. Each notification has at most its 32 sinks, so there are no more series than that.',
    labels: ['namespace', 'notification', 'state', 'reason'],
    unit: 'sinks',
  },
  requestsInFlight: {
    type: 'gauge',
    name: 'hnotif_requests_in_flight',
    help: 'Requests to receivers without an answer yet.',
    labels: [],
    unit: 'requests',
  },
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
    help: 'Notifications that are served.',
    labels: [],
    unit: 'notifications',
  },
  notReady: {
    type: 'gauge',
    name: 'hnotif_notifications_not_ready',
    help: 'Notifications whose condition Ready is false: somebody has to mend something. It lasts until a message arrives or the configuration is another one, whatever waits, restarts included.',
    labels: [],
    unit: 'notifications',
  },
  matches: {
    type: 'gauge',
    name: 'hnotif_matches',
    help: 'Pairs of a notification and a plan that it matches.',
    labels: [],
    unit: 'pairs',
  },
  runsMissed: {
    type: 'counter',
    name: 'hnotif_runs_missed_total',
    help: 'Runs of plans that came and went while nobody watched, and of which the plan keeps no history.',
    labels: [],
    unit: 'runs',
  },
  watchRestarts: {
    type: 'counter',
    name: 'hnotif_watch_restarts_total',
    help: 'Watches of the API server that had to be opened again.',
    labels: ['resource', 'reason'],
    unit: 'watches',
  },
  lists: {
    type: 'counter',
    name: 'hnotif_lists_total',
    help: 'Complete lists taken from the API server; more than one a resource means that a watch lost its place.',
    labels: ['resource'],
    unit: 'lists',
  },
  objectsUnreadable: {
    type: 'counter',
    name: 'hnotif_objects_unreadable_total',
    help: 'Objects of the API server that could not be read and are left out (a journal is begun anew); the log names object and field.',
    labels: ['resource'],
    unit: 'objects',
  },
  statusWrites: {
    type: 'counter',
    name: 'hnotif_status_writes_total',
    help: 'Statuses of notifications handed to the writer, by what became of them.',
    labels: ['result'],
    unit: 'writes',
  },
  kubeEventsDropped: {
    type: 'counter',
    name: 'hnotif_kubernetes_events_dropped_total',
    help: 'Kubernetes Events that were not written: `refused` by the API server (see the rights of the service account), or `overload` (10,000 others waited). What they say stands in statuses and in the log, too.',
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
    help: 'Deliveries of which no end is known: all that was accepted, be it kept, handed over or neither.',
    labels: [],
    unit: 'deliveries',
  },
  journals: {
    type: 'gauge',
    name: 'hnotif_journals',
    help: 'Journal objects that this process writes; some thirty plans of a namespace share one.',
    labels: [],
    unit: 'journals',
  },
  journalWrites: {
    type: 'counter',
    name: 'hnotif_journal_writes_total',
    help: 'Writes of journals, by what became of them.',
    labels: ['result'],
    unit: 'writes',
  },
  plansUndurable: {
    type: 'gauge',
    name: 'hnotif_plans_undurable',
    help: 'Plans whose journal cannot be written, so that what waits is lost if the process ends; for the reason JournalTooNew it is a newer hnotif’s, and the plan is not served.',
    labels: ['reason'],
    unit: 'plans',
  },
  logLinesLost: {
    type: 'counter',
    name: 'hnotif_log_lines_lost_total',
    help: 'Lines of the log that could not be written: its disk is full, or its reader has gone. Deliveries go on.',
    labels: [],
    unit: 'lines',
  },
  buildInfo: {
    type: 'gauge',
    name: 'hnotif_build_info',
    help: 'Always 1; the label says which version runs.',
    labels: ['version'],
    unit: '',
  },
} as const satisfies Record<string, MetricSpec>;
