import { printHtml } from './print-html.ts';
import { printMarkdown } from './print-markdown.ts';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';
import type { Node } from './node.ts';

/** Values of `parse_mode`. */
export const PARSE_MODES = ['HTML', 'MarkdownV2'] as const;
export type ParseMode = (typeof PARSE_MODES)[number];

/** A way to write a tree. */
export interface Markup {
  /**
   * Undefined for what Telegram would refuse. Of a text longer than `upTo` UTF-16 units no more is read than that (and the
   * element that is there), and what is open then is closed.
   */
  readonly parse: (text: string, upTo?: number) => Node[] | undefined;
  /** Markup that `parse` reads as the same tree. */
  readonly print: (nodes: readonly Node[]) => string;
}

export const MARKUPS: Readonly<Record<ParseMode, Markup>> = {
  HTML: { parse: parseHtml, print: printHtml },
  MarkdownV2: { parse: parseMarkdown, print: printMarkdown },
};
