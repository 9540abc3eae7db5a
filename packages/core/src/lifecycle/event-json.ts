import * as z from 'zod';
import { EVENT_KINDS } from '../resources/kinds.ts';
import type { LifecycleEvent, TargetState } from './event.ts';

export type TargetRow = readonly [name: string, executor: string, state: string, message: string];

export const TARGET_ROW = z.tuple([z.string(), z.string(), z.string(), z.string()]).readonly();
export const COUNT = z.number().int().nonnegative();

/** The fields of an event that its JSON has under their own names. The compiler checks that none is missing. */
const FIELDS = {
  id: z.string(),
  seq: COUNT,
  kind: z.enum(EVENT_KINDS),
  run: COUNT,
  cycle: z.string(),
  operation: z.string(),
  phase: z.string(),
  previousPhase: z.string(),
  timestamp: z.string(),
  errorMessage: z.string().default(''),
  retryCount: COUNT.default(0),
  startedAt: z.string().optional(),
  replayed: z.literal(true).optional(),
} satisfies Record<Exclude<keyof LifecycleEvent, keyof OfPlan | 'fact' | 'epoch'>, z.ZodType>;

/** The fields that are made of the plan and of its target table. */
type OfPlan = Pick<LifecycleEvent, 'planUid' | 'namespace' | 'plan' | 'targets' | 'targetExecution'>;
type EventFields = Pick<LifecycleEvent, keyof typeof FIELDS>;

const NAMES = Object.keys(FIELDS) as (keyof EventFields)[];

/** An event without its target table. */
export const EVENT = z.object({ ...FIELDS, target: TARGET_ROW.optional() });

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

/** The fields without those that have these values. */
function fieldsOf(event: EventFields, leftOut: Partial<EventFields>): Partial<EventFields> {
  const fields: Partial<Record<keyof EventFields, unknown>> = {};
  for (const name of NAMES) if (event[name] !== leftOut[name]) fields[name] = event[name];
  return fields as Partial<EventFields>;
}

/** Builds an event from its fields and from what the plan gives. */
export const wholeEvent = (event: EventFields, ofPlan: OfPlan): LifecycleEvent => ({
  ...(fieldsOf(event, {}) as EventFields),
  ...ofPlan,
});

/** The JSON of an event. */
export function plainEvent(event: Omit<LifecycleEvent, 'targets'>): z.input<typeof EVENT> {
  const plain = fieldsOf(event, { errorMessage: '', retryCount: 0 }) as z.input<typeof EVENT>;
  if (event.targetExecution !== undefined) plain.target = targetRowOf(event.targetExecution);
  return plain;
}

export const eventOf = (
  plain: z.output<typeof EVENT>,
  targets: readonly TargetState[],
  { namespace, name: plan, uid: planUid }: Subject,
): LifecycleEvent => {
  const targetExecution = plain.target && targetOf(plain.target);
  return wholeEvent(plain, { planUid, namespace, plan, targets, targetExecution });
};
