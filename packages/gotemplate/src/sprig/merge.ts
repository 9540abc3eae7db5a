/** Merges maps exactly like Go's `mergo`: the same parts are shared, and the same merges fail. */
import type { Context } from '../context.ts';
import { BudgetError, GoError } from '../errors.ts';
import { isTrue } from '../exec/truth.ts';
import { assignable, canBeNil } from '../value/assign.ts';
import { ANY, type Type, isExported } from '../value/type.ts';
import { Complex, GoMap, type Key, Pointer, Slice, Struct, type Value, typeOf } from '../value/value.ts';

/** Two values have different types and cannot be merged. */
export class MergeError extends GoError {
  constructor() {
    super('src and dst must be of same type');
  }
}

/**
 * Merges the sources into a map: entries that are missing or empty there, or with `overwrite` all entries. Nested maps are
 * merged too. Returns the map, or a new one if it was nil. Throws a {@link MergeError}, or a GoError with the text of Go's
 * panic; earlier merges then stay.
 */
export function merge(context: Context, overwrite: boolean, into: GoMap, sources: readonly GoMap[]): GoMap {
  for (const source of sources) {
    if (into.isNil && !source.isNil) into = new GoMap(into.type);
    new Merging(context, overwrite).maps(into, source);
  }
  return into;
}

/** A value, the declared type of its place and, if the place is writable, a function that writes. */
interface Place {
  readonly type: Type;
  readonly value: Value;
  readonly write?: ((value: Value) => void) | undefined;
}

/** The limit of nesting. Data is never so deep, but a map that contains itself has no end. */
const DEPTH = 1000;

class Merging {
  readonly #context: Context;
  readonly #overwrite: boolean;
  /** Structs behind pointers that are already merged. */
  readonly #seen = new Set<Value>();
  #depth = 0;

  constructor(context: Context, overwrite: boolean) {
    this.#context = context;
    this.#overwrite = overwrite;
  }

