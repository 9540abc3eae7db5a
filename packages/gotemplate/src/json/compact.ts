import type { Context } from '../context.ts';
import { inChunks } from '../replace.ts';
import { parse } from './decode.ts';
import { escapeSpecial } from './string.ts';

const SPACE_OR_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"|[ \t\r\n]+/g;
const SPECIAL = /[<>&\u2028\u2029]/;
const EVERY_SPECIAL = /[<>&\u2028\u2029]/g;

/** Checks JSON from a MarshalJSON method, removes spaces and optionally escapes HTML. Throws a GoError if it is invalid. */
export function compact(context: Context, json: string, escapeHTML: boolean): string {
  parse(context, json);
  context.budget.spend(json.length);
  context.budget.grow(json.length);
  const dense = json.replace(SPACE_OR_STRING, (found) => (found.startsWith('"') ? found : ''));
  if (!escapeHTML || !SPECIAL.test(dense)) return dense;
  return inChunks(context.budget, dense, (chunk) => chunk.replace(EVERY_SPECIAL, escapeSpecial));
}
