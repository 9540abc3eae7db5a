/** Constants. They adopt the type of their parameter. */
import type { BoolNode, NilNode, NumberNode, StringNode } from '../parse/ast.ts';
import { print } from '../parse/print.ts';
import { canBeNil } from '../value/assign.ts';
import { ANY, REFLECT_VALUE, type Type, isFloat, isInteger, isSigned } from '../value/type.ts';
import { wrap } from '../value/wrap.ts';
import { Complex, type Value, ofType, zero } from '../value/value.ts';

export type Constant = BoolNode | NumberNode | StringNode | NilNode;

/** A value or an error. */
type Converted = { readonly value: Value } | { readonly error: string };

/** Converts the constant to the type of a parameter. */
export function convert(node: Constant, type: Type): Converted {
  if (node.kind === 'nil')
    return canBeNil(type)
      ? { value: type === REFLECT_VALUE ? undefined : zero(type) }
      : { error: `cannot assign nil to ${type.name}` };
  if (type === ANY || type === REFLECT_VALUE) return ideal(node);
  const number = node.kind === 'number' ? node : undefined;
  if (type.kind === 'bool')
    return node.kind === 'bool' ? { value: ofType(type, node.value) } : unlike('bool', node);
  if (type.kind === 'string')
    return node.kind === 'string' ? { value: ofType(type, node.text) } : unlike('string', node);
  if (type.kind === 'complex64' || type.kind === 'complex128')
    return number?.complex === undefined
      ? unlike('complex', node)
      : { value: new Complex(number.complex.re, number.complex.im, type) };
  if (isFloat(type.kind))
    return number?.float === undefined ? unlike('float', node) : { value: float(type, number.float) };
  if (!isInteger(type.kind)) return { error: `can't handle ${print(node)} for arg of type ${type.name}` };
  const integer = isSigned(type.kind) ? number?.int : number?.uint;
  if (integer === undefined) return unlike(isSigned(type.kind) ? 'integer' : 'unsigned integer', node);
  return { value: ofType(type, wrap(type.kind, integer)) };
}

/** The value of a constant without a parameter type. */
export function ideal(node: Exclude<Constant, NilNode>): Converted {
  if (node.kind === 'string') return { value: node.text };
  if (node.kind === 'bool') return { value: node.value };
  const { text, complex, float, int, uint } = node;
  if (complex !== undefined) return { value: new Complex(complex.re, complex.im) };
  if (float !== undefined && FLOAT.test(text) && !NO_FLOAT.test(text)) return { value: float };
  if (int !== undefined) return { value: int };
  return uint === undefined ? { value: undefined } : { error: `${text} overflows int` };
}

const FLOAT = /[.eEpP]/;
/** Hexadecimal integers, which may contain the digit `e`, and characters. */
const NO_FLOAT = /^(?:0[xX][^pP]+$|')/;

function unlike(wanted: string, node: Constant): Converted {
  return { error: `expected ${wanted}; found ${print(node)}` };
}

function float(type: Type, value: number): Value {
  return ofType(type, type.kind === 'float32' ? Math.fround(value) : value);
}
