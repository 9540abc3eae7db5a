import * as z from 'zod';
import { EVENT_KINDS } from '../resources/kinds.ts';
import type { LifecycleEvent, TargetState } from './event.ts';

export type TargetRow = readonly [name: string, executor: string, state: string, message: string];

export const TARGET_ROW = z.tuple([z.string(), z.string(), z.string(), z.string()]).readonly();
export const COUNT = z.number().int().nonnegative();

/** An event without its target table. */
export const EVENT = z.object({
  id: z.string(),
  seq: COUNT,
  kind: z.enum(EVENT_KINDS),
  run: COUNT,
  cycle: z.string(),
  operation: z.string(),
  phase: z.string(),
  previousPhase: z.string(),
  timestamp: z.string(),
  target: TARGET_ROW.optional(),
  errorMessage: z.string().optional(),
  retryCount: COUNT.optional(),
  startedAt: z.string().optional(),
  replayed: z.literal(true).optional(),
});

export type PlainEvent = z.output<typeof EVENT>;

/** The plan of an event, which its JSON does not repeat. */
export interface Subject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export const targetRowOf = ({ name, executor, state, message }: TargetState): TargetRow => [
  name,
  executor,
  state,
  message,
];

/** The target of a row. The row may be longer. */
export const targetOf = ([name, executor, state, message]: readonly [
  ...TargetRow,
  ...string[],
]): TargetState => ({
  name,
  executor,
  state,
  message,
});

export function plainEvent(event: Omit<LifecycleEvent, 'targets'>): PlainEvent {
  const { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp } = event;
  const { targetExecution, errorMessage, retryCount, startedAt, replayed } = event;
  const plain: PlainEvent = { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp };
  if (targetExecution !== undefined) plain.target = targetRowOf(targetExecution);
  if (errorMessage !== '') plain.errorMessage = errorMessage;
  if (retryCount !== 0) plain.retryCount = retryCount;
  if (startedAt !== undefined) plain.startedAt = startedAt;
  if (replayed) plain.replayed = replayed;
  return plain;
}

export function eventOf(
  plain: PlainEvent,
  targets: readonly TargetState[],
  { namespace, name, uid }: Subject,
): LifecycleEvent {
  const { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp, target } = plain;
  return {
    ...{ id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp, targets },
    targetExecution: target && targetOf(target),
    errorMessage: plain.errorMessage ?? '',
    retryCount: plain.retryCount ?? 0,
    ...(plain.startedAt !== undefined && { startedAt: plain.startedAt }),
    ...(plain.replayed && { replayed: plain.replayed }),
    ...{ namespace, plan: name, planUid: uid },
  };
}
