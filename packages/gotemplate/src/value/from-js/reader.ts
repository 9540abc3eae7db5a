import { Time } from '../../time/time.ts';
import { builtinKind, kindOf } from '../kind-of.ts';
import type { Type } from '../type.ts';
import { Complex, Func, GoMap, Pointer, Slice, Struct, Typed, type Value } from '../value.ts';

/** A name or an index; undefined is the data itself. */
export type Place = string | number | undefined;

const MAX_DEPTH = 1000;

/** Objects and elements. A shared object counts each time it occurs, so small data cannot make a huge value. */
const MAX_SIZE = 1_000_000;

/** The current place of a conversion in its data. */
export class Reader {
  readonly #root: string;
  readonly #objects: object[] = [];
  readonly #path: Place[] = [];
  #size = 0;

  /** @param root the name of the data in error messages. */
  constructor(root = 'data') {
    this.#root = root;
  }

  /** Enters an object that has `size` elements. */
  enter(object: object, size: number, place: Place): void {
    if (this.#objects.includes(object)) throw this.fault(place, 'contains itself');
    if (this.#objects.length === MAX_DEPTH) throw this.fault(place, `is deeper than ${MAX_DEPTH} levels`);
    this.#size += size + 1;
    if (this.#size > MAX_SIZE) throw this.fault(place, `is too large: more than ${MAX_SIZE} elements in all`);
    this.#objects.push(object);
    this.#path.push(place);
  }

  leave(): void {
    this.#objects.pop();
    this.#path.pop();
  }

  fault(place: Place, complaint: string): TypeError {
    return new TypeError(`${written(this.#root, [...this.#path, place])} ${complaint}`);
  }

  /** Refuses a built-in object that cannot be converted: its properties would be empty. */
  refuseBuiltin(data: object, place: Place): void {
    const kind = builtinKind(data);
    if (kind !== undefined) throw this.fault(place, `is ${kind}, which cannot be converted`);
  }

  mismatch(place: Place, found: unknown, wanted: Type): TypeError {
    return this.fault(place, `is ${kind(found)}; wanted ${wanted.name}`);
  }
}

/** `data.Targets[0].Name`. Shows only the end of a long path. */
function written(root: string, path: readonly Place[]): string {
  const shown = path.slice(-MAX_SHOWN);
  return shown.reduce<string>(
    (text, place) => text + (place === undefined ? '' : step(place)),
    shown.length < path.length ? `${root}…` : root,
  );
}

const MAX_SHOWN = 20;

function step(place: string | number): string {
  if (typeof place === 'number') return `[${place}]`;
  return /^[\p{L}_$][\p{L}\p{Nd}_$]*$/u.test(place) ? `.${place}` : `[${JSON.stringify(place)}]`;
}

function kind(found: unknown): string {
  return typeof found === 'object' && found !== null && isValue(found)
    ? `a value of type ${found.type.name}`
    : kindOf(found);
}

/** Whether an object is not an instance of a class. */
export function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

/** Whether an object is an instance of one of the classes of Go values. */
export function isValue(data: object): data is Extract<Value, object> {
  return (
    data instanceof Struct ||
    data instanceof GoMap ||
    data instanceof Slice ||
    data instanceof Typed ||
    data instanceof Time ||
    data instanceof Pointer ||
    data instanceof Func ||
    data instanceof Complex
  );
}

/** The value of an own enumerable data property, or undefined. */
export function property(object: object, name: PropertyKey): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, name);
  return descriptor?.enumerable === true ? descriptor.value : undefined;
}

/** The own enumerable data properties. */
export function* properties(object: object): Iterable<readonly [string, unknown]> {
  for (const name of Object.keys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, name);
    if (descriptor !== undefined && 'value' in descriptor) yield [name, descriptor.value];
  }
}