  maps(into: GoMap, from: GoMap): void {
    const { budget } = this.#context;
    budget.spend(2 * from.entries.size + 8);
    budget.grow(16 * from.entries.size);
    if (++this.#depth > DEPTH)
      throw new BudgetError('depth', `exceeded the depth limit of merging (${DEPTH})`);
    // A copy of the keys: the source may be part of the target.
    for (const key of [...from.entries.keys()])
      if (from.entries.has(key)) this.#entry(into, from, key, from.entries.get(key));
    this.#depth--;
  }

  #entry(into: GoMap, from: GoMap, key: Key, value: Value): void {
    const type = from.type.elem ?? ANY;
    if (!assignable(from.type.key, into.type.key ?? ANY))
      throw notAssignable('Value.MapIndex', from.type.key, into.type.key);
    if (type.kind !== 'ptr' && isNil({ type, value })) {
      if (this.#overwrite) store(into, key, value, type);
      return;
    }
    const present = into.entries.get(key);
    const kind = typeOf(value)?.kind;
    if (kind === 'slice') this.#list(into, key, value);
    else if (present != null && (kind === 'struct' || kind === 'ptr' || kind === 'map'))
      this.#merge(valueIn(present), valueIn(value));
    if (!isEmpty(present) && (kind === 'slice' || (kind === 'map' && typeOf(present)?.kind === 'map')))
      return;
    if (isEmpty(present) || (this.#overwrite && type.kind !== 'ptr')) store(into, key, value, type);
  }

  #list(into: GoMap, key: Key, value: Value): void {
    const elem = into.type.elem ?? ANY;
    if (into.entries.has(key) && !canBeNil(elem)) throw noNil(elem);
    if (this.#overwrite || into.entries.size === 0 || into.entries.get(key) == null)
      store(into, key, value, typeOf(value));
  }

  #merge(into: Place, from: Place): void {
    if (into.write !== undefined && into.value instanceof Struct) {
      if (this.#seen.has(into.value)) return;
      this.#seen.add(into.value);
    }
    switch (into.type.kind) {
      case 'struct':
        return this.#struct(into, from);
      case 'map':
        return this.#map(into, from);
      case 'ptr':
      case 'interface':
        return this.#reference(into, from);
      default:
        // Only fields of structs behind pointers come here, not values of maps.
        if (!isEmpty(from.value) && (this.#overwrite || isEmpty(into.value))) assign(into, from);
    }
  }

  #struct(into: Place, from: Place): void {
    if (!(into.value instanceof Struct) || !into.type.fields.some((field) => isExported(field.name))) {
      if (this.#overwrite && !isEmpty(from.value)) assign(into, from);
      return;
    }
    if (from.type.kind !== 'struct')
      throw new GoError(`reflect: call of reflect.Value.Field on ${from.type.kind} Value`);
    const fields = into.value.fields as Value[];
    const source = from.value instanceof Struct ? from.value.fields : [];
    for (const [i, { name, type }] of into.type.fields.entries()) {
      const field = from.type.fields[i];
      if (field === undefined) throw new GoError('reflect: Field index out of range');
      if (!isExported(name)) continue;
      const write = into.write && ((value: Value) => (fields[i] = value));
      this.#merge({ type, value: fields[i], write }, { type: field.type, value: source[i] });
    }
  }

  #map(into: Place, from: Place): void {
    let { value } = into;
    if (isNil(into)) {
      if (!canBeNil(from.type)) throw noNil(from.type);
      if (!isNil(from)) {
        if (into.write === undefined) return;
        into.write((value = new GoMap(into.type)));
      }
    }
    if (from.value instanceof GoMap && from.type.kind === 'map') this.maps(value as GoMap, from.value);
    else if (this.#overwrite) assign(into, from);
  }

  #reference(into: Place, from: Place): void {
    if (isNil(from)) return;
    const empty = isNil(into);
    const bothOpen = from.type.kind === 'interface';
    if (empty || (this.#overwrite && (bothOpen || from.type.kind !== 'ptr'))) {
      if (this.#overwrite || isEmpty(into.value)) assign(into, from);
      return;
    }
    const target = targetOf(into);
    if (bothOpen) {
      const source = targetOf(from);
      if (target.type.kind === source.type.kind) this.#merge(target, source);
    } else if (from.type.kind === 'ptr') this.#merge(target, targetOf(from));
    else if (target.type === from.type) this.#merge(target, from);
    else throw new MergeError();
  }
}

/** The value in an interface. */
function valueIn(value: Value): Place {
  return { type: typeOf(value) ?? ANY, value };
}

/** The target of a pointer, or the value in an interface. */
function targetOf({ type, value }: Place): Place {
  if (type.kind !== 'ptr' || !(value instanceof Pointer)) return valueIn(value);
  const { target } = value;
  return { type: type.elem ?? ANY, value: target, write: (replacement) => overwrite(value, replacement) };
}

/** Writes through a pointer, so all pointers to the target see it. Besides maps, a template can change values only here. */
function overwrite(pointer: Pointer, value: Value): void {
  // All templates share the locations, so none may change them.
  if (Object.isFrozen(pointer)) return;
  if (pointer.target instanceof Struct && value instanceof Struct)
    (pointer.target.fields as Value[]).splice(0, Infinity, ...value.fields);
  else (pointer as { target: Value }).target = value;
}

function assign(into: Place, from: Place): void {
  if (into.write === undefined) return;
  if (!assignable(from.type, into.type)) throw notAssignable('Set', from.type, into.type);
  into.write(from.value);
}

function store(into: GoMap, key: Key, value: Value, type: Type | undefined): void {
  const elem = into.type.elem ?? ANY;
  if (!assignable(type, elem)) throw notAssignable('Value.SetMapIndex', type, elem);
  into.entries.set(key, value);
}

function notAssignable(where: string, from: Type | undefined, to: Type | undefined): GoError {
  return new GoError(`reflect.${where}: value of type ${from?.name} is not assignable to type ${to?.name}`);
}

function noNil(type: Type): GoError {
  return new GoError(`reflect: call of reflect.Value.IsNil on ${type.kind} Value`);
}

/** An interface with a nil list is not nil. */
function isNil({ type, value }: Place): boolean {
  if (value == null || type.kind === 'interface') return value == null;
  if (value instanceof Slice || value instanceof GoMap) return value.isNil;
  return value instanceof Pointer && value.target === undefined;
}

/** Whether a value is empty. A pointer is empty if its target is. Structs are never empty. */
function isEmpty(value: Value): boolean {
  if (value instanceof Pointer) return isEmpty(value.target);
  return !(value instanceof Complex) && !isTrue(value);
}
