/** Reads the event of a message. The text of a chat is parsed by the built-in templates. */
import { deliveryId, eventId } from '../../../core/src/lifecycle/ids.ts';
import type { Arrival, ChaosRecord, PlanHistory } from '../record.ts';
import type { Expected, Kind } from './net-events.ts';

/** The fields of a message; undefined: messages of this form do not have the field. */
export interface Said extends Omit<Expected, 'cycle' | 'time'> {
  readonly plan: string;
  /** Whether the message has labels of its plan, and there are none. */
  readonly isUnlabelled?: boolean;
  readonly cycle: string | undefined;
  /** Seconds since the epoch. */
  readonly time: number;
}

interface Context {
  readonly plan: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly event: Kind;
  readonly timestamp: string;
  readonly phase: string;
  readonly previousPhase?: string;
  readonly operation: string;
  readonly cycleId: string;
  readonly retryCount?: number;
  readonly targetExecution?: { readonly name: string; readonly executor: string; readonly state: string };
}

const OPERATIONS: Readonly<Record<string, string>> = { Hibernate: 'shutdown', WakeUp: 'wakeup' };

/** undefined: the message is not about an event. */
export function readMessage({ message }: Arrival): Said | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  return 'text' in message ? readText(String(message.text)) : readContext(message as Context);
}

const readContext = (context: Context): Said => ({
  plan: nameOf(context.plan),
  isUnlabelled: Object.keys(context.plan.labels ?? { none: '' }).length === 0,
  kind: context.event,
  cycle: context.cycleId,
  operation: OPERATIONS[context.operation] ?? context.operation,
  phase: context.phase,
  previousPhase: context.previousPhase,
  target: context.targetExecution?.name ?? '',
  state: context.targetExecution?.state ?? '',
  retryCount: context.retryCount,
  time: Math.floor(Date.parse(context.timestamp) / 1000),
});

/**
 * A plan that is deleted in the second after an event, before a kill, has no labels in its messages. Then the id of a message says which of
 * the plans with this name it was: it is a hash over the uid of the plan, and over a time in its statuses or the place in its journal
 * (docs/events.md#ids).
 */
export function ownedBy(
  { plans, notifications }: Pick<ChaosRecord, 'plans' | 'notifications'>,
  { id, sink, message }: Arrival,
  said: Said | undefined,
): Said | undefined {
  if (said?.isUnlabelled !== true) return said;
  const { cycle = '', operation, kind, target, state, phase, previousPhase = '' } = said;
  const { executor = '' } = (message as Context).targetExecution ?? {};
  const phases = kind === 'PhaseChange' ? { phase, previousPhase } : { phase: '', previousPhase: '' };
  const { name: notification = '' } =
    notifications.find(({ sinks }) => sinks.some(({ name }) => name === sink)) ?? {};
  const isOwner = ({ name, namespace = '', uid: planUid = '', writes, epochs = [] }: PlanHistory): boolean =>
    name.split('#')[0] === said.plan &&
    [
      ...new Set(writes.flatMap(({ status }) => JSON.stringify(status).match(TIMES) ?? [])),
      ...epochs.flatMap(({ epoch }) =>
        Array.from({ length: MOST_EVENTS * writes.length }, (_, at) => ({ epoch, seq: at + 1 })),
      ),
    ].some((fact) => {
      const told = typeof fact === 'string' ? { fact, epoch: '', seq: 0 } : { fact: '', ...fact };
      const event = { planUid, kind, cycle, operation, target, executor, state, ...phases, ...told };
      return deliveryId(eventId(event), namespace, notification, sink) === id;
    });
  return { ...said, plan: plans.find(isOwner)?.name ?? said.plan };
}

/** The times in a status. */
const TIMES = /\d{4}-\d\d-\d\dT[^"]+/g;
/** A state of a plan makes no more events than this. */
const MOST_EVENTS = 10;

/** A label distinguishes plans that had the same name one after the other. */
const nameOf = ({ name, labels }: Context['plan']): string =>
  labels?.life === undefined ? name : `${name}#${labels.life}`;

const HEADINGS: readonly (readonly [RegExp, Kind])[] = [
  [/Target Progress: (?<target>\S+) \(\S*\) -> (?<state>\w+)/, 'ExecutionProgress'],
  [/Starting \(\d+ targets\)/, 'Start'],
  [/Retrying \(attempt (?<count>\d+)\)/, 'Recovery'],
  [/Completed$/, 'Success'],
  [/Failed$/, 'Failure'],
  [/Phase Change$/, 'PhaseChange'],
];

function readText(marked: string): Said | undefined {
  const lines = unmarked(marked).split('\n');
  const heading = lines[0]?.trim() ?? '';
  const found = HEADINGS.find(([pattern]) => pattern.test(heading));
  const plan = field(lines, 'Plan');
  if (found === undefined || plan === undefined) return undefined;
  const [pattern, kind] = found;
  const { target = '', state = '', count } = pattern.exec(heading)?.groups ?? {};
  const operation = field(lines, 'Operation') ?? '';
  const previous = field(lines, 'Previous Phase') ?? '';
  return {
    ...{ plan, kind, target, state, cycle: undefined },
    operation: operation === 'N/A' ? '' : operation,
    phase: field(lines, 'Phase') ?? '',
    previousPhase: kind === 'ExecutionProgress' ? undefined : previous,
    retryCount: count === undefined ? undefined : Number(count),
    time: Math.floor(Date.parse((field(lines, 'Timestamp') ?? '').replace(' UTC', 'Z')) / 1000),
  };
}

/** The plan, cycle and operation of a root, from its card. */
export function readRoot(text: string): { plan: string; cycle: string; operation: string } | undefined {
  const lines = unmarked(text).split('\n');
  const [plan, cycle] = ['Plan', 'Cycle'].map((name) => field(lines, name));
  const [operation] = /Hibernation|Wake-Up/.exec(lines[0] ?? '') ?? [];
  if (plan === undefined || cycle === undefined || operation === undefined) return undefined;
  return { plan, cycle, operation: operation === 'Hibernation' ? 'shutdown' : 'wakeup' };
}

const field = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);

const unmarked = (text: string): string =>
  text
    .replace(/<\/?(b|code|i)>|[*`]/g, '')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

/** Whether a message can be about this event: all fields that both have are equal. */
export const tells = (said: Said, event: Expected): boolean =>
  said.kind === event.kind &&
  said.operation === event.operation &&
  said.phase === event.phase &&
  said.target === event.target &&
  said.state === event.state &&
  agree(said.cycle, event.cycle) &&
  agree(said.previousPhase, event.previousPhase) &&
  agree(said.retryCount, event.retryCount) &&
  agree(said.time, event.time);

const agree = <T>(a: T | undefined, b: T | undefined): boolean =>
  a === undefined || b === undefined || a === b;

export const inWords = (event: Said | Expected): string =>
  [
    ...[event.kind, event.cycle ?? '?', event.operation, `${event.previousPhase ?? ''}>${event.phase}`],
    ...[event.target, event.state, event.retryCount ?? '', `@${event.time ?? 'seen'}`],
  ]
    .filter((word) => word !== '')
    .join(' ');

/** The same event derived again, from an earlier state, may have another time: a Success has that of its row in the history then. */
export const withoutTime = (event: Said | Expected): string => inWords({ ...event, time: 0 });
