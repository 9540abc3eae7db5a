import type { PlainKind } from './entity.ts';
import { atByte, MarkupError } from './markup.ts';

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

/** The end of each kind. A quote ends with its line. An italic does not end where an underline begins or ends. */
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

/** The beginning of each kind where it is not its end. */
export const BEGINS: Partial<Record<Kind, string>> = { TextUrl: '[', CustomEmoji: '![', BlockQuote: '>' };

/** Kinds without further fields. */
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

/** Reads a URL up to its closing bracket, whose index is `end`. @throws MarkupError */
export function readUrl(source: string, begin: number): { readonly url: string; readonly end: number } {
  let url = '';
  let at = begin;
  while (at < source.length && source[at] !== ')') {
    const next = source.charAt(at + 1);
    if (source[at] === '\\' && next >= '\x01' && next <= '~') at++;
    url += source.charAt(at++);
  }
  if (at >= source.length) {
    const message = `Can't find end of a URL ${atByte(source, begin)}`;
    throw new MarkupError(message, begin, 'write ) after the address, or \\[ instead of [ if it is no link');
  }
  return { url, end: at };
}
