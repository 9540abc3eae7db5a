import type { Context } from '../context.ts';
import { parse } from './decode.ts';

const SPACE_OR_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"|[ \t\r\n]+/g;
const SPECIAL = /[<>&\u2028\u2029]/g;

/** JSON that a value made of itself: checked, without space, and safe in HTML if asked for. Throws a GoError if it is none. */
export function compact(context: Context, json: string, escapeHTML: boolean): string {
  parse(context, json);
  const dense = json.replace(SPACE_OR_STRING, (found) => (found.startsWith('"') ? found : ''));
  return escapeHTML ? dense.replace(SPECIAL, escapeSpecial) : dense;
}

function escapeSpecial(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
