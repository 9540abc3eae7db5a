/** Formats integers. */
import { isPrint, quoteRune, quoteRuneToASCII } from '../strconv/quote.ts';
import { REPLACEMENT, fromRunes } from '../value/text.ts';
import { pad } from './pad.ts';
import { PLAIN, type Spec } from './spec.ts';

/** Undefined if the verb does not apply to integers. */
export function formatInteger(
  spec: Spec,
  value: bigint,
  isSigned: boolean,
  verb: string,
): string | undefined {
  switch (verb) {
    case 'd':
      return spec === PLAIN ? String(value) : digits(spec, value, 10);
    case 'v':
      if (spec === PLAIN) return String(value);
      return spec.sharpV && !isSigned ? formatAddress(spec, value, true) : digits(spec, value, 10);
    case 'b':
      return digits(spec, value, 2, '0b');
    case 'o':
      return digits(spec, value, 8, '0');
    case 'O':
      return digits(spec, value, 8, '0', '0o');
    case 'x':
      return digits(spec, value, 16, '0x');
    case 'X':
      return digits(spec, value, 16, '0X');
    case 'c':
      return pad(spec, fromRunes([runeOf(value)]));
    case 'q':
      return pad(spec, spec.plus ? quoteRuneToASCII(runeOf(value)) : quoteRune(runeOf(value)));
    case 'U':
      return unicode(spec, value);
    default:
      return undefined;
  }
}

/** In lower-case hexadecimal, with or without `0x`. */
export function formatAddress(spec: Spec, value: bigint, prefixed: boolean): string {
  return digits({ ...spec, sharp: prefixed }, value, 16, '0x');
}

function runeOf(value: bigint): number {
  return value >= 0n && value <= 0x10ffffn ? Number(value) : REPLACEMENT;
}

/** @param alternate the prefix with the `#` flag. @param prefix the prefix in all cases. */
function digits(spec: Spec, value: bigint, base: number, alternate = '', prefix = ''): string {
  const isNegative = value < 0n;
  const sign = isNegative ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  let least = 0;
  if (spec.precision >= 0) {
    if (spec.precision === 0 && value === 0n) return pad(spec, '', ' ');
    least = spec.precision;
  } else if (spec.zero && !spec.minus) least = spec.width - sign.length;
  let text = (isNegative ? -value : value).toString(base);
  if (alternate === '0X') text = text.toUpperCase();
  if (text.length < least) text = text.padStart(least, '0');
  if (spec.sharp && !(alternate === '0' && text.startsWith('0'))) text = alternate + text;
  return pad(spec, sign + prefix + text, ' ');
}

/** `U+0041`; with the `#` flag `U+0041 'A'`. */
function unicode(spec: Spec, value: bigint): string {
  const hex = BigInt.asUintN(64, value).toString(16).toUpperCase();
  const point = `U+${hex.padStart(Math.max(spec.precision, 4), '0')}`;
  const rune = Number(value);
  const shows = spec.sharp && rune >= 0 && rune <= 0x10ffff && isPrint(rune);
  return pad(spec, shows ? `${point} '${String.fromCodePoint(rune)}'` : point, ' ');
}
