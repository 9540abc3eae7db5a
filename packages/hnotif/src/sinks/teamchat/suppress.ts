import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { TeamchatConfig } from './types.ts';

/** States in which a target has not come to its end. Another operator's own words are sent: nobody knows what they mean. */
const UNFINISHED: ReadonlySet<string> = new Set(['Pending', 'Running']);

/**
 * The contract: with format json and layouts default and compact a target's progress is told when it has ended. Layout auto
 * streams all of it, format text has no layout. The layout counts even where a custom template makes the message.
 */
export const suppresses = (
  { kind, targetExecution }: LifecycleEvent,
  { format, layout }: Pick<TeamchatConfig, 'format' | 'layout'>,
): boolean =>
  kind === 'ExecutionProgress' &&
  format === 'json' &&
  layout !== 'auto' &&
  targetExecution !== undefined &&
  UNFINISHED.has(targetExecution.state);
