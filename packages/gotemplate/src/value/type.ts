/** Go's types, as far as a template can distinguish them. */
import type { Func } from './func.ts';
import { kindOf } from './kind-of.ts';

export type Kind =
  | 'bool'
  | 'int'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'uintptr'
  | 'float32'
  | 'float64'
  | 'complex64'
  | 'complex128'
  | 'string'
  | 'interface'
  | 'slice'
  | 'array'
  | 'map'
  | 'struct'
  | 'ptr'
  | 'func';

/** A field of a struct. Exported if its name begins with an upper-case letter, as in Go. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  /** The name in JSON. Default: the field's name. `-` omits the field. */
  readonly json?: string;
  /** Omits the field from JSON if it is empty. */
  readonly omitEmpty?: boolean;
  /** Only for {@link lint}: the texts that the field can have. */
  readonly oneOf?: readonly string[];
  /** Only for {@link lint}: this pointer is not nil if another field of the struct has this text. */
  readonly presentWhen?: { readonly field: string; readonly is: string };
  /** Only for {@link lint}: wrong texts that people expect, and the right ones: `{ Hibernate: 'shutdown' }`. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** The signature of a function. If it is variadic, the last of `params` is a slice, as in Go's reflection. */
export interface Signature {
  readonly params: readonly Type[];
  readonly variadic: boolean;
  readonly results: readonly Type[];
}

interface TypeParts {
  elem?: Type;
  key?: Type;
  length?: number;
  fields?: readonly Field[];
  signature?: Signature;
  named?: boolean;
}

/**
 * A type. Types are interned: `===` is Go's type identity. Create them with the functions below, never with `new`.
 */
export class Type {
  readonly kind: Kind;
  /** As `%T` prints it: `[]interface {}`, `map[string]string`, `sink.PlanInfo`, `*time.Location`. */
  readonly name: string;
  /** Whether the type is declared with a name (`time.Duration`): it then differs from other types of the same shape. */
  readonly named: boolean;
  /** Of a slice, array, map or pointer. */
  readonly elem: Type | undefined;
  /** Of a map. */
  readonly key: Type | undefined;
  /** Of an array. */
  readonly length: number | undefined;
  /** Of a struct, in order. */
  readonly fields: readonly Field[];
  /** Of a function. */
  readonly signature: Signature | undefined;
  /** Methods with a value receiver, by name: functions whose first parameter is the receiver. */
  readonly methods = new Map<string, Func>();
  /** Methods with a pointer receiver. The receiver is the {@link Pointer}. */
  readonly pointerMethods = new Map<string, Func>();
  readonly #index = new Map<string, number>();
  /** Derived types, each created once. */
  readonly derived = new Map<string, Type>();

