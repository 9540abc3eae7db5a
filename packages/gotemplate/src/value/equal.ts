import type { Context } from '../context.ts';
import type { Time } from '../time/time.ts';
import { Complex, Func, GoMap, Pointer, Slice, Struct, Typed, type Value, typeOf } from './value.ts';

/**
 * Go's `reflect.DeepEqual`: the same types and, at every depth, the same values. A nil list does not equal an empty one. Functions and NaN
 * equal nothing. A list, map or pointer equals itself, whatever it contains.
 */
export function deepEqual(context: Context, a: Value, b: Value): boolean {
  if (isScalar(a) || isScalar(b)) return sameScalar(a, b);
  context.budget.spend(4);
  return typeOf(a) === typeOf(b) && new Comparison(context).run(a, b);
}

type Scalar = undefined | null | boolean | string | number | bigint;

function isScalar(value: Value): value is Scalar {
  return typeof value !== 'object' || value === null;
}

function sameScalar(a: Value, b: Value): boolean {
  return a === b || (a == null && b == null);
}

/** Walks both values in parallel. Uses a list instead of recursion: data can be nested deeper than the call stack. */
class Comparison {
  readonly #context: Context;
  readonly #left: Value[] = [];
  readonly #right: Value[] = [];
  /** The pairs of containers compared so far, so that cycles and shared parts are compared once. */
  readonly #seen = new Map<Value, Set<Value>>();
  #containers = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  run(a: Value, b: Value): boolean {
    let equal = this.#enter(a, b);
    while (equal && this.#left.length > 0) equal = this.#enter(this.#left.pop(), this.#right.pop());
    return equal;
  }

  /** Compares scalars at once, and puts others on the list. */
  #check(a: Value, b: Value): boolean {
    if (isScalar(a) || isScalar(b)) return sameScalar(a, b);
    this.#left.push(a);
    this.#right.push(b);
    return true;
  }

  /** Returns false if two composite values differ. Otherwise puts their parts on the list. */
  #enter(a: Value, b: Value): boolean {
    if (typeOf(a) !== typeOf(b)) return false;
    if (a instanceof Typed) return a.value === (b as Typed).value;
    if (a instanceof Complex) return a.re === (b as Complex).re && a.im === (b as Complex).im;
    if (a instanceof Func) return false;
    if (a instanceof Slice) return this.#slices(a, b as Slice);
    if (a instanceof GoMap) return this.#maps(a, b as GoMap);
    if (a instanceof Pointer) return this.#pointers(a, b as Pointer);
    if (a instanceof Struct) return this.#all(a.fields, (b as Struct).fields);
    return this.#times(a as Time, b as Time);
  }

  #slices(a: Slice, b: Slice): boolean {
    if (a.isNil !== b.isNil || a.items.length !== b.items.length) return false;
    return a.items === b.items || this.#met(a, b) || this.#all(a.items, b.items);
  }

  #times(a: Time, b: Time): boolean {
    return (
      this.#check(a.location, b.location) &&
      a.days === b.days &&
      a.second === b.second &&
      a.nanosecond === b.nanosecond &&
      a.monotonic === b.monotonic
    );
  }

  #all(a: readonly Value[], b: readonly Value[]): boolean {
    this.#context.budget.spend(a.length);
    return a.every((item, i) => this.#check(item, b[i]));
  }

  #maps(a: GoMap, b: GoMap): boolean {
    if (a.isNil !== b.isNil || a.entries.size !== b.entries.size) return false;
    if (a.entries === b.entries || this.#met(a, b)) return true;
    this.#context.budget.spend(a.entries.size);
    for (const [key, value] of a.entries) {
      if (!b.entries.has(key) || !this.#check(value, b.entries.get(key))) return false;
    }
    return true;
  }

  #pointers(a: Pointer, b: Pointer): boolean {
    if (a === b || (a.target === b.target && !isScalar(a.target))) return true;
    if (a.target === undefined || b.target === undefined) return a.target === b.target;
    return this.#check(a.target, b.target);
  }

  #met(a: Value, b: Value): boolean {
    // Most values are small: comparing a few parts twice is faster than remembering them.
    if (++this.#containers < 64) return false;
    const others = this.#seen.get(a);
    if (others?.has(b)) return true;
    if (others === undefined) this.#seen.set(a, new Set([b]));
    else others.add(b);
    return false;
  }
}
