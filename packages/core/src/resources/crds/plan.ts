import { defaultPlanResource } from '../group.ts';
import { PHASES } from '../kinds.ts';
import { DEFAULT_RETRIES } from '../plan.ts';
import { customResource, type CustomResourceDefinition } from './definition.ts';
import { flag, integer, labelName, list, listMap, object, objectName, text, time } from './schema.ts';

/** Plans of thousands of targets must fit; what a whole object may weigh is for the API server to say (some 1.5 MB). */
export const MAX_TARGETS = 10_000;

const targetName = text('Name of a target.', 253, { minLength: 1 });

const TARGET = object(
  'Something that is put to sleep and woken.',
  {
    name: text('Name of the target, unique within the plan.', 253, { minLength: 1 }),
    type: text('What it is, which says how it is put to sleep: rds, eks, ec2, …', 63, { minLength: 1 }),
    connectorRef: object(
      'Where it lives.',
      {
        kind: text('Kind of the connector.', 32, { enum: ['CloudProvider', 'K8SCluster'] }),
        name: objectName('Name of the connector.'),
        namespace: labelName('Namespace of the connector; the plan’s own when left out.'),
      },
      { required: ['kind', 'name'] },
    ),
    parameters: {
      description: 'What the executor needs to know besides.',
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
  { required: ['name', 'type', 'connectorRef'] },
);

const CLOCK = { pattern: '^([01]?[0-9]|2[0-3]):[0-5][0-9]$' };

const SCHEDULE = object(
  'When the targets sleep.',
  {
    timezone: text('IANA name of the time zone, such as Asia/Jakarta.', 64, { minLength: 1 }),
    offHours: list(
      'Windows in which they sleep.',
      object(
        'One window.',
        {
          start: text('When it begins, HH:MM.', 5, CLOCK),
          end: text('When it ends, HH:MM.', 5, CLOCK),
          daysOfWeek: list(
            'Days on which it begins.',
            text('A day.', 3, { enum: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] }),
            7,
            { minItems: 1, 'x-kubernetes-list-type': 'set' },
          ),
        },
        { required: ['start', 'end', 'daysOfWeek'] },
      ),
      32,
      { minItems: 1 },
    ),
  },
  { required: ['timezone', 'offHours'] },
);

const STRATEGY = object(
  'In which order targets are taken.',
  {
    type: text('Sequential, Parallel, DAG or Staged.', 16, {
      enum: ['Sequential', 'Parallel', 'DAG', 'Staged'],
    }),
    maxConcurrency: integer('How many targets may run at once.', { minimum: 1 }),
    dependencies: list(
      'For DAG: which target waits for which.',
      object('One edge.', { from: targetName, to: targetName }, { required: ['from', 'to'] }),
      MAX_TARGETS,
    ),
    stages: list(
      'For Staged: groups of targets, one after another.',
      object(
        'One group.',
        {
          name: text('Name of the stage.', 63),
          parallel: flag('Whether its targets run at the same time.', { default: false }),
          maxConcurrency: integer('How many of its targets may run at once.', { minimum: 1 }),
          targets: list('Its targets.', targetName, MAX_TARGETS),
        },
        { required: ['name', 'targets'] },
      ),
      64,
    ),
  },
  { required: ['type'] },
);

const SPEC = object(
  'What sleeps, when, and how it is brought to do so.',
  {
    schedule: SCHEDULE,
    execution: object('How a run goes.', { strategy: STRATEGY }, { required: ['strategy'] }),
    behavior: object('What happens when a target fails.', {
      mode: text('Strict: the run fails. BestEffort: the rest goes on.', 16, {
        enum: ['Strict', 'BestEffort'],
        default: 'Strict',
      }),
      failFast: flag('Whether a failure stops what has not begun.', { default: true }),
      retries: integer('How often a failed run is tried again.', { maximum: 10, default: DEFAULT_RETRIES }),
    }),
    suspend: flag('Whether the plan rests: nothing new is begun.'),
    targets: listMap('What is put to sleep and woken.', 'name', TARGET, MAX_TARGETS, { minItems: 1 }),
  },
  // An operator needs a schedule and a strategy, too; what only tells of plans does not.
  { required: ['targets'] },
);

const result = {
  target: targetName,
  state: text('Pending, Running, Completed, Failed or Aborted.', 32),
  attempts: integer('How often it was tried.'),
  startedAt: time('When it began.'),
  finishedAt: time('When it ended.'),
};

const EXECUTION = object(
  'What became of one target.',
  {
    ...result,
    executor: text('What worked on it.', 63),
    message: text('Details for a person.', 32768),
    jobRef: text('The job that worked on it, namespace/name.', 317),
  },
  { required: ['target', 'state'] },
);

const OPERATION = object('What became of one half of a cycle.', {
  operation: text('shutdown or wakeup.', 32),
  startTime: time('When it began.'),
  endTime: time('When it ended.'),
  success: flag('Whether all targets were completed.'),
  errorMessage: text('Why not.', 32768),
  targetResults: list(
    'What became of the targets.',
    object(
      'What became of one.',
      { ...result, executionId: text('Id of its execution.', 253) },
      { required: ['target', 'state'] },
    ),
    MAX_TARGETS,
  ),
});

const STATUS = object('Where the plan stands; written by its operator alone.', {
  phase: text(`${PHASES.join(', ')}.`, 64),
  currentCycleID: text('The present night: a shutdown and the wake-up after it.', 253),
  currentOperation: text('shutdown or wakeup.', 32),
  currentStageIndex: integer('The stage that runs, from 0.'),
  lastTransitionTime: time('When the phase last changed.'),
  observedGeneration: integer('Generation of the plan that was last looked at.', { format: 'int64' }),
  retryCount: integer('Retries so far.'),
  lastRetryTime: time('When the last retry began.'),
  errorMessage: text('Why the plan is in Error.', 32768),
  executions: list('What became of the targets, in order.', EXECUTION, MAX_TARGETS),
  executionHistory: list(
    'Past cycles, the newest last.',
    object(
      'One cycle.',
      { cycleId: text('Its id.', 253), shutdownExecution: OPERATION, wakeupExecution: OPERATION },
      { required: ['cycleId'] },
    ),
    64,
  ),
});

/** The CRD of `HibernatePlan`, for clusters without an operator that brings its own. */
export const planCrd = (group: string): CustomResourceDefinition =>
  customResource(group, {
    kind: 'HibernatePlan',
    plural: defaultPlanResource(group).plural,
    shortNames: ['hplan'],
    description: 'Puts cloud resources to sleep and wakes them, on a schedule.',
    spec: SPEC,
    status: STATUS,
    columns: [
      { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Phase of the plan.' },
      {
        name: 'Operation',
        type: 'string',
        jsonPath: '.status.currentOperation',
        description: 'What is done, or was done last.',
      },
      {
        name: 'Cycle',
        type: 'string',
        jsonPath: '.status.currentCycleID',
        description: 'The present night.',
      },
      { name: 'Retries', type: 'integer', jsonPath: '.status.retryCount', description: 'Retries so far.' },
    ],
  });