  constructor(kind: Kind, name: string, parts: TypeParts = {}) {
    this.kind = kind;
    this.name = name;
    this.named = parts.named ?? false;
    this.elem = parts.elem;
    this.key = parts.key;
    this.length = parts.length;
    this.fields = parts.fields ?? [];
    this.signature = parts.signature;
    this.fields.forEach((field, i) => this.#index.set(field.name, i));
  }

  /** The index of a field in {@link fields}, or undefined. */
  fieldIndex(name: string): number | undefined {
    return this.#index.get(name);
  }

  toString(): string {
    return this.name;
  }
}

const basic = (kind: Kind, name: string = kind): Type => new Type(kind, name);

export const BOOL = basic('bool');
export const INT = basic('int');
export const INT8 = basic('int8');
export const INT16 = basic('int16');
export const INT32 = basic('int32');
export const INT64 = basic('int64');
export const UINT = basic('uint');
export const UINT8 = basic('uint8');
export const UINT16 = basic('uint16');
export const UINT32 = basic('uint32');
export const UINT64 = basic('uint64');
export const UINTPTR = basic('uintptr');
export const FLOAT32 = basic('float32');
export const FLOAT64 = basic('float64');
export const COMPLEX64 = basic('complex64');
export const COMPLEX128 = basic('complex128');
export const STRING = basic('string');
/** `interface {}`, which is `any`. */
export const ANY = basic('interface', 'interface {}');
/** `error`. Only signatures use it. Its values are thrown GoErrors, which templates never see. */
export const ERROR = new Type('interface', 'error', { named: true });
/** A parameter of this type accepts any value, and no value. Go's predefined functions use it. */
export const REFLECT_VALUE = new Type('struct', 'reflect.Value', { named: true });

function derive(from: Type, key: string, make: () => Type): Type {
  let type = from.derived.get(key);
  if (type === undefined) from.derived.set(key, (type = make()));
  return type;
}

export function sliceOf(elem: Type): Type {
  return derive(elem, '[]', () => new Type('slice', `[]${elem.name}`, { elem }));
}

export function arrayOf(length: number, elem: Type): Type {
  return derive(elem, `[${length}]`, () => new Type('array', `[${length}]${elem.name}`, { elem, length }));
}

/** Keys are strings, booleans or numbers. */
export function mapOf(key: Type, elem: Type): Type {
  // Different types may have the same name, so the table uses the identity of the key type.
  const place = `map${identity(key)}`;
  return derive(elem, place, () => new Type('map', `map[${key.name}]${elem.name}`, { key, elem }));
}

export function pointerTo(elem: Type): Type {
  return derive(elem, '*', () => new Type('ptr', `*${elem.name}`, { elem }));
}

export function funcOf(signature: Signature): Type {
  const place = `func${signature.params.map(identity).join()}|${signature.variadic}|${signature.results.map(identity).join()}`;
  return derive(ANY, place, () => new Type('func', funcName(signature), { signature }));
}

function funcName({ params, variadic, results }: Signature): string {
  const names = params.map((type, i) =>
    variadic && i === params.length - 1 ? `...${(type.elem ?? ANY).name}` : type.name,
  );
  const result = results.map((type) => type.name).join(', ');
  const tail = results.length === 0 ? '' : results.length === 1 ? ` ${result}` : ` (${result})`;
  return `func(${names.join(', ')})${tail}`;
}

/**
 * Declares a struct type. Two declarations with the same name are two types. Throws a TypeError if the fields do not have
 * the shape `[{ name, type }]`, or if two have the same name.
 */
export function structType(name: string, fields: readonly Field[]): Type {
  checkFields(name, fields);
  return new Type('struct', name, { fields, named: true });
}

function checkFields(struct: string, fields: readonly unknown[]): void {
  if (typeof struct !== 'string')
    throw new TypeError(`structType: the name is ${kindOf(struct)}; wanted a string, such as 'shop.Order'`);
  const where = `structType ${JSON.stringify(struct)}`;
  const shape = "[{ name: 'Total', type: FLOAT64 }]";
  if (!Array.isArray(fields))
    throw new TypeError(`${where}: the fields are ${kindOf(fields)}; wanted a list, such as ${shape}`);
  const names = new Set<string>();
  for (const [i, field] of (fields as (Partial<Field> | null | undefined)[]).entries()) {
    const name: unknown = field?.name;
    if (typeof field !== 'object' || field === null || typeof name !== 'string')
      throw new TypeError(`${where}: field ${i} has no valid name; wanted ${shape}`);
    if (names.has(name)) throw new TypeError(`${where}: field ${JSON.stringify(name)} is declared twice`);
    names.add(name);
    // A getter returns a type that does not exist yet, as in a recursive struct.
    if (Object.getOwnPropertyDescriptor(field, 'type')?.get === undefined)
      checkType(`${where}: field ${JSON.stringify(name)}`, field.type);
  }
}

/** Throws a TypeError that begins with `where` if `type` is not a Type. */
export function checkType(where: string, type: unknown): asserts type is Type {
  if (!(type instanceof Type))
    throw new TypeError(
      `${where}: the type is ${kindOf(type)}; wanted a Type, such as STRING or parseType('[]string')`,
    );
}

/** Declares a named type of a basic type (`type Month int`) or of another type (`type Files map[string][]byte`). */
export function namedType(name: string, shape: Kind | Type): Type {
  if (typeof shape === 'string') return new Type(shape, name, { named: true });
  const { kind, elem, key, length, fields, signature } = shape;
  return new Type(kind, name, { elem, key, length, fields, signature, named: true });
}

const identities = new WeakMap<Type, number>();
let last = 0;

function identity(type: Type): number {
  let id = identities.get(type);
  if (id === undefined) identities.set(type, (id = ++last));
  return id;
}

export const ANY_SLICE = sliceOf(ANY);
export const STRING_SLICE = sliceOf(STRING);
export const ANY_MAP = mapOf(STRING, ANY);
export const STRING_MAP = mapOf(STRING, STRING);
export const BYTES = sliceOf(UINT8);

export function isInteger(kind: Kind): boolean {
  return isSigned(kind) || isUnsigned(kind);
}

export function isSigned(kind: Kind): boolean {
  return kind === 'int' || kind === 'int64' || kind === 'int32' || kind === 'int16' || kind === 'int8';
}

export function isUnsigned(kind: Kind): boolean {
  return kind.startsWith('uint');
}

export function isFloat(kind: Kind): boolean {
  return kind === 'float64' || kind === 'float32';
}

const EXPORTED = /^\p{Lu}/u;

/** Whether a field is exported: its name begins with an upper-case letter. */
export function isExported(name: string): boolean {
  return EXPORTED.test(name);
}
