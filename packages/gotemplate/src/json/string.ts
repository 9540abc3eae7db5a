import type { Budget } from '../budget.ts';
import { inChunks } from '../replace.ts';

const PLAIN = /^[^"\\\0-\x1f<>&\u2028\u2029\ud800-\udfff]*$/;
const RAW = /[<>&\u2028\u2029]/;
/** Characters that JSON.stringify does not escape, and its escapes, so that a backslash in them is not misread. */
const REST = /\\u[\da-f]{4}|\\.|[<>&\u2028\u2029]/g;
const REST_BUT_HTML = /\\u[\da-f]{4}|\\.|[\u2028\u2029]/g;

/** A string in JSON as Go writes it. Escapes line separators and optionally HTML's characters. Invalid bytes become U+FFFD. */
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
  // Above U+00FF, JSON.stringify escapes only lone surrogates.
  return ESCAPES.get(found) ?? (found.startsWith('\\ud') ? '\\ufffd' : found);
}

/** The numeric escape: `\u003c`. */
export function escapeSpecial(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
