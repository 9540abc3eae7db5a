/** Kinds of arguments, and their types. */
import { TIME } from '../src/time/types.ts';
import { ANY_MAP, BOOL, FLOAT64, INT, STRING, type Type, isFloat, isInteger } from '../src/value/type.ts';
import type { Flavour } from './texts.ts';

/** A kind of argument. `sized` values have a length for `len`. */
export type Want =
  | Flavour
  | 'any'
  | 'int'
  | 'small'
  | 'number'
  | 'float'
  | 'bool'
  | 'list'
  | 'dict'
  | 'time'
  | 'sized';

/** Whether a value of the type fits. */
export function fits(want: Want, type: Type): boolean {
  switch (want) {
    case 'any':
      return true;
    case 'int':
    case 'small':
      return type === INT;
    case 'number':
      return isInteger(type.kind) || isFloat(type.kind);
    case 'float':
      return type === FLOAT64;
    case 'bool':
      return type.kind === 'bool';
    case 'list':
      return type.kind === 'slice' || type.kind === 'array';
    case 'dict':
      return type === ANY_MAP;
    case 'time':
      return type === TIME;
    case 'sized':
      return type.kind === 'slice' || type.kind === 'map' || type.kind === 'string';
    default:
      return type === STRING;
  }
}

/** The kind of argument for a parameter of the type. */
export function wantFor(type: Type): Want {
  switch (type) {
    case STRING:
      return 'plain';
    case INT:
      return 'small';
    case FLOAT64:
      return 'float';
    case BOOL:
      return 'bool';
    case ANY_MAP:
      return 'dict';
    case TIME:
      return 'time';
    default:
      return type.kind === 'slice' ? 'list' : isInteger(type.kind) ? 'int' : 'any';
  }
}
