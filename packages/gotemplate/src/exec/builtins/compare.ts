/** eq, ne, lt, le, gt, ge. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { sprintf } from '../../fmt/printf.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { compareText } from '../../value/text.ts';
import { isFloat, isSigned, isUnsigned } from '../../value/type.ts';
import { type Value, Complex, GoMap, Pointer, Slice, Typed, bare, typeOf } from '../../value/value.ts';
import { identical, isComparable } from './identical.ts';

/** Kinds whose values can be compared: the width does not matter. */
type Family = 'bool' | 'complex' | 'int' | 'float' | 'string' | 'uint';

function familyOf(value: Value): Family | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      return value instanceof Typed
        ? familyOfScalar(value)
        : value instanceof Complex
          ? 'complex'
          : undefined;
  }
}

function familyOfScalar({ type: { kind } }: Typed): Family {
  if (isSigned(kind)) return 'int';
  if (isUnsigned(kind)) return 'uint';
  if (isFloat(kind)) return 'float';
  return kind === 'bool' ? 'bool' : 'string';
}

/** Whether the families are the same, or both are integers. */
function agree(a: Family | undefined, b: Family | undefined): boolean {
  return a === b || (a === 'int' && b === 'uint') || (a === 'uint' && b === 'int');
}

function incompatible(a: Value, b: Value): GoError {
  return new GoError(`incompatible types for comparison: ${typeOf(a)?.name} and ${typeOf(b)?.name}`);
}

function equal(context: Context, a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return equalText(context, a, b);
  const family = familyOf(a);
  if (!agree(family, familyOf(b))) {
    if (a != null && b != null) throw incompatible(a, b);
    return false;
  }
  if (family === undefined) return equalObjects(context, a, b);
  if (a instanceof Complex && b instanceof Complex) return a.re === b.re && a.im === b.im;
  const x = bare(a);
  const y = bare(b);
  return typeof x === 'string' && typeof y === 'string' ? equalText(context, x, y) : x === y;
}

function equalText(context: Context, a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  context.budget.spend(a.length >> 6);
  return a === b;
}

function equalObjects(context: Context, a: Value, b: Value): boolean {
  const from = typeOf(a);
  const type = typeOf(b);
  if (from !== undefined && type !== undefined && from.kind !== type.kind) {
    const [left, right] = [sprintf(context, '%s', [a]), sprintf(context, '%v', [b])];
    throw new GoError(`non-comparable types ${left}: ${from.name}, ${type.name}: ${right}`);
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (type !== undefined && !isComparable(type))
    throw new GoError(`non-comparable type ${sprintf(context, '%s', [b])}: ${type.name}`);
  return identical(context, a, b);
}

function isNil(value: Value): boolean {
  if (value instanceof Slice || value instanceof GoMap) return value.isNil;
  return value == null || (value instanceof Pointer && value.target === undefined);
}

function less(context: Context, a: Value, b: Value): boolean {
  const family = familyOf(a);
  const other = familyOf(b);
  if (family === undefined || other === undefined) throw new GoError('invalid type for comparison');
  if (!agree(family, other)) throw incompatible(a, b);
  if (family === 'bool' || family === 'complex') throw new GoError('invalid type for comparison');
  const x = bare(a);
  const y = bare(b);
  if (typeof x === 'string' && typeof y === 'string') {
    context.budget.spend((x.length + y.length) >> 6);
    return compareText(x, y) < 0;
  }
  return x !== undefined && y !== undefined && x < y;
}

const PAIR = 'func(reflect.Value, reflect.Value) (bool, error)';

export const compare: FuncMap = {
  eq: contextual(
    'func(reflect.Value, ...reflect.Value) (bool, error)',
    (context, first: Value, ...others: Value[]) => {
      if (others.length === 0) throw new GoError('missing argument for comparison');
      for (const other of others) if (equal(context, first, other)) return true;
      return false;
    },
  ),
  ne: contextual(PAIR, (context, a: Value, b: Value) => !equal(context, a, b)),
  lt: contextual(PAIR, less),
  le: contextual(PAIR, (context, a: Value, b: Value) => less(context, a, b) || equal(context, a, b)),
  gt: contextual(PAIR, (context, a: Value, b: Value) => !less(context, a, b) && !equal(context, a, b)),
  ge: contextual(PAIR, (context, a: Value, b: Value) => !less(context, a, b)),
};
