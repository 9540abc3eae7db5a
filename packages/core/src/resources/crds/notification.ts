import { notificationsOf, OWN_SHORT_NAME } from '../group.ts';
import { EVENT_KINDS, SINK_TYPES } from '../kinds.ts';
import { DEFAULT_TEMPLATE_KEY, SELECTOR_OPERATORS } from '../notification.ts';
import { TIME_OF_DAY, WEEKDAY_RANGE, WEEKDAYS } from '../parse-mute-schedule.ts';
import { customResource, type CustomResourceDefinition } from './definition.ts';
import { NOTIFICATION_STATUS } from './notification-status.ts';
import { flag, labelName, list, listMap, object, objectName, text, time, type Schema } from './schema.ts';

// A label's value, and its key with the optional prefix of a DNS name:
// https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
export const LABEL_VALUE = '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$';
export const LABEL_KEY =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$';
/** The longest DNS name before the `/`. */
export const LONGEST_PREFIX = 253;
/** The longest value of a label. */
export const LONGEST_LABEL = 63;
/** The number of `spec.labels`. */
const MOST_LABELS = 16;
/** The characters of the names in the IANA database. */
export const LOCATION_NAME = '^[A-Za-z0-9_+/-]+$';
/** A key of a config map. */
export const DATA_KEY = '^[-._a-zA-Z0-9]+$';

const labelValue = (description: string): Schema =>
  text(description, LONGEST_LABEL, { pattern: LABEL_VALUE });

/** The rule for the keys of a map: a schema has no pattern for them. */
const keysOfLabels = (map: string) => ({
  rule: `${map}.all(key, key.matches('${LABEL_KEY}') && key.indexOf('/') <= ${LONGEST_PREFIX})`,
  message:
    'must have keys of labels: at most 63 letters, digits, -, _ and ., with a letter or digit first and last; before it may be a DNS name and /',
});

const SELECTOR = object(
  'Which plans of the notification’s namespace it is about. All conditions must hold.',
  {
    matchLabels: {
      description:
        'Labels a plan must have, with these values. {} asks for none: every plan of the namespace.',
      type: 'object',
      additionalProperties: labelValue('Value of the label.'),
      maxProperties: 64,
    },
    matchExpressions: list(
      'Further conditions on labels.',
      object(
        'A condition on one label.',
        {
          key: text('Key of the label.', 317, { minLength: 1, pattern: LABEL_KEY }),
          operator: text(
            'In and NotIn compare the value with values; Exists and DoesNotExist ask for the label alone. ' +
              'NotIn holds for a plan without the label, too.',
            12,
            { enum: SELECTOR_OPERATORS },
          ),
          values: list('Values for In and NotIn; none for the others.', labelValue('A value.'), 64, {
            'x-kubernetes-list-type': 'atomic',
          }),
        },
        {
          required: ['key', 'operator'],
          'x-kubernetes-validations': [
            {
              rule: `self.key.indexOf('/') <= ${LONGEST_PREFIX}`,
              message: `must have at most ${LONGEST_PREFIX} characters before /`,
              fieldPath: '.key',
            },
            {
              rule: "!(self.operator in ['In', 'NotIn']) || (has(self.values) && size(self.values) > 0)",
              message: 'must not be empty when operator is In or NotIn',
              fieldPath: '.values',
            },
            {
              rule: "self.operator in ['In', 'NotIn'] || !has(self.values) || size(self.values) == 0",
              message: 'must be empty when operator is Exists or DoesNotExist',
              fieldPath: '.values',
            },
          ],
        },
      ),
      32,
      { 'x-kubernetes-list-type': 'atomic' },
    ),
  },
  {
    required: ['matchLabels'],
    'x-kubernetes-validations': [{ ...keysOfLabels('self.matchLabels'), fieldPath: '.matchLabels' }],
  },
);

const SINK = object(
  'A destination: what it is, and where its configuration lies.',
  {
    name: labelName('Name of the sink, unique within the notification.'),
    type: text('What receives the messages.', 16, { enum: SINK_TYPES }),
    secretRef: object(
      'The secret of the same namespace whose key config holds the sink’s configuration as JSON.',
      { name: objectName('Name of the secret.') },
      { required: ['name'] },
    ),
    templateRef: object(
      'The config map of the same namespace that holds the text of the messages; without it, a built-in template is used.',
      {
        name: objectName('Name of the config map.'),
        key: text('Key in the config map.', 253, {
          minLength: 1,
          pattern: DATA_KEY,
          default: DEFAULT_TEMPLATE_KEY,
        }),
      },
      { required: ['name'] },
    ),
  },
  { required: ['name', 'type', 'secretRef'] },
);

/** The number of `spec.muteSchedule`, and of the times in each. */
const MOST_INTERVALS = 16;
const MOST_TIMES = 8;

const timeOfDay = (description: string): Schema => text(description, 5, { pattern: TIME_OF_DAY });

