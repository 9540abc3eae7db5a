import type { SinkType } from '../resources/kinds.ts';
import { MARKUPS, type ParseMode } from '../sinks/botchat/markup/markup.ts';
import { parseBlocks } from '../sinks/teamchat/blocks.ts';
import type { TemplateMessage } from '../sinks/teamchat/types.ts';

export interface OutputFlags {
  readonly sinkType: SinkType;
  /** Of a teamchat sink; undefined: `json` where the output begins as JSON does. */
  readonly format?: 'text' | 'json';
  /** Of a botchat sink. */
  readonly parseMode: ParseMode;
}

/** Why Slack would refuse a message; undefined: it would take it. */
export type Judge = (message: TemplateMessage) => string | undefined;

/** Why the sink would not send a template's output as it is, or Slack not take it; undefined: neither. */
export function outputFault(
  output: string,
  { sinkType, format, parseMode }: OutputFlags,
  judge: Judge,
): string | undefined {
  if (sinkType === 'webhook') return undefined;
  if (output.trim() === '') return 'the output is empty, which no chat takes: plain text would be sent';
  if (sinkType === 'botchat')
    return MARKUPS[parseMode].parse(output) === undefined
      ? `the output is no ${parseMode} that Telegram takes: do all values go through ${ESCAPES[parseMode]}?`
      : undefined;
  if ((format ?? (/^\s*[[{]/.test(output) ? 'json' : 'text')) === 'text') return undefined;
  const reading = parseBlocks(output, 'notice');
  if (!reading.ok)
    return `the output is no blocks that Slack takes: ${reading.problem}; the preset layout would be sent`;
  const refusal = judge(reading.message);
  return refusal && `Slack would refuse the output: ${refusal}; a plainer message would be sent`;
}

const ESCAPES: Readonly<Record<ParseMode, string>> = { HTML: 'escapeHTML', MarkdownV2: 'escapeMarkdown' };
