import * as z from 'zod';
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import type { Source } from '@hnotif/core/render';
import { NO_CONNECTOR, type Connector, EVENT_KINDS, type SinkType } from '@hnotif/core/resources';
import { kindOf, parseJson } from '@hnotif/core/sinks';

/** An event of a user that cannot be used. The message is for people: the place, what is wrong, the remedy. */
export class EventProblem extends Error {}

const wrong =
  (what: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `is missing; it must be ${what}` : `must be ${what}, found ${kindOf(input)}`;

const text = z.string({ error: wrong('a string') }).default('');
const texts = z
  .record(z.string(), z.string({ error: wrong('a string') }), { error: wrong('an object of texts') })
  .default({});
const name = z.string({ error: wrong('a string') });

const CONNECTOR = z
  .object(
    {
      kind: text,
      name: text,
      provider: text,
      accountId: text,
      projectId: text,
      region: text,
      clusterName: text,
    },
    { error: wrong('an object') },
  )
  .default(NO_CONNECTOR);

const TARGET = z.object(
  { name, executor: text, state: text, message: text, connector: CONNECTOR },
  { error: wrong('an object') },
);

const KINDS = EVENT_KINDS.join(', ');

const CONTEXT = z.object(
  {
    event: z.enum(EVENT_KINDS, {
      error: ({ input }) =>
        input === undefined ? `is missing; write one of ${KINDS}` : `must be one of ${KINDS}`,
    }),
    plan: z.object(
      { name, namespace: text, labels: texts, annotations: texts },
      { error: wrong('an object') },
    ),
    timestamp: z
      .string({ error: wrong('a time such as "2026-03-02T20:00:00Z"') })
      .refine((time) => !Number.isNaN(Date.parse(time)), {
        error: 'is not a time; write it as "2026-03-02T20:00:00Z"',
      })
      .default('2026-03-02T20:00:00Z'),
    ...{ phase: text, previousPhase: text, operation: text, cycleId: text, errorMessage: text },
    retryCount: z
      .int({ error: wrong('a whole number') })
      .min(0, { error: 'must not be negative' })
      .default(0),
    targets: z.array(TARGET, { error: wrong('a list of targets') }).default([]),
    targetExecution: TARGET.optional(),
    ...{ cluster: text, labels: texts },
  },
  { error: wrong('an object') },
);

/** What a webhook receives has this around the event. */
const BODY = z.object({ context: z.unknown() });

/** The plan's words of the operations that a webhook calls otherwise. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['Hibernate', 'shutdown'],
  ['WakeUp', 'wakeup'],
]);

/** Most problems in a message. */
const MOST = 3;

/** Reads an event that a user wrote, or what a webhook received. Throws an `EventProblem`. */
export function readEventJson(json: string, sinkName: string, sinkType: SinkType): Source {
  if (json.trim() === '')
    throw new EventProblem('there is no JSON; paste an event, or what a webhook received');
  const reading = parseJson(json);
  if (!reading.ok)
    throw new EventProblem(`this is not JSON: see line ${reading.line}, column ${reading.column}`);
  const body = BODY.safeParse(reading.value);
  const parsed = CONTEXT.safeParse(body.data?.context ?? reading.value);
  if (!parsed.success) throw new EventProblem(problemsOf(parsed.error.issues));
  const { data } = parsed;
  const connectors = new Map<string, Connector>(
    data.targets.map((target) => [target.name, target.connector]),
  );
  const changed = data.targetExecution;
  if (changed !== undefined) connectors.set(changed.name, changed.connector);
  const event: LifecycleEvent = {
    ...{ id: 'own', seq: 1 + EVENT_KINDS.indexOf(data.event), run: 1, planUid: 'own' },
    kind: data.event,
    namespace: data.plan.namespace,
    plan: data.plan.name,
    cycle: data.cycleId,
    operation: OPERATIONS.get(data.operation) ?? data.operation,
    timestamp: new Date(data.timestamp).toISOString(),
    ...{ phase: data.phase, previousPhase: data.previousPhase },
    ...{ errorMessage: data.errorMessage, retryCount: data.retryCount },
    targets: data.targets.map(stateOf),
    targetExecution: changed && stateOf(changed),
  };
  const { cluster, labels: notificationLabels } = data;
  const facts = { ...data.plan, notificationLabels, cluster };
  const plan = { ...facts, connector: (target: string) => connectors.get(target) ?? NO_CONNECTOR };
  return { event, plan, sinkName, sinkType };
}

const stateOf = ({ name: target, executor, state, message }: z.infer<typeof TARGET>) => ({
  ...{ name: target, executor, state, message },
});

function problemsOf(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
  const more = lines.length - MOST;
  return lines.slice(0, MOST).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the event'
    : path.reduce<string>(
        (place, step) =>
          typeof step === 'number' ? `${place}[${step}]` : `${place}${place && '.'}${String(step)}`,
        '',
      );
