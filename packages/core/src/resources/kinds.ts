/** The kinds of lifecycle events (values of `onEvents`). `lifecycle/derive.ts` has the order in which one change emits them. */
export const EVENT_KINDS = [
  'Start',
  'Success',
  'Failure',
  'Recovery',
  'PhaseChange',
  'ExecutionProgress',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The sink types a notification may name. */
export const SINK_TYPES = ['teamchat', 'botchat', 'webhook', 'msteams'] as const;
export type SinkType = (typeof SINK_TYPES)[number];

/** Plan phases with a meaning to us. Others pass through and make a PhaseChange only. */
export const PHASES = [
  'Pending',
  'Active',
  'Hibernating',
  'Hibernated',
  'WakingUp',
  'Suspended',
  'Error',
] as const;
