import type { PlainKind } from './entity.ts';
import { byteOffset, MarkupError } from './markup.ts';

/** The kinds by Telegram's own names, which its messages show. */
export type Kind =
  | 'Bold'
  | 'Italic'
  | 'Underline'
  | 'Strikethrough'
  | 'Spoiler'
  | 'Code'
  | 'Pre'
  | 'PreCode'
  | 'TextUrl'
  | 'CustomEmoji'
  | 'BlockQuote';

/** What ends each kind; a quote ends with its line, and an italic not where an underline would end or begin. */
export const ENDS: Readonly<Record<Kind, string | undefined>> = {
  Bold: '*',
  Italic: '_',
  Underline: '__',
  Strikethrough: '~',
  Spoiler: '||',
  Code: '`',
  Pre: '```',
  PreCode: '```',
  TextUrl: ']',
  CustomEmoji: ']',
  BlockQuote: undefined,
};

/** What kinds become that say nothing else. */
export const MARKS: Readonly<
  Record<Exclude<Kind, 'PreCode' | 'TextUrl' | 'CustomEmoji'>, PlainKind | 'pre'>
> = {
  Bold: 'bold',
  Italic: 'italic',
  Underline: 'underline',
  Strikethrough: 'strikethrough',
  Spoiler: 'spoiler',
  Code: 'code',
  Pre: 'pre',
  BlockQuote: 'blockquote',
};

/** Reads an address up to its closing bracket, whose index is `end`. Throws a MarkupError. */
export function readUrl(source: string, begin: number): { readonly url: string; readonly end: number } {
  let url = '';
  let at = begin;
  while (at < source.length && source[at] !== ')') {
    const next = source.charAt(at + 1);
    if (source[at] === '\\' && next >= '\x01' && next <= '~') at++;
    url += source.charAt(at++);
  }
  if (at >= source.length) {
    throw new MarkupError(`Can't find end of a URL at byte offset ${byteOffset(source, begin)}`);
  }
  return { url, end: at };
}
