import { GoError } from '../errors.ts';
import { parseFloat } from '../strconv/float.ts';
import { quote } from '../strconv/quote.ts';
import { unquoteChar } from '../strconv/unquote.ts';
import type { NumberNode } from './ast.ts';

type Values = Pick<NumberNode, 'int' | 'uint' | 'float' | 'complex'>;

/** Reads a number token as everything that it can be without loss. Throws a GoError with the reason if it is none. */
export function readNumber(
  kind: 'number' | 'complex' | 'charConstant',
  text: string,
  pos: number,
): NumberNode {
  const { int, uint, float, complex } =
    kind === 'number' ? plain(text) : kind === 'complex' ? pair(text) : character(text);
  return { kind: 'number', pos, text, int, uint, float, complex };
}

function character(text: string): Values {
  const read = unquoteChar(text, "'", 1);
  if (read === undefined) throw new GoError('invalid syntax');
  if (read.end !== text.length - 1) throw new GoError(`malformed character constant: ${text}`);
  const int = BigInt(read.value);
  return { int, uint: int, float: read.value, complex: undefined };
}

function plain(text: string): Values {
  return (text.endsWith('i') ? imaginary(text) : undefined) ?? integer(text) ?? fraction(text);
}

function imaginary(text: string): Values | undefined {
  const im = tryFloat(text.slice(0, -1));
  return im === undefined ? undefined : withComplex(0, im);
}

/** What may be a floating-point number; its reader says whether it is. */
const FLOAT =
  '(?:0[xX][\\da-fA-F_]*(?:\\.[\\da-fA-F_]*)?(?:[pP][+-]?[\\d_]*)?|[\\d_]*(?:\\.[\\d_]*)?(?:[eE][+-]?[\\d_]*)?)';
const PAIR = new RegExp(`^([+-]?${FLOAT})([+-](?!i)${FLOAT})i$`);

function pair(text: string): Values {
  const parts = PAIR.exec(text);
  if (parts === null) throw new GoError('syntax error scanning complex number');
  return withComplex(parseFloat(parts[1] ?? '', 64), parseFloat(parts[2] ?? '', 64));
}

/** A complex number without an imaginary part is any other number, too. */
function withComplex(re: number, im: number): Values {
  const complex = { re, im };
  return im === 0
    ? { ...wholeOf(re), float: re, complex }
    : { int: undefined, uint: undefined, float: undefined, complex };
}

function wholeOf(float: number): Pick<Values, 'int' | 'uint'> {
  if (!Number.isInteger(float)) return { int: undefined, uint: undefined };
  const whole = BigInt(float);
  return { int: fitsInt(whole), uint: fitsUint(whole) };
}

const fitsInt = (value: bigint): bigint | undefined =>
  value >= -(2n ** 63n) && value < 2n ** 63n ? value : undefined;
const fitsUint = (value: bigint): bigint | undefined =>
  value >= 0n && value < 2n ** 64n ? value : undefined;

/** Underscores may stand between digits, and behind a base prefix. A bare zero before digits makes them octal. */
const INTEGERS = [
  { prefix: '', pattern: /^(?:0|[1-9](?:_?\d)*)$/ },
  { prefix: '0x', pattern: /^0[xX](?:_?[\da-fA-F])+$/ },
  { prefix: '0o', pattern: /^0[oO]?(?:_?[0-7])+$/ },
  { prefix: '0b', pattern: /^0[bB](?:_?[01])+$/ },
];

function integer(text: string): Values | undefined {
  const sign = text.startsWith('-') || text.startsWith('+') ? text.slice(0, 1) : '';
  const magnitude = magnitudeOf(text.slice(sign.length));
  if (magnitude === undefined) return undefined;
  const int = fitsInt(sign === '-' ? -magnitude : magnitude);
  // A sign makes it signed, but zero is zero.
  const uint = sign === '' || int === 0n ? fitsUint(magnitude) : undefined;
  const value = int ?? uint;
  return value === undefined ? undefined : { int, uint, float: Number(value), complex: undefined };
}

function magnitudeOf(text: string): bigint | undefined {
  const base = INTEGERS.find(({ pattern }) => pattern.test(text));
  if (base === undefined) return undefined;
  const digits = text
    .replace(/^0[xXoObB]?/, '')
    .replace(/^[0_]+/, '')
    .replaceAll('_', '');
  // No 64 bits have more digits, and reading very many takes long.
  return digits.length > 64 ? undefined : BigInt(`${base.prefix}${digits || '0'}`);
}

function fraction(text: string): Values {
  const float = tryFloat(text);
  if (float === undefined) throw new GoError(`illegal number syntax: ${quote(text)}`);
  // What reads as a fraction but looks whole is too large to be whole.
  if (!/[.eEpP]/.test(text)) throw new GoError(`integer overflow: ${quote(text)}`);
  return { ...wholeOf(float), float, complex: undefined };
}

function tryFloat(text: string): number | undefined {
  try {
    return parseFloat(text, 64);
  } catch {
    return undefined;
  }
}
