/**
 * Go's values in JavaScript. The most common types are primitives, which need no wrapper:
 *
 * | Go | here |
 * | --- | --- |
 * | `string` | string (see text.ts for bytes that are not UTF-8) |
 * | `float64` | number |
 * | `int` | bigint |
 * | `bool` | boolean |
 * | an invalid `reflect.Value`: a missing map key, no value | undefined |
 * | a nil interface | null |
 * | any other number, a named string or bool | {@link Typed} |
 * | `complex128` | {@link Complex} |
 * | slice, array | {@link Slice} |
 * | map | {@link GoMap} |
 * | struct | {@link Struct}; `time.Time` has its own class, in time/ |
 * | pointer | {@link Pointer} |
 * | function | {@link Func} |
 *
 * An interface with a value is represented by that value. The element type of the container shows that it is in an
 * interface.
 */
import type { Time } from '../time/time.ts';
import { appended } from './capacity.ts';
import { Func } from './func.ts';
import {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  BOOL,
  COMPLEX128,
  FLOAT64,
  INT,
  STRING,
  type Type,
  isInteger,
  pointerTo,
} from './type.ts';

export type Value =
  | undefined
  | null
  | boolean
  | string
  | number
  | bigint
  | Typed
  | Complex
  | Slice
  | GoMap
  | Struct
  | Time
  | Pointer
  | Func;

/** A scalar of a type that has no JavaScript primitive here: `int64`, `uint8`, `time.Duration`, … */
export class Typed {
  readonly type: Type;
  /** bigint for integers, number for floats, string, boolean. */
  readonly value: bigint | number | string | boolean;

  constructor(type: Type, value: bigint | number | string | boolean) {
    this.type = type;
    this.value = value;
  }
}

export class Complex {
  readonly type: Type;
  readonly re: number;
  readonly im: number;

  constructor(re: number, im: number, type: Type = COMPLEX128) {
    this.re = re;
    this.im = im;
    this.type = type;
  }
}

/**
 * A slice or an array. Templates do not change elements in place, so `items` can be shared: never write to it. The
 * exception is `sortAlpha`: it sorts a `[]string` in place, as in Go. So each `[]string` needs its own array.
 */
export class Slice {
  readonly type: Type;
  readonly items: readonly Value[];
  /** A nil slice: empty, and `null` in JSON. */
  readonly isNil: boolean;
  /** How many zero values follow the items. Only `slice` sees them. */
  readonly room: number;

  constructor(type: Type, items: readonly Value[], isNil = false, room = 0) {
    this.type = type;
    this.items = items;
    this.isNil = isNil;
    this.room = room;
  }

  /** Go's `cap`: the largest bound for `slice`. */
  get capacity(): number {
    return this.items.length + this.room;
  }
}

/** A list of this capacity. */
export const withCapacity = (type: Type, items: readonly Value[], capacity: number): Slice =>
  new Slice(type, items, false, capacity - items.length);

/** A list whose elements were appended one by one, as Go makes lists of unknown length. */
export const appendedList = (type: Type, items: readonly Value[]): Slice =>
  withCapacity(type, items, appended(items.length, type.elem));

/** The list that `json.Unmarshal` creates. */
export const decodedList = (items: readonly Value[]): Slice => appendedList(ANY_SLICE, items);

export type Key = string | bigint | number | boolean;

/** A map. `set` and similar functions change `entries` in place, as in Go. Keys are bare; `type.key` is their type. */
export class GoMap {
  readonly type: Type;
  readonly entries: Map<Key, Value>;
  readonly isNil: boolean;

  constructor(type: Type, entries = new Map<Key, Value>(), isNil = false) {
    this.type = type;
    this.entries = entries;
    this.isNil = isNil;
  }
}

/** A struct: the values of `type.fields`, in their order. */
export class Struct {
  readonly type: Type;
  readonly fields: readonly Value[];

  constructor(type: Type, fields: readonly Value[]) {
    this.type = type;
    this.fields = fields;
  }
}

/** A pointer; nil if `target` is undefined. `type` is the pointer's. */
export class Pointer {
  readonly type: Type;
  readonly target: Value;

  constructor(type: Type, target: Value) {
    this.type = type;
    this.target = target;
  }
}

export { Func };

/** The type of a value. No value and a nil interface have none. */
export function typeOf(value: Value): Type | undefined {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
      return FLOAT64;
    case 'bigint':
      return INT;
    case 'boolean':
      return BOOL;
    case 'undefined':
      return undefined;
    default:
      return value === null ? undefined : value.type;
  }
}

/** Makes a value of its type and its bare form (see {@link bare}). */
export function ofType(type: Type, bare: Key): Value {
  return type === STRING || type === INT || type === FLOAT64 || type === BOOL || type.kind === 'interface'
    ? bare
    : new Typed(type, bare);
}

/** The bare form of a scalar: without its type. Undefined if the value is not a scalar. */
export function bare(value: Value): Key | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value;
    default:
      return value instanceof Typed ? value.value : undefined;
  }
}

export const list = (items: readonly Value[]): Slice => new Slice(ANY_SLICE, items);

export const dict = (entries?: Iterable<readonly [string, Value]>): GoMap =>
  new GoMap(ANY_MAP, new Map(entries));

/** Go's zero value of the type. time/ registers that of `time.Time`. */
export function zero(type: Type): Value {
  const special = zeros.get(type);
  if (special !== undefined) return special();
  switch (type.kind) {
    case 'string':
      return ofType(type, '');
    case 'bool':
      return ofType(type, false);
    case 'float32':
    case 'float64':
      return ofType(type, 0);
    case 'complex64':
    case 'complex128':
      return new Complex(0, 0, type);
    case 'interface':
    case 'func':
      return null;
    case 'slice':
      return new Slice(type, [], true);
    case 'array':
      return new Slice(
        type,
        Array.from({ length: type.length ?? 0 }, () => zero(type.elem ?? ANY)),
      );
    case 'map':
      return new GoMap(type, new Map(), true);
    case 'ptr':
      return new Pointer(type, undefined);
    case 'struct':
      return new Struct(
        type,
        type.fields.map((field) => zero(field.type)),
      );
    default:
      return isInteger(type.kind) ? ofType(type, 0n) : null;
  }
}

const zeros = new Map<Type, () => Value>();

/** Registers the zero value of a struct type that has its own class. */
export function setZero(type: Type, make: () => Value): void {
  zeros.set(type, make);
}

export const nilPointer = (elem: Type): Pointer => new Pointer(pointerTo(elem), undefined);
