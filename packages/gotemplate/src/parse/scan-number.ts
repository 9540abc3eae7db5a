import { isWord } from './characters.ts';

/**
 * Finds where a number ends. It is generous: `.`, `089` and `0x0.2` pass, since whoever reads the number refuses them.
 * Base prefixes choose the digits; only decimal and hexadecimal numbers have exponents.
 */
const NUMBER =
  /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?/y;

/** The number at `start`: its end and kind. Of what is no number the kind is undefined and the end includes the offence. */
export function scanNumber(
  text: string,
  start: number,
): { kind: 'number' | 'complex' | undefined; end: number } {
  const end = scanPart(text, start);
  if (isWordAt(text, end)) return { kind: undefined, end: past(text, end) };
  if (text[end] !== '+' && text[end] !== '-') return { kind: 'number', end };
  const end2 = scanPart(text, end);
  if (isWordAt(text, end2)) return { kind: undefined, end: past(text, end2) };
  return { kind: text[end2 - 1] === 'i' ? 'complex' : undefined, end: end2 };
}

function scanPart(text: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.test(text);
  return NUMBER.lastIndex;
}

function isWordAt(text: string, at: number): boolean {
  return at < text.length && isWord(text.codePointAt(at) ?? 0);
}

function past(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
