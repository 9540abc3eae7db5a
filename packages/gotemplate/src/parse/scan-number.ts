import { isWord } from './characters.ts';

/**
 * Finds the end of a number. It accepts too much (`.`, `089`, `0x0.2`): readNumber refuses those later. Base prefixes
 * define the digits. Only decimal and hexadecimal numbers have exponents.
 */
const NUMBER =
  /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?/y;

/** The end and the kind of the number at `start`. If it is invalid, the kind is undefined and the end is after the error. */
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
