import { styleText } from 'node:util';

/** What of a webhook's body is shown; everything else passes unseen. */
export interface ShownContext {
  readonly event: string;
  readonly timestamp: string;
  readonly plan: { readonly name: string };
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

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colours for a terminal, plain text elsewhere and where NO_COLOR asks for it; decided here, not once more by styleText. */
export const paintFor = (tty: boolean, env: Readonly<Record<string, string | undefined>>): Paint =>
  tty && (env.NO_COLOR ?? '') === ''
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text;

const MARKS: Readonly<Record<string, readonly [string, Parameters<Paint>[0]]>> = {
  Start: ['▶', 'cyan'],
  Success: ['✔', 'green'],
  Failure: ['✘', 'red'],
  Recovery: ['↻', 'yellow'],
  PhaseChange: ['→', 'gray'],
  ExecutionProgress: ['·', 'gray'],
};

/**
 * One delivery on one line: when it arrived, what happened, to which plan, in words, at which sink, and how long after
 * the write that caused it (undefined: not known).
 */
export function deliveryLine(
  context: ShownContext,
  arrivedAt: Date,
  latencyMs: number | undefined,
  paint: Paint,
): string {
  const [mark, colour] = MARKS[context.event] ?? ['?', 'white'];
  const time = arrivedAt.toISOString().slice(11, 23);
  const latency = latencyMs === undefined ? '' : `${Math.round(latencyMs)} ms`;
  const before = `${time} ${latency.padStart(8)}  ${context.sinkName.padEnd(10)}`;
  const what = `${mark} ${context.event.padEnd(17)} ${context.plan.name.padEnd(12)} ${words(context)}`;
  return `${paint('gray', before)} ${paint(colour, what)}`;
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
