import { ParseError, type Fields } from './fields.ts';
import { EVENT_KINDS, SINK_TYPES } from './kinds.ts';
import { linkAnnotations } from './links.ts';
import { annotationsOf, fieldsOf, qualifiedName } from './metadata.ts';
import {
  DEFAULT_TEMPLATE_KEY,
  SELECTOR_OPERATORS,
  SINK_STATES,
  type Condition,
  type DroppedCount,
  type LabelExpression,
  type LabelSelector,
  type Notification,
  type NotificationStatus,
  type SinkEntry,
  type SinkStatus,
} from './notification.ts';
import { readWeeks } from './parse-mute-schedule.ts';
import {
  LONGEST_REQUEST,
  REPLAY_ANNOTATION,
  REPLAY_REASONS,
  REPLAY_RESULTS,
  type ReplayReason,
  type ReplayResult,
  type ReplayRow,
  type ReplayStatus,
} from './replay.ts';
import type { Silences } from './suspension.ts';

const REASONS = Object.keys(REPLAY_REASONS) as ReplayReason[];
const RESULTS = Object.keys(REPLAY_RESULTS) as ReplayResult[];

/**
 * Parses a notification. Strict: throws a `ParseError` that names every invalid field, since half a notification would send to half of its
 * sinks. Invalid fields of its status are ignored: hnotif writes the status again.
 */
export function parseNotification(raw: unknown): Notification {
  const { root, metadata, identity } = fieldsOf('HibernateNotification', raw);
  const spec = root.object('spec');
  const notification = {
    ...identity,
    generation: metadata.count('generation') ?? 0,
    ...(metadata.has('annotations') && readAnnotations(annotationsOf(metadata))),
    ...(spec.has('labels') && { labels: spec.textMap('labels') }),
    selector: readSelector(spec),
    onEvents: readKinds(spec),
    sinks: readSinks(spec),
    ...readSilences(spec),
  };
  if (root.problems.length > 0)
    throw new ParseError('HibernateNotification', qualifiedName(identity), root.problems);
  return { ...notification, status: readStatus(root.object('status')) };
}

function readAnnotations(
  annotations: Readonly<Record<string, string>>,
): Pick<Notification, 'annotations' | 'replay'> {
  const replay = Object.hasOwn(annotations, REPLAY_ANNOTATION) ? annotations[REPLAY_ANNOTATION] : undefined;
  return {
    annotations: linkAnnotations(annotations),
    ...(replay !== undefined && { replay: replay.slice(0, LONGEST_REQUEST + 1) }),
  };
}

function readSelector(spec: Fields): LabelSelector {
  const selector = spec.object('selector');
  if (!selector.has('matchLabels'))
    selector.missing('matchLabels', 'a map of labels ({} selects every plan of the namespace)');
  return {
    matchLabels: selector.textMap('matchLabels'),
    matchExpressions: selector.objects('matchExpressions').map(readExpression),
  };
}

function readExpression(expression: Fields): LabelExpression {
  const operator = oneOf(expression, 'operator', SELECTOR_OPERATORS) ?? 'Exists';
  const values = expression.texts('values');
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0) expression.missing('values', `at least one value for ${operator}`);
  if (!takesValues && values.length > 0) expression.wrong('values', `no values for ${operator}`, values);
  return { key: expression.requiredText('key', 'the key of a label'), operator, values };
}

function readKinds(spec: Fields): Notification['onEvents'] {
  const kinds = new Set<Notification['onEvents'][number]>();
  const texts = spec.texts('onEvents');
  if (texts.length === 0) spec.missing('onEvents', `at least one of ${EVENT_KINDS.join(', ')}`);
  texts.forEach((text, index) => {
    const kind = EVENT_KINDS.find((known) => known === text);
    if (kind === undefined) spec.wrong(`onEvents[${index}]`, `one of ${EVENT_KINDS.join(', ')}`, text);
    else kinds.add(kind);
  });
  return [...kinds];
}

function readSilences(spec: Fields): Silences {
  const isSuspended = spec.flag('suspend') ?? false;
  const text = spec.optionalText('suspendUntil');
  const reason = spec.text('suspendReason');
  const until = text === undefined ? undefined : Date.parse(text);
  if (Number.isNaN(until)) spec.wrong('suspendUntil', 'an RFC 3339 time', text);
  const tellsAfter = spec.flag('tellAfterSuspend') ?? false;
  const weeks = readWeeks(spec);
  const after = tellsAfter && { tellsAfter };
  return {
    ...(isSuspended && { suspension: { until, reason, ...after } }),
    ...(weeks.length > 0 && { muteSchedule: { weeks, ...after } }),
  };
}

