/** html, js, urlquery. */
import type { Budget } from '../../budget.ts';
import type { Context } from '../../context.ts';
import { sprint } from '../../fmt/print.ts';
import { inChunks } from '../../replace.ts';
import { isPrint } from '../../strconv/quote.ts';
import { type Func, type FuncMap, contextual } from '../../value/func.ts';
import type { Value } from '../../value/value.ts';
import { printable } from './printable.ts';

const HTML_SPECIAL = /[\0"'&<>]/;
const EVERY_HTML_SPECIAL = /[\0"'&<>]/g;
const ENTITIES = new Map([
  ['\0', '\ufffd'],
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

/** `template.HTMLEscapeString`. */
function escapeHTML({ budget }: Context, text: string): string {
  budget.spend(text.length >> 6);
  if (!HTML_SPECIAL.test(text)) return text;
  return escaped(budget, text, EVERY_HTML_SPECIAL, (character) => ENTITIES.get(character) ?? character);
}

const JS_SPECIAL = /[^ !#-%(-;?-[\]-\x7f]/;
const EVERY_JS_SPECIAL = /[^ !#-%(-;?-[\]-\x7f]/gu;

/** `template.JSEscapeString`. Bytes that are not UTF-8 stay, because U+FFFD is printable. */
function escapeJS({ budget }: Context, text: string): string {
  budget.spend(text.length >> 6);
  if (!JS_SPECIAL.test(text)) return text;
  return escaped(budget, text, EVERY_JS_SPECIAL, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\\' || character === "'" || character === '"') return `\\${character}`;
  const point = character.codePointAt(0) ?? 0;
  if (point > 0x7f && (isByte(point) || isPrint(point))) return character;
  return `\\u${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

function isByte(point: number): boolean {
  return point >= 0xdc80 && point <= 0xdcff;
}

const QUERY_SPECIAL = /[^\w.~-]/;
const EVERY_QUERY_SPECIAL = /[^\w.~-]/gu;

/** `url.QueryEscape`. */
function escapeQuery({ budget }: Context, text: string): string {
  budget.spend(text.length >> 6);
  if (!QUERY_SPECIAL.test(text)) return text;
  return escaped(budget, text, EVERY_QUERY_SPECIAL, escapeInQuery);
}

function escapeInQuery(character: string): string {
  if (character === ' ') return '+';
  const point = character.charCodeAt(0);
  if (point > 0x7f && !isByte(point)) return encodeURIComponent(character);
  return `%${(point & 0xff).toString(16).toUpperCase().padStart(2, '0')}`;
}

function escaped(budget: Budget, text: string, special: RegExp, escape: (found: string) => string): string {
  budget.grow(text.length);
  return inChunks(budget, text, (chunk) => chunk.replace(special, escape));
}

type Escape = (context: Context, text: string) => string;

function escaper(escape: Escape): Func {
  return contextual('func(...any) string', (context, ...args: Value[]) => {
    const [first] = args;
    const plain = args.length === 1 && typeof first === 'string';
    return escape(context, plain ? first : sprint(context, args.map(printable)));
  });
}

export const escape: FuncMap = {
  html: escaper(escapeHTML),
  js: escaper(escapeJS),
  urlquery: escaper(escapeQuery),
};
