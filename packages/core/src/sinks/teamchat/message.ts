import { renderBuiltin } from '../../render/builtin.ts';
import type { Source } from '../../render/context.ts';
import { escapeSlack } from '../../render/escape.ts';
import { plainFallback } from '../../render/fallback.ts';
import { sharedMessage } from '../../render/shared-message.ts';
import { type ChatForms, emptyForm, isBlank } from '../chat-message.ts';
import { parseBlocks } from './blocks.ts';
import { fitText } from './fit.ts';
import { noticeText, presetMessage } from './presets/preset.ts';
import type { ChatMessage, PresetOptions, TeamchatConfig, TemplateMessage } from './types.ts';

/** https://docs.slack.dev/changelog/2018-truncating-really-long-messages: best below. */
const BEST_TEXT = 4_000;

/** Slack makes no names, previews and mentions of plain words in a text. https://docs.slack.dev/messaging/formatting-message-text#automatic-parsing */
const BARE = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** The message without a template, in the configured format. */
export const builtinMessage = (source: Source, config: TeamchatConfig): ChatMessage =>
  config.format === 'json'
    ? sharedMessage(source, presetKeyOf(config), () => ({ ...presetMessage(source, config), ...BARE }))
    : { text: fitText(renderBuiltin('teamchat', source, BEST_TEXT)), ...BARE };

const presetKeys = new WeakMap<PresetOptions, string>();

/** Names the options of a preset. */
function presetKeyOf(options: PresetOptions): string {
  const { layout, maxTargets, scopes, timeDisplay, timezone, timeLayout } = options;
  const key =
    presetKeys.get(options) ??
    JSON.stringify([
      layout,
      maxTargets,
      scopes,
      timeDisplay,
      timezone,
      timeLayout,
    ] satisfies readonly unknown[]);
  presetKeys.set(options, key);
  return key;
}

/** Text without markup. It is still escaped: Slack reads `<!channel>` everywhere. */
export const plainMessage = (source: Source): ChatMessage => ({
  text: fitText(escapeSlack(plainFallback(source).toWellFormed())),
  mrkdwn: false,
  ...BARE,
});

export const formsOf = (config: TeamchatConfig): ChatForms<TemplateMessage> => ({
  reading: config.format === 'json' ? 'json' : 'slack',
  custom(output, source, template) {
    if (config.format === 'json') {
      const reading = parseBlocks(output, noticeText(source), { template, source });
      if (reading.ok) return { content: reading.message };
      const said = reading.faults === undefined ? '' : 'Slack would refuse it: ';
      const message = `template ${template.name}: ${said}${reading.problem}; the preset layout was sent`;
      return { instead: 'builtin', degradation: { reason: 'BlocksInvalid', message } };
    }
    return isBlank(output) ? emptyForm(template.name, source) : { content: { text: fitText(output) } };
  },
  builtin: (source) => builtinMessage(source, config),
  plain: plainMessage,
});
