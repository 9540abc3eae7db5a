import { emptyOutput, type SinkDefinition, sinkOf } from '../definition.ts';
import { readBotchatConfig } from './config.ts';
import { botchatSink } from './deliver.ts';
import { MARKUPS, type ParseMode } from './markup/markup.ts';

const ESCAPES: Readonly<Record<ParseMode, string>> = { HTML: 'escapeHTML', MarkdownV2: 'escapeMarkdown' };

/** A Telegram chat, by a bot's token. */
export const BOTCHAT: SinkDefinition = {
  read: (json, settings) => sinkOf(readBotchatConfig(json), (config) => botchatSink(config, settings)),
  dropsRepeats: false,
  showsLinks: true,
  outputProblem: (output, { parseMode }) =>
    emptyOutput(output) ??
    (MARKUPS[parseMode].parse(output) === undefined
      ? `the output is not ${parseMode} that Telegram takes: do all values go through ${ESCAPES[parseMode]}?`
      : undefined),
};
