/**
 * The data of templates, declared as the Go structs that existing templates were written for: field names and order, type names in
 * errors, names in `toJson`.
 */
import {
  BOOL,
  type Field,
  INT,
  STRING,
  STRING_MAP,
  type Struct,
  TIME,
  type Type,
  fn,
  pointerTo,
  sliceOf,
  structType,
} from '@hnotif/gotemplate';
import { EVENT_KINDS, SINK_TYPES } from '../resources/kinds.ts';

/** Fields of one type. */
const fields = (type: Type, ...names: string[]): Field[] => names.map((name) => ({ name, type }));

const CONNECTOR = structType('sink.ConnectorInfo', [
  { name: 'Kind', type: STRING, oneOf: ['CloudProvider', 'K8SCluster', ''] },
  ...fields(STRING, 'Name', 'Provider', 'AccountID', 'ProjectID', 'Region', 'ClusterName'),
]);

const TARGET = structType('sink.TargetInfo', [
  ...fields(STRING, 'Name', 'Executor'),
  { name: 'State', type: STRING, oneOf: ['Pending', 'Running', 'Completed', 'Failed', 'Aborted', ''] },
  ...fields(STRING, 'Message', 'ErrorMessage'),
  { name: 'Connector', type: CONNECTOR },
]);

const PLAN = structType('sink.PlanInfo', [
  ...fields(STRING, 'Name', 'Namespace'),
  ...fields(STRING_MAP, 'Labels', 'Annotations'),
]);

// `{{ .Plan }}` prints namespace/name.
PLAN.methods.set(
  'String',
  fn(
    'func(sink.PlanInfo) string',
    ({ fields: [name, namespace] }: Struct) => `${namespace as string}/${name as string}`,
    {
      'sink.PlanInfo': PLAN,
    },
  ),
);

/** The documentation's names of operations, and the plan's. */
const OPERATIONS = { Hibernate: 'shutdown', hibernate: 'shutdown', WakeUp: 'wakeup', wakeUp: 'wakeup' };

/** The type of a template's dot. */
export const PAYLOAD = structType('sink.Payload', [
  { name: 'Plan', type: PLAN, json: 'plan' },
  { name: 'Event', type: STRING, json: 'event', oneOf: EVENT_KINDS },
  { name: 'Timestamp', type: TIME, json: 'timestamp' },
  { name: 'Phase', type: STRING, json: 'phase' },
  { name: 'PreviousPhase', type: STRING, json: 'previousPhase' },
  {
    name: 'Operation',
    type: STRING,
    json: 'operation',
    oneOf: ['shutdown', 'wakeup', ''],
    instead: OPERATIONS,
  },
  { name: 'CycleID', type: STRING, json: 'cycleId' },
  { name: 'Targets', type: sliceOf(TARGET), json: 'targets' },
  {
    name: 'TargetExecution',
    type: pointerTo(TARGET),
    json: 'targetExecution',
    omitEmpty: true,
    presentWhen: { field: 'Event', is: 'ExecutionProgress' },
  },
  { name: 'ErrorMessage', type: STRING, json: 'errorMessage' },
  { name: 'RetryCount', type: INT, json: 'retryCount' },
  { name: 'SinkName', type: STRING, json: 'sinkName' },
  { name: 'SinkType', type: STRING, json: 'sinkType', oneOf: SINK_TYPES },
  { name: 'Cluster', type: STRING, json: 'cluster', omitEmpty: true },
  { name: 'Labels', type: STRING_MAP, json: 'labels', omitEmpty: true },
]);

const LINK = structType('sink.Link', fields(STRING, 'Label', 'URL'));

/** The data of built-in templates: the shown part of the payload, cut to the length of a message. */
export const BUILTIN = structType('sink.Builtin', [
  { name: 'Plan', type: PLAN },
  ...fields(STRING, 'Cluster', 'Event', 'Phase', 'PreviousPhase', 'Operation', 'ErrorMessage'),
  { name: 'Timestamp', type: TIME },
  { name: 'TargetCount', type: INT },
  { name: 'Targets', type: sliceOf(TARGET) },
  { name: 'More', type: INT },
  { name: 'TargetExecution', type: pointerTo(TARGET) },
  { name: 'RetryCount', type: INT },
  { name: 'Troubled', type: BOOL },
  { name: 'Links', type: sliceOf(LINK) },
]);
