import type { Source } from '../../../render/context.ts';
import { context, name } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { scopesOf } from './scope.ts';
import { shownTime } from './time.ts';

/** The line at the bottom: where, what, in which cycle, when. */
export function contextBlock(source: Source, options: PresetOptions): Block {
  const { event } = source;
  const cycle = name(event.cycle, 80);
  const parts = [
    ...scopesOf(source, options.scopes),
    event.kind,
    cycle === '' ? '' : `Cycle ${cycle}`,
    shownTime(event.timestamp, options),
  ];
  return context(parts.filter((part) => part !== '').join('  ·  '));
}
