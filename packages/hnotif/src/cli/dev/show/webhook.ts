import type { WebhookRecord } from '@hnotif/receivers';
import { gutter, lead } from './frame.ts';
import type { Paint } from '../../paint.ts';
import { printable, printableLine } from '../../printable.ts';

/** The used fields of a request. */
export type ShownRecord = Pick<
  WebhookRecord,
  'path' | 'arrivedAt' | 'arrivedMonotonic' | 'json' | 'signatureReason' | 'schemaErrors'
> & { readonly answered: Pick<WebhookRecord['answered'], 'accepted'> };

/** The fields of a webhook's body that are shown. */
export interface ShownContext {
  readonly event: string;
  readonly plan: { readonly namespace: string; readonly name: string };
  readonly operation: string;
  readonly phase: string;
  readonly previousPhase?: string;
  readonly sinkName: string;
  readonly retryCount?: number;
  readonly errorMessage?: string;
  readonly targets?: readonly { readonly state: string }[];
  readonly targetExecution?: {
    readonly name: string;
    readonly executor: string;
    readonly state: string;
    readonly message: string;
  };
}

const MARKS: Readonly<Record<string, readonly [string, Parameters<Paint>[0]]>> = {
  Start: ['▶', 'cyan'],
  Success: ['✔', 'green'],
  Failure: ['✘', 'red'],
  Recovery: ['↻', 'yellow'],
  PhaseChange: ['→', 'gray'],
  ExecutionProgress: ['·', 'gray'],
};

/** The longest and most frequent name is shortened. */
const NAMES: Readonly<Record<string, string>> = { ExecutionProgress: 'Progress' };

/** A failed target is red, as a Failure. A Success with failed targets is not green. */
function markOf({ event, targetExecution: target, targets = [] }: ShownContext): (typeof MARKS)[string] {
  if (event === 'ExecutionProgress' && target?.state === 'Failed') return ['✘', 'red'];
  const isMixed = targets.some(({ state }) => state === 'Failed' || state === 'Aborted');
  if (event === 'Success' && isMixed) return ['✔', 'yellow'];
  return MARKS[event] ?? ['?', 'white'];
}

/**
 * One delivery on one line: time of arrival, latency since the write of the plan, sink, event and plan. The text of the payload follows
 * below. A refused delivery says why. `since`: when the plan was last written (monotonic milliseconds); undefined: not known.
 */
export function webhookLines(
  record: ShownRecord,
  since: (namespace: string, plan: string) => number | undefined,
  paint: Paint,
): string[] {
  const { answered, path, signatureReason, schemaErrors, arrivedAt, arrivedMonotonic } = record;
  if (!answered.accepted)
    return [
      paint('red', printableLine(`refused: ${path} ${signatureReason} ${schemaErrors.join('; ')}`.trimEnd())),
    ];
  const { context, rendered } = record.json as { context: ShownContext; rendered?: string };
  const written = since(context.plan.namespace, context.plan.name);
  const latency = written === undefined ? undefined : arrivedMonotonic - written;
  return [
    deliveryLine(context, arrivedAt, latency, paint),
    ...(rendered === undefined ? [] : gutter(printable(rendered).split('\n'), paint)),
  ];
}

/** `latencyMs` undefined: not known. */
function deliveryLine(
  context: ShownContext,
  arrivedAt: number,
  latencyMs: number | undefined,
  paint: Paint,
): string {
  const [mark, colour] = markOf(context);
  const kind = (NAMES[context.event] ?? context.event).padEnd(11);
  const what = `${mark} ${kind} ${context.plan.name.padEnd(10)} ${words(context)}`;
  const sink = paint('gray', printableLine(context.sinkName).padEnd(9));
  return `${lead(arrivedAt, latencyMs, paint)}${sink} ${paint(colour, printableLine(what))}`;
}

function words(context: ShownContext): string {
  const { event, operation, targetExecution: target } = context;
  switch (event) {
    case 'Start':
      return operation;
    case 'Success':
    case 'Failure':
      return `${operation}${tally(context.targets ?? [])}${reason(context.errorMessage)}`;
    case 'Recovery':
      return `${operation}, retry ${context.retryCount ?? 0}`;
    case 'PhaseChange':
      return `${context.previousPhase ?? ''} → ${context.phase}`;
    default:
      return target
        ? `${target.name} (${target.executor}) ${target.state}${reason(target.message)}`
        : context.phase;
  }
}

function tally(targets: readonly { readonly state: string }[]): string {
  const counts = new Map<string, number>();
  for (const { state } of targets) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count], index) => `${index === 0 ? ': ' : ', '}${count} ${state}`).join('');
}

const reason = (text = ''): string => (text === '' ? '' : ` — ${text}`);
