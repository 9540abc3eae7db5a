import { printHtml } from './print-html.ts';
import { printMarkdown } from './print-markdown.ts';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';
import type { Node } from './node.ts';

/** Values of `parse_mode`. */
export const PARSE_MODES = ['HTML', 'MarkdownV2'] as const;
export type ParseMode = (typeof PARSE_MODES)[number];

/** A markup language of trees. */
export interface Markup {
  /**
   * Undefined if Telegram would refuse the text. Parses at most `upTo` UTF-16 units (and the element at that place), and closes open
   * elements.
   */
  readonly parse: (text: string, upTo?: number) => Node[] | undefined;
  /** Prints markup that `parse` parses to the same tree. */
  readonly print: (nodes: readonly Node[]) => string;
}

export const MARKUPS: Readonly<Record<ParseMode, Markup>> = {
  HTML: { parse: parseHtml, print: printHtml },
  MarkdownV2: { parse: parseMarkdown, print: printMarkdown },
};
