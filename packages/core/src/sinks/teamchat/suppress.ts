import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { TeamchatConfig } from './types.ts';

/** States of a target that has not ended. Unknown states are sent. */
const UNFINISHED: ReadonlySet<string> = new Set(['Pending', 'Running']);

/**
 * The contract: with format json and layout default or compact, a target's progress is sent when the target has ended. Layout auto and
 * format text send all progress. The layout counts for custom templates, too.
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