const MUTE_INTERVAL = object(
  'Times of a week: the days and the times must both hold. Give at least one of them.',
  {
    weekdays: list(
      'Days in lower case, or ranges of days: saturday, monday:friday. Default: all.',
      text('A day, or the first and the last of several.', 19, { pattern: WEEKDAY_RANGE }),
      WEEKDAYS.length,
      { minItems: 1, 'x-kubernetes-list-type': 'atomic' },
    ),
    times: list(
      'Times of these days. Default: the whole day.',
      object(
        'A time of the day. For a night, write two: until 24:00, and from 00:00.',
        {
          startTime: timeOfDay('When it begins, such as 08:00.'),
          endTime: timeOfDay('When it ends, such as 18:00; at most 24:00.'),
        },
        {
          required: ['startTime', 'endTime'],
          'x-kubernetes-validations': [
            {
              rule: 'self.startTime < self.endTime',
              message: 'must be after startTime; for a night, write two: until 24:00, and from 00:00',
              fieldPath: '.endTime',
            },
          ],
        },
      ),
      MOST_TIMES,
      { minItems: 1, 'x-kubernetes-list-type': 'atomic' },
    ),
    location: text('The time zone by its IANA name, such as Europe/Paris. Default: UTC.', 64, {
      minLength: 1,
      pattern: LOCATION_NAME,
    }),
  },
  {
    'x-kubernetes-validations': [
      {
        rule: 'has(self.weekdays) || has(self.times)',
        message: 'must have weekdays or times; to mute without an end, use suspend',
      },
    ],
  },
);

const SPEC = object(
  'Which events of which plans are sent, and where to.',
  {
    selector: SELECTOR,
    onEvents: list(
      'Kinds of events to send.',
      text(
        'Start: a run begins. Success: all its targets are done. Failure: its retries are used up. ' +
          'Recovery: a retry begins. PhaseChange: the plan’s phase has changed. ' +
          'ExecutionProgress: the state of a target has changed.',
        32,
        { enum: EVENT_KINDS },
      ),
      EVENT_KINDS.length,
      { minItems: 1, 'x-kubernetes-list-type': 'set' },
    ),
    sinks: listMap('Where to send them: every sink gets every event.', 'name', SINK, 32, { minItems: 1 }),
    labels: {
      description:
        'Constant texts for its messages: .Labels in templates, context.labels in webhook payloads. hnotif itself does nothing with them.',
      type: 'object',
      additionalProperties: labelValue('Value of the label.'),
      maxProperties: MOST_LABELS,
      'x-kubernetes-validations': [keysOfLabels('self')],
    },
    suspend: {
      description:
        'Whether nothing is sent. Deliveries meanwhile are dropped and counted, and not sent afterwards; see tellAfterSuspend.',
      type: 'boolean',
    },
    suspendUntil: time('When suspend ends by itself. Without it, suspend holds until it is removed.'),
    suspendReason: text('Why, for people.', 256),
    muteSchedule: list(
      'When nothing is sent, each week: as with suspend, in each of these intervals. The words are those of Alertmanager’s time intervals. suspend comes first.',
      MUTE_INTERVAL,
      MOST_INTERVALS,
      { 'x-kubernetes-list-type': 'atomic' },
    ),
    tellAfterSuspend: flag(
      'Whether the ends of runs (Success, Failure) wait while suspend or muteSchedule holds, and are sent after it. They wait like all deliveries: for the --max-age of hnotif, 24 h by default.',
    ),
  },
  { required: ['selector', 'onEvents', 'sinks'] },
);

/** The CRD of `HibernateNotification`. */
export const notificationCrd = (group: string): CustomResourceDefinition =>
  customResource(group, {
    kind: 'HibernateNotification',
    plural: notificationsOf(group).plural,
    shortNames: ['hnotif', OWN_SHORT_NAME],
    description: 'Sends events of hibernation plans to chats and webhooks.',
    spec: SPEC,
    status: NOTIFICATION_STATUS,
    columns: [
      {
        name: 'Matched',
        type: 'integer',
        jsonPath: '.status.matched',
        description: 'Plans that the selector matches.',
      },
      {
        name: 'Ready',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        description: 'Whether every sink could send.',
      },
      {
        name: 'Reason',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
        description: 'Why, as one word.',
      },
      {
        name: 'Waiting',
        type: 'integer',
        jsonPath: '.status.waiting',
        description: 'Deliveries that wait for longer than a moment.',
      },
      {
        name: 'Observed',
        type: 'date',
        jsonPath: '.status.observedAt',
        description: 'Since the status was confirmed: more than an hour means that no hnotif serves.',
        priority: 1,
      },
      {
        name: 'Durable',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Durable")].status',
        description: 'Whether what waits outlives the process.',
        priority: 1,
      },
      {
        name: 'Message',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Ready")].message',
        description: 'Why, for a person, and what to do.',
        priority: 1,
      },
    ],
  });
