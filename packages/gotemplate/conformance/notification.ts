/** The types of a notification's context, as the package `sink` declares them. */
import { TIME, Time } from '../src/time/time.ts';
import { fn } from '../src/value/func.ts';
import { fromJS } from '../src/value/from-js.ts';
import {
  INT,
  INT32,
  STRING,
  STRING_MAP,
  type Type,
  pointerTo,
  sliceOf,
  structType,
} from '../src/value/type.ts';
import type { Struct, Value } from '../src/value/value.ts';

const strings = (...names: readonly string[]) => names.map((name) => ({ name, type: STRING }));

export const CONNECTOR_INFO: Type = structType(
  'sink.ConnectorInfo',
  strings('Kind', 'Name', 'Provider', 'AccountID', 'ProjectID', 'Region', 'ClusterName'),
);

export const TARGET_INFO: Type = structType('sink.TargetInfo', [
  ...strings('Name', 'Executor', 'State', 'Message', 'ErrorMessage'),
  { name: 'Connector', type: CONNECTOR_INFO },
]);

export const PLAN_INFO: Type = structType('sink.PlanInfo', [
  ...strings('Name', 'Namespace'),
  { name: 'Labels', type: STRING_MAP },
  { name: 'Annotations', type: STRING_MAP },
]);

PLAN_INFO.methods.set(
  'String',
  fn(
    'func(sink.PlanInfo) string',
    (plan: Struct) => {
      const [name, namespace] = plan.fields as readonly string[];
      return `${namespace}/${name}`;
    },
    { 'sink.PlanInfo': PLAN_INFO },
  ),
);

const payloadOf = (count: Type): Type =>
  structType('sink.Payload', [
    { name: 'Plan', type: PLAN_INFO, json: 'plan' },
    { name: 'Event', type: STRING, json: 'event' },
    { name: 'Timestamp', type: TIME, json: 'timestamp' },
    { name: 'Phase', type: STRING, json: 'phase' },
    { name: 'PreviousPhase', type: STRING, json: 'previousPhase' },
    { name: 'Operation', type: STRING, json: 'operation' },
    { name: 'CycleID', type: STRING, json: 'cycleId' },
    { name: 'Targets', type: sliceOf(TARGET_INFO), json: 'targets' },
    { name: 'TargetExecution', type: pointerTo(TARGET_INFO), json: 'targetExecution', omitEmpty: true },
    { name: 'ErrorMessage', type: STRING, json: 'errorMessage' },
    { name: 'RetryCount', type: count, json: 'retryCount' },
    { name: 'SinkName', type: STRING, json: 'sinkName' },
    { name: 'SinkType', type: STRING, json: 'sinkType' },
  ]);

export const PAYLOAD = payloadOf(INT);
/** The type when the cases of the language were recorded. */
const INT32_PAYLOAD = payloadOf(INT32);

/** Makes a Payload from JSON with the fields' names. The Timestamp is in RFC 3339. Throws a TypeError. */
export function notification(json: unknown, retryCount: 'int' | 'int32' = 'int'): Value {
  if (typeof json !== 'object' || json === null) throw new TypeError('a notification is an object');
  const fields: Record<string, unknown> = { ...json };
  if (typeof fields.Timestamp === 'string')
    fields.Timestamp = Time.parseRFC3339(fields.Timestamp) ?? fields.Timestamp;
  return fromJS(fields, retryCount === 'int' ? PAYLOAD : INT32_PAYLOAD);
}
