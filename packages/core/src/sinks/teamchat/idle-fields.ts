import type { TeamchatConfig } from './types.ts';

/** The default of `time_layout`. */
export const STANDARD_LAYOUT = 'Mon, 02 Jan 2006 15:04:05 MST';

const TEXT_ONLY: readonly (readonly [field: string, differs: (config: TeamchatConfig) => boolean])[] = [
  ['block_layout', ({ layout }) => layout !== 'default'],
  ['max_targets', ({ maxTargets }) => maxTargets !== 8],
  ['additional_scopes', ({ scopes }) => scopes.length > 0],
  ['time_display', ({ timeDisplay }) => timeDisplay !== 'slack_dynamic'],
  ['timezone', ({ timezone }) => timezone !== 'UTC'],
  ['time_layout', ({ timeLayout }) => timeLayout !== STANDARD_LAYOUT],
];

/** Notes on fields that are set but have no effect. Threads use all but the layout in both formats. */
export function idleFields(config: TeamchatConfig, broadcasts: boolean): string[] {
  const notes: string[] = [];
  if (broadcasts && config.mode.kind === 'channel')
    notes.push('broadcast has no effect while delivery_mode is channel: there are no threads');
  if (config.format === 'text' && config.mode.kind === 'channel') {
    const idle = TEXT_ONLY.filter(([, differs]) => differs(config)).map(([field]) => field);
    if (idle.length > 0)
      notes.push(`${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect while format is text`);
    return notes;
  }
  if (config.timezone !== 'UTC' && config.timeDisplay !== 'fixed')
    notes.push('timezone has no effect unless time_display is fixed');
  if (config.timeLayout !== STANDARD_LAYOUT && config.timeDisplay === 'slack_dynamic')
    notes.push('time_layout has no effect unless time_display is fixed or utc');
  return notes;
}
