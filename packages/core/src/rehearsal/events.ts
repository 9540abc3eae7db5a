import { exampleSource } from '../render/example.ts';
import type { Source } from '../render/context.ts';
import { NO_CONNECTOR } from '../resources/connectors.ts';
import type { Plan } from '../resources/plan.ts';
import { EVENT_KINDS, type EventKind, type SinkType } from '../resources/kinds.ts';

export const OPERATIONS = ['shutdown', 'wakeup'] as const;
/** Targets of a plan: none, some, and more than any message shows. */
const COUNTS = [0, 3, 300] as const;
/** Text that is markup, a mention, or nonsense in some chat or format. */
const HOSTILE =
  '<!channel> <@U0> @here [x](tg://user?id=1) *_~`|{{ . }} </b>&lt; "\\" \u202e\u0000\ud83d 🚀 ' +
  'x'.repeat(3_000);

/** Of the names of its targets, with their number. */
const PREFIX = 'target-';

/** An event with this number of targets; `hostile`: names and errors are text that is hard to write. */
export function syntheticSource(
  kind: EventKind,
  sinkType: SinkType,
  operation: string,
  targets: number,
  hostile = false,
): Source {
  const source = exampleSource(kind, sinkType, operation);
  const { event } = source;
  const modelOf = (at: number) => event.targets[at % Math.max(1, event.targets.length)];
  const all = Array.from({ length: targets }, (_, at) => {
    const model = modelOf(at);
    return {
      ...{ executor: model?.executor ?? 'rds', state: model?.state ?? 'Pending' },
      name: `${PREFIX}${at}`,
      message: hostile ? HOSTILE : (model?.message ?? ''),
    };
  });
  const errorMessage = hostile && event.errorMessage !== '' ? HOSTILE : event.errorMessage;
  return {
    ...source,
    event: { ...event, targets: all, errorMessage, targetExecution: event.targetExecution && all[0] },
    plan: {
      ...source.plan,
      connector: (target) => source.plan.connector(modelOf(Number(target.slice(PREFIX.length)))?.name ?? ''),
    },
  };
}

/** An event of a real plan: its targets in the state that they have, its error, its links. */
export function planSource(kind: EventKind, sinkType: SinkType, operation: string, plan: Plan): Source {
  const source = exampleSource(kind, sinkType, plan.status.operation || operation);
  const { executions, cycleId, errorMessage, phase, retryCount } = plan.status;
  const targets =
    executions.length > 0
      ? executions.map(({ target, executor, state, message }) => ({ name: target, executor, state, message }))
      : plan.targets.map(({ name, type }) => ({ name, executor: type, state: 'Pending', message: '' }));
  const event = {
    ...source.event,
    ...{ namespace: plan.namespace, plan: plan.name, planUid: plan.uid, targets },
    cycle: cycleId || source.event.cycle,
    phase: phase || source.event.phase,
    targetExecution: source.event.targetExecution && targets[0],
    ...(source.event.errorMessage !== '' && { errorMessage, retryCount: retryCount ?? 0 }),
  };
  const { labels, annotations, retries } = plan;
  return { ...source, event, plan: { labels, annotations, retries, connector: () => NO_CONNECTOR } };
}

/** Every kind of event, in the shapes that messages break on. The name says which; `hostile`: with text that is hard to write. */
export function* matrix(
  sinkType: SinkType,
): Generator<readonly [name: string, source: Source, hostile: boolean]> {
  for (const kind of EVENT_KINDS)
    for (const operation of OPERATIONS)
      for (const count of COUNTS)
        for (const hostile of [false, true])
          yield [
            `${kind} of a ${operation} with ${count} targets${hostile ? ' and hostile text' : ''}`,
            syntheticSource(kind, sinkType, operation, count, hostile),
            hostile,
          ];
}