const OTHER_NAME = 'a name that no other sink of the notification has';

function readSinks(spec: Fields): SinkEntry[] {
  const names = new Set<string>();
  const rows = spec.objects('sinks');
  if (rows.length === 0) spec.missing('sinks', 'at least one sink');
  return rows.map((row) => {
    const name = row.requiredText('name', OTHER_NAME);
    if (names.has(name)) row.wrong('name', OTHER_NAME, name);
    names.add(name);
    const template = row.optionalObject('templateRef');
    return {
      name,
      type: oneOf(row, 'type', SINK_TYPES) ?? 'webhook',
      secretRef: {
        name: row.object('secretRef').requiredText('name', 'the name of a secret of the namespace'),
      },
      templateRef: template && {
        name: template.requiredText('name', 'the name of a config map of the namespace'),
        key: template.text('key') || DEFAULT_TEMPLATE_KEY,
      },
    };
  });
}

function readStatus(status: Fields): NotificationStatus {
  const matched = status.count('matched');
  const waiting = status.count('waiting');
  const observedAt = status.optionalText('observedAt');
  const observedGeneration = status.count('observedGeneration');
  const instance = status.optionalText('instance');
  const planResource = status.optionalText('planResource');
  return {
    ...(matched !== undefined && { matched }),
    ...(waiting !== undefined && { waiting }),
    ...(observedAt !== undefined && { observedAt }),
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(instance !== undefined && { instance }),
    ...(planResource !== undefined && { planResource }),
    ...(status.has('conditions') && { conditions: status.objects('conditions').map(readCondition) }),
    ...(status.has('sinks') && { sinks: status.objects('sinks').map(readSinkStatus) }),
    ...(status.has('replay') && { replay: readReplay(status.object('replay')) }),
  };
}

function readReplay(replay: Fields): ReplayStatus {
  const [reason = 'Internal'] = REASONS.filter((one) => one === replay.optionalText('reason'));
  return {
    request: replay.text('request'),
    at: replay.text('at'),
    reason,
    message: replay.text('message'),
    sent: replay.count('sent') ?? 0,
    ...(replay.has('deliveries') && { deliveries: replay.objects('deliveries').map(readReplayRow) }),
  };
}

function readReplayRow(row: Fields): ReplayRow {
  const [result = 'NotDerivable'] = RESULTS.filter((one) => one === row.optionalText('result'));
  return {
    sink: row.text('sink'),
    events: row.text('events'),
    count: row.count('count') ?? 0,
    endedAt: row.text('endedAt'),
    was: row.text('was'),
    result,
  };
}

const readCondition = (condition: Fields): Condition => ({
  type: condition.text('type'),
  status: oneOf(condition, 'status', ['True', 'False', 'Unknown']) ?? 'Unknown',
  lastTransitionTime: condition.text('lastTransitionTime'),
  observedGeneration: condition.count('observedGeneration') ?? 0,
  reason: condition.text('reason'),
  message: condition.text('message'),
});

function readSinkStatus(sink: Fields): SinkStatus {
  const optional = (
    key: 'lastSuccess' | 'lastFailure' | 'reason' | 'message' | 'waitingSince' | 'nextTry' | 'refused',
  ) => {
    const text = sink.optionalText(key);
    return text === undefined ? {} : { [key]: text };
  };
  const state = SINK_STATES.find((one) => one === sink.optionalText('state'));
  const waiting = sink.count('waiting');
  return {
    name: sink.text('name'),
    consecutiveFailures: sink.count('consecutiveFailures') ?? 0,
    ...optional('lastSuccess'),
    ...optional('lastFailure'),
    ...optional('reason'),
    ...optional('message'),
    ...(state !== undefined && { state }),
    ...(waiting !== undefined && { waiting }),
    ...optional('waitingSince'),
    ...optional('nextTry'),
    ...(sink.has('dropped') && { dropped: sink.objects('dropped').map(readDropped) }),
    ...optional('refused'),
  };
}

const readDropped = (dropped: Fields): DroppedCount => ({
  reason: dropped.text('reason'),
  count: dropped.count('count') ?? 0,
  last: dropped.text('last'),
});

/** A text of a closed set; otherwise undefined and a problem. */
function oneOf<T extends string>(fields: Fields, key: string, allowed: readonly T[]): T | undefined {
  const text = fields.optionalText(key);
  const value = allowed.find((one) => one === text);
  if (text === undefined) fields.missing(key, `one of ${allowed.join(', ')}`);
  else if (value === undefined) fields.wrong(key, `one of ${allowed.join(', ')}`, text);
  return value;
}
