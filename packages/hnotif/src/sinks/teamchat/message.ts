import { renderBuiltin } from '../../render/builtin.ts';
import type { Source } from '../../render/context.ts';
import { cutText } from '../../render/cut.ts';
import { escapeSlack } from '../../render/escape.ts';
import { plainFallback } from '../../render/fallback.ts';
import type { TemplateRunner, TemplateSource } from '../../render/template.ts';
import type { Degradation } from '../degradation.ts';
import { parseBlocks } from './blocks.ts';
import { noticeText, presetMessage } from './presets/preset.ts';
import type { ChatMessage, TeamchatConfig, TemplateMessage } from './types.ts';

/** https://docs.slack.dev/changelog/2018-truncating-really-long-messages: best below the one, cut at the other. */
const BEST_TEXT = 4_000;
const LONGEST_TEXT = 40_000;

/** No names, previews and mentions are made of what stands bare in a text. https://docs.slack.dev/messaging/formatting-message-text#automatic-parsing */
const BARE = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** The rungs of the ladder: how plain a message is. */
export const FALLBACK_LEVELS = { custom: 0, builtin: 1, plain: 2 } as const;

export interface Made<Message extends TemplateMessage = ChatMessage> {
  readonly message: Message;
  readonly level: number;
  /** What is to be told once it has arrived. */
  readonly notice: Degradation | undefined;
}

/** The message without a template, as the format has it. */
export const builtinMessage = (source: Source, config: TeamchatConfig): Made => ({
  message: {
    ...(config.format === 'json'
      ? presetMessage(source, config)
      : { text: renderBuiltin('teamchat', source, BEST_TEXT) }),
    ...BARE,
  },
  level: FALLBACK_LEVELS.builtin,
  notice: undefined,
});

/** Text alone, without markup. It is escaped all the same: Slack reads `<!channel>` wherever it stands. */
export const plainMessage = (source: Source, notice?: Degradation): Made => ({
  message: { text: escapeSlack(plainFallback(source).toWellFormed()), mrkdwn: false, ...BARE },
  level: FALLBACK_LEVELS.plain,
  notice,
});

/**
 * What the custom template makes of an event. Where it fails, plain text; where its output is no blocks JSON though the format
 * is json, the preset layout; where it is an empty text, plain text, for an event that was subscribed to is not kept silent.
 */
export async function customMessage(
  template: TemplateSource,
  source: Source,
  config: TeamchatConfig,
  templates: TemplateRunner,
  signal: AbortSignal,
): Promise<Made<TemplateMessage>> {
  const rendered = await templates.render(template, source, signal);
  if (!rendered.ok) return plainMessage(source, { reason: rendered.reason, message: rendered.message });
  const text = rendered.text.toWellFormed();
  if (config.format === 'json') {
    const reading = parseBlocks(text, noticeText(source));
    if (reading.ok) return { message: reading.message, level: FALLBACK_LEVELS.custom, notice: undefined };
    const message = `template ${template.name} gave no blocks that the chat takes: ${reading.problem}; the preset layout was sent`;
    return { ...builtinMessage(source, config), notice: { reason: 'BlocksInvalid', message } };
  }
  if (isBlank(text)) {
    const message = `template ${template.name} gave an empty text for ${source.event.kind}; leave the event out of onEvents to get no message`;
    return plainMessage(source, { reason: 'TemplateEmpty', message });
  }
  return { message: { text: cutText(text, LONGEST_TEXT) }, level: FALLBACK_LEVELS.custom, notice: undefined };
}

/** White space and characters that show nothing. */
const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{Z}]*$/u.test(text);
