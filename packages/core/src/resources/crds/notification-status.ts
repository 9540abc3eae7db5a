import { MOST_REASONS, SINK_STATES } from '../notification.ts';
import { LONGEST_REQUEST, MOST_REPLAY_ROWS, REPLAY_REASONS, REPLAY_RESULTS } from '../replay.ts';
import { integer, list, listMap, object, text, time } from './schema.ts';

const CONDITION = object(
  'One aspect of the notification’s state.',
  {
    type: text('Ready: whether every sink could send.', 316),
    status: text('Whether the condition holds.', 7, { enum: ['True', 'False', 'Unknown'] }),
    observedGeneration: integer('Generation of the notification that this was found of.', {
      format: 'int64',
    }),
    lastTransitionTime: time('When the status last changed.'),
    reason: text('Why, as one word.', 1024),
    message: text('Why, for a person, and what to do.', 32768),
  },
  { required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'] },
);

const DROPPED = object(
  'Deliveries that were dropped for one reason.',
  {
    reason: text('Why, as one word.', 64),
    count: integer('How many.', { minimum: 1 }),
    last: time('When the last of them was dropped.'),
  },
  { required: ['reason', 'count', 'last'] },
);

const SINK_STATUS = object(
  'How deliveries to one sink went.',
  {
    name: text('Name of the sink.', 63),
    lastSuccess: time('When a delivery was last acknowledged.'),
    lastFailure: time('When sending last failed.'),
    consecutiveFailures: integer(
      'Sends that failed since the last success; each is a request and its retries.',
    ),
    reason: text('Why the last one failed, as one word.', 1024),
    message: text('Why the last one failed, or deliveries wait, and what to do.', 32768),
    state: text(
      'What keeps deliveries waiting; absent: nothing does, or not for long. Late: attempts fail, or the receiver answers slowly. ' +
        'Behind: the sink’s own rate limit. Blocked: something else than the receiver, see reason. Paused: the receiver asked to wait. ' +
        'Held: one message fails while others arrive. Parked: the receiver takes nothing. Quarantined: the configuration has to be corrected.',
      16,
      { enum: SINK_STATES },
    ),
    waiting: integer(
      'Deliveries that wait. Progress that coalesce_progress will leave out is not counted, unless more than 10,000 wait.',
    ),
    waitingSince: time('When the oldest of them was accepted.'),
    nextTry: time('When the next try is due; of a sink that is Behind, when about all of them will be sent.'),
    dropped: listMap(
      'What was dropped, or refused for good, since the last success.',
      'reason',
      DROPPED,
      MOST_REASONS,
    ),
    refused: text(
      'The configuration that the receiver refused for good, as type/secret/resourceVersion. ' +
        'Ready is false until it is another one, or a message arrives.',
      512,
    ),
  },
  { required: ['name', 'consecutiveFailures'] },
);

const REPLAY = object(
  'The answer to the last replay that was asked for, with hnotif replay or the annotation hibernation.dev/replay.',
  {
    request: text('The annotation that was carried out.', LONGEST_REQUEST + 1),
    at: time('When.'),
    reason: text('What became of it, as one word.', 64, { enum: Object.keys(REPLAY_REASONS) }),
    message: text('What became of it, and what to do.', 1024),
    sent: integer('How many deliveries are sent again.'),
    deliveries: list(
      'What became of each delivery that was asked for.',
      object(
        'Deliveries that had ended together.',
        {
          sink: text('Name of the sink.', 63),
          events: text('The kinds of their events.', 128),
          count: integer('How many.'),
          endedAt: time('When they had ended.'),
          was: text('How they had ended.', 128),
          result: text('What becomes of them.', 32, { enum: Object.keys(REPLAY_RESULTS) }),
        },
        { required: ['sink', 'events', 'count', 'endedAt', 'was', 'result'] },
      ),
      MOST_REPLAY_ROWS,
      { 'x-kubernetes-list-type': 'atomic' },
    ),
  },
  { required: ['request', 'at', 'reason', 'message', 'sent'] },
);

/** `status` of a `HibernateNotification`. */
export const NOTIFICATION_STATUS = object('What hnotif has found; written by it alone.', {
  matched: integer('How many plans the selector matches now.'),
  waiting: integer('Deliveries that wait for longer than a moment, of all sinks; sinks says why.'),
  observedAt: time(
    'When this status was last confirmed: at least once an hour while an hnotif serves. Where it is older, none does: look at its Lease.',
  ),
  observedGeneration: integer('Generation of the notification that was last looked at.', { format: 'int64' }),
  instance: text('The hnotif (--instance) that writes this status. Another one leaves it alone.', 253),
  planResource: text(
    'The plan resource that it watches (--plan-resource), if that is not the default one.',
    512,
  ),
  conditions: listMap('Ready, with a reason and what to do.', 'type', CONDITION, 16),
  sinks: listMap('How deliveries went, by sink.', 'name', SINK_STATUS, 32),
  replay: REPLAY,
});
