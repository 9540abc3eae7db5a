import type { Budget } from '../budget.ts';
import { inChunks } from '../replace.ts';

const PLAIN = /^[^"\\\0-\x1f<>&\u2028\u2029\ud800-\udfff]*$/;
const RAW = /[<>&\u2028\u2029]/;
/** What JSON.stringify left, and its own escapes, lest a backslash and a letter be taken for one. */
const REST = /\\u[\da-f]{4}|\\.|[<>&\u2028\u2029]/g;
const REST_BUT_HTML = /\\u[\da-f]{4}|\\.|[\u2028\u2029]/g;

/** A string in JSON as Go writes it: line separators escaped, and HTML's characters too if asked for; U+FFFD for broken bytes. */
export function encodeString(budget: Budget, text: string, escapeHTML: boolean): string {
  budget.spend(text.length >> 6);
  if (PLAIN.test(text)) return `"${text}"`;
  return `"${inChunks(budget, text, (chunk) => escape(chunk, escapeHTML))}"`;
}

function escape(text: string, escapeHTML: boolean): string {
  const quoted = JSON.stringify(text);
  const escaped =
    text.isWellFormed() && !RAW.test(text)
      ? quoted
      : quoted.replace(escapeHTML ? REST : REST_BUT_HTML, escapeRest);
  return escaped.slice(1, -1);
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Array.from('<>&\u2028\u2029', (character) => [character, escapeSpecial(character)]),
);

function escapeRest(found: string): string {
  // The one escape of a character beyond U+00FF that JSON.stringify makes is that of a lone surrogate.
  return ESCAPES.get(found) ?? (found.startsWith('\\ud') ? '\\ufffd' : found);
}

/** By its number: `\u003c`. */
export function escapeSpecial(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
