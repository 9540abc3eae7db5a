/** Seconds. A message takes one or two requests, but a parked one may wait for hours. */
const DELAY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86400];
/** Seconds. A request ends after 10 seconds. */
export const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const SINK = ['namespace', 'notification', 'sink', 'sink_type', 'reason'] as const;

/** The metrics of deliveries, from an event to the answer of a receiver. */
export const DELIVERY_METRICS = {
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
    help: 'Deliveries that failed for good: the receiver refused this message, or failed three times to take it while it took other messages of the sink.',
    labels: SINK,
    unit: 'deliveries',
  },
  dropped: {
    type: 'counter',
    name: 'hnotif_deliveries_dropped_total',
    help: 'Deliveries that ended without an answer: no room, too old, no longer subscribed, or a stop. A delivery that was being sent when it was dropped may have arrived.',
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
    help: 'Messages that arrived in another form than the user wanted: for example the template failed, or the receiver refused the format.',
    labels: SINK,
    unit: 'messages',
  },
  deliveryDelay: {
    type: 'histogram',
    name: 'hnotif_delivery_delay_seconds',
    help: 'Time from the moment when the watch showed the write of the plan’s status to the 2xx of the receiver: journal write, waiting and retries. It continues across restarts. Time in which no hnotif followed the plan is not in it: the plan’s own times are whole seconds of another clock.',
    labels: ['sink_type', 'event'],
    unit: 'seconds',
    buckets: DELAY_BUCKETS,
  },
  requests: {
    type: 'counter',
    name: 'hnotif_requests_total',
    help: 'Requests to receivers, by outcome. A delivery may take several.',
    labels: ['sink_type', 'outcome'],
    unit: 'requests',
  },
  requestDuration: {
    type: 'histogram',
    name: 'hnotif_request_duration_seconds',
    help: 'Duration of one request to a receiver.',
    labels: ['sink_type'],
    unit: 'seconds',
    buckets: REQUEST_BUCKETS,
  },
  queueDeliveries: {
    type: 'gauge',
    name: 'hnotif_queue_deliveries',
    help: 'Deliveries that wait or are being sent. Progress that coalesce_progress will leave out counts until its turn comes.',
    labels: [],
    unit: 'deliveries',
  },
  queueBytes: {
    type: 'gauge',
    name: 'hnotif_queue_bytes',
    help: 'Memory that the deliveries in the queue use.',
    labels: [],
    unit: 'bytes',
  },
  queueStreams: {
    type: 'gauge',
    name: 'hnotif_queue_streams',
    help: 'Streams (one plan and one sink of a notification) with waiting deliveries.',
    labels: [],
    unit: 'streams',
  },
  sinksWaiting: {
    type: 'gauge',
    name: 'hnotif_sinks_waiting',
    help: 'Sinks whose deliveries wait for longer than a moment, by cause. A notification has at most 32 sinks, which bounds the series.',
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
} as const;
