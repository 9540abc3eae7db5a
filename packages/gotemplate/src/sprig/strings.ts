import type { Context } from '../context.ts';
import { toLower, toUpper } from '../unicode/case.ts';
import { contextual, type FuncMap, fn } from '../value/func.ts';
import { fromBytes, toBytes } from '../value/text.ts';
import { GoError } from '../errors.ts';
import type { Value } from '../value/value.ts';
import { decode32, decode64, encode32, encode64 } from './text/base.ts';
import { joinedCase } from './text/joined-case.ts';
import { initials, swapCase, title, untitle, withoutSpace } from './text/letters.ts';
import { join, sortAlpha, split, splitList, toStrings } from './text/lists.ts';
import { paid, pay } from './text/paid.ts';
import { pascalCase } from './text/pascal-case.ts';
import { cat, quoteAll, squoteAll } from './text/quoting.ts';
import { indent, repeat } from './text/repeat.ts';
import { contains, hasPrefix, hasSuffix, replace, trimPrefix, trimSuffix } from './text/search.ts';
import { abbreviate, substring, truncate } from './text/shorten.ts';
import { trimSet, trimSpace } from './text/trim.ts';
import { wrap } from './text/wrap.ts';
import { strval } from './convert.ts';

const BY_LETTER = { steps: 1, bytes: 1 };
/** In the worst case, each letter is a match and is replaced. */
const BY_CASE = { steps: 3, bytes: 12 };
const BY_WORD = { steps: 8, bytes: 96 };

const trimAll = paid(
  'func(string, string) string',
  (set: string, text: string) => trimSet(text, set),
  BY_LETTER,
);

/** The result of a decoder's error is its message. */
function decoder(decode: (bytes: Uint8Array) => Uint8Array) {
  return ({ budget }: Context, text: string): string => {
    pay(budget, text, BY_LETTER);
    try {
      const bytes = decode(toBytes(text));
      // Bytes that are not UTF-8 are read one by one.
      if (bytes.some((byte) => byte > 0x7f)) budget.spend(8 * bytes.length);
      return fromBytes(bytes);
    } catch (error) {
      if (error instanceof GoError) return error.message;
      throw error;
    }
  };
}

function encoder(encode: (bytes: Uint8Array) => string) {
  return ({ budget }: Context, text: string): string => {
    pay(budget, text, { steps: 1, bytes: 4 });
    return encode(toBytes(text));
  };
}

export const strings: FuncMap = {
  upper: paid('func(string) string', toUpper),
  lower: paid('func(string) string', toLower),
  title: paid('func(string) string', title, BY_CASE),
  untitle: paid('func(string) string', untitle, BY_CASE),
  swapcase: paid('func(string) string', swapCase, BY_CASE),
  camelcase: paid('func(string) string', pascalCase, BY_WORD),
  snakecase: paid('func(string) string', (text: string) => joinedCase(text, '_'), BY_WORD),
  kebabcase: paid('func(string) string', (text: string) => joinedCase(text, '-'), BY_WORD),
  initials: paid('func(string) string', initials, BY_CASE),
  nospace: paid('func(string) string', withoutSpace, BY_CASE),

  trim: paid('func(string) string', trimSpace),
  trimAll,
  trimall: trimAll,
  trimPrefix: paid('func(string, string) string', (prefix: string, text: string) => trimPrefix(text, prefix)),
  trimSuffix: paid('func(string, string) string', (suffix: string, text: string) => trimSuffix(text, suffix)),

  abbrev: paid('func(int, string) string', (width: bigint, text: string) => abbreviate(text, 0n, width)),
  abbrevboth: paid('func(int, int, string) string', (left: bigint, right: bigint, text: string) =>
    abbreviate(text, left, right),
  ),
  trunc: paid('func(int, string) string', (count: bigint, text: string) => truncate(text, count)),
  substr: paid('func(int, int, string) string', (start: bigint, end: bigint, text: string) =>
    substring(text, start, end),
  ),
  wrap: contextual('func(int, string) string', ({ budget }, width: bigint, text: string) =>
    wrap(budget, text, width, '', false),
  ),
  wrapWith: contextual(
    'func(int, string, string) string',
    ({ budget }, width: bigint, lineBreak: string, text: string) =>
      wrap(budget, text, width, lineBreak, true),
  ),

  contains: contextual('func(string, string) bool', ({ budget }, needle: string, text: string) =>
    contains(budget, text, needle),
  ),
  hasPrefix: paid('func(string, string) bool', (prefix: string, text: string) => hasPrefix(text, prefix)),
  hasSuffix: paid('func(string, string) bool', (suffix: string, text: string) => hasSuffix(text, suffix)),
  replace: contextual(
    'func(string, string, string) string',
    ({ budget }, old: string, replacement: string, text: string) => replace(budget, text, old, replacement),
  ),

  repeat: contextual('func(int, string) string', ({ budget }, count: bigint, text: string) =>
    repeat(budget, text, count),
  ),
  indent: contextual('func(int, string) string', ({ budget }, spaces: bigint, text: string) =>
    indent(budget, text, spaces),
  ),
  nindent: contextual(
    'func(int, string) string',
    ({ budget }, spaces: bigint, text: string) => `\n${indent(budget, text, spaces)}`,
  ),
  plural: fn('func(string, string, int) string', (one: string, many: string, count: bigint) =>
    count === 1n ? one : many,
  ),

  quote: contextual('func(...any) string', quoteAll),
  squote: contextual('func(...any) string', squoteAll),
  cat: contextual('func(...any) string', cat),
  toString: contextual('func(any) string', (context, value: Value) => strval(context, value)),

  split: contextual('func(string, string) map[string]string', (context, separator: string, text: string) =>
    split(context, separator, -1n, text),
  ),
  splitn: contextual('func(string, int, string) map[string]string', split),
  splitList: contextual('func(string, string) []string', splitList),
  join: contextual('func(string, any) string', join),
  sortAlpha: contextual('func(any) []string', sortAlpha),
  toStrings: contextual('func(any) []string', toStrings),

  b64enc: contextual('func(string) string', encoder(encode64)),
  b64dec: contextual('func(string) string', decoder(decode64)),
  b32enc: contextual('func(string) string', encoder(encode32)),
  b32dec: contextual('func(string) string', decoder(decode32)),
};
