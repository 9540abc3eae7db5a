import { GoError, attempt } from '../errors.ts';
import { parseFloat } from '../strconv/float.ts';
import { parseInt, parseUint } from '../strconv/int.ts';
import { quote } from '../strconv/quote.ts';
import { unquoteChar } from '../strconv/unquote.ts';
import type { NumberNode } from './ast.ts';

type Values = Pick<NumberNode, 'int' | 'uint' | 'float' | 'complex'>;

/** Parses a number token, in each form that represents it without loss. Throws a GoError if it is invalid. */
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
  const im = attempt(() => parseFloat(text.slice(0, -1), 64), undefined);
  return im === undefined ? undefined : withComplex(0, im);
}

/** A possible floating-point number; parseFloat decides. */
const FLOAT =
  '(?:0[xX][\\da-fA-F_]*(?:\\.[\\da-fA-F_]*)?(?:[pP][+-]?[\\d_]*)?|[\\d_]*(?:\\.[\\d_]*)?(?:[eE][+-]?[\\d_]*)?)';
const PAIR = new RegExp(`^([+-]?${FLOAT})([+-](?!i)${FLOAT})i$`);

function pair(text: string): Values {
  const parts = PAIR.exec(text);
  if (parts === null) throw new GoError('syntax error scanning complex number');
  return withComplex(parseFloat(parts[1] ?? '', 64), parseFloat(parts[2] ?? '', 64));
}

/** A complex number without an imaginary part is also a real number. */
function withComplex(re: number, im: number): Values {
  const complex = { re, im };
  return im === 0
    ? { ...wholeOf(re), float: re, complex }
    : { int: undefined, uint: undefined, float: undefined, complex };
}

function wholeOf(float: number): Pick<Values, 'int' | 'uint'> {
  if (!Number.isInteger(float)) return { int: undefined, uint: undefined };
  const whole = BigInt(float);
  return {
    int: whole === BigInt.asIntN(64, whole) ? whole : undefined,
    uint: whole === BigInt.asUintN(64, whole) ? whole : undefined,
  };
}

const SMALL = /^(?:0|[1-9]\d{0,14})$/;

function integer(text: string): Values | undefined {
  if (SMALL.test(text)) {
    const int = BigInt(text);
    return { int, uint: int, float: Number(text), complex: undefined };
  }
  // Not an integer: no need to try.
  if (text.includes('.')) return undefined;
  const int = attempt(() => parseInt(text, 0, 64), undefined);
  // A number with a sign is not unsigned, except zero.
  const uint = int === 0n ? 0n : attempt(() => parseUint(text, 0, 64), undefined);
  const whole = int ?? uint;
  return whole === undefined ? undefined : { int, uint, float: Number(whole), complex: undefined };
}

function fraction(text: string): Values {
  const float = attempt(() => parseFloat(text, 64), undefined);
  if (float === undefined) throw new GoError(`illegal number syntax: ${quote(text)}`);
  // It looks like an integer, but did not parse as one: it is too large.
  if (!/[.eEpP]/.test(text)) throw new GoError(`integer overflow: ${quote(text)}`);
  return { ...wholeOf(float), float, complex: undefined };
}
