import type { Source } from '../../../render/context.ts';
import { context, name } from '../mrkdwn.ts';
import type { Block, PresetOptions } from '../types.ts';
import { linkTexts } from './links.ts';
import { scopesOf } from './scope.ts';
import { shownTime } from './time.ts';

/** The line at the bottom: links, scopes, cycle, time. */
export function contextBlock(source: Source, options: PresetOptions): Block {
  const { event, plan } = source;
  const cycle = name(event.cycle, 80);
  const parts = [
    ...linkTexts(plan),
    ...scopesOf(source, options.scopes),
    cycle === '' ? '' : `Cycle ${cycle}`,
    shownTime(event.timestamp, options),
  ];
  return context(parts.filter((part) => part !== '').join(BETWEEN));
}

/** Between the parts of a line. */
export const BETWEEN = '  ·  ';
