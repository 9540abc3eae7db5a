import type { Formatted } from '@hnotif/judges/telegram';
import { printHtml } from './print-html.ts';
import { printMarkdown } from './print-markdown.ts';

/** Values of `parse_mode`. */
export const PARSE_MODES = ['HTML', 'MarkdownV2'] as const;
export type ParseMode = (typeof PARSE_MODES)[number];

/**
 * Prints markup that Telegram reads as the same text with the same entities, which must be tidy. For MarkdownV2 a quote must begin a
 * line, and end with a line break if text follows. Texts that were read from MarkdownV2 are so.
 */
export const PRINT: Readonly<Record<ParseMode, (formatted: Formatted) => string>> = {
  HTML: printHtml,
  MarkdownV2: printMarkdown,
};
