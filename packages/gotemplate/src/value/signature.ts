/** Parses Go signatures: tables of functions show types as Go's documentation does. */
import * as T from './type.ts';
import type { Type } from './type.ts';

/** Types by their names in a signature, in addition to Go's predeclared ones. */
export type Types = Readonly<Record<string, Type>>;

const PREDECLARED: Types = {
  bool: T.BOOL,
  int: T.INT,
  int8: T.INT8,
  int16: T.INT16,
  int32: T.INT32,
  int64: T.INT64,
  uint: T.UINT,
  uint8: T.UINT8,
  uint16: T.UINT16,
  uint32: T.UINT32,
  uint64: T.UINT64,
  uintptr: T.UINTPTR,
  byte: T.UINT8,
  rune: T.INT32,
  float32: T.FLOAT32,
  float64: T.FLOAT64,
  complex64: T.COMPLEX64,
  complex128: T.COMPLEX128,
  string: T.STRING,
  any: T.ANY,
  'interface{}': T.ANY,
  error: T.ERROR,
  'reflect.Value': T.REFLECT_VALUE,
};

/** The type of a function: `func(string, ...any) (string, error)`. Throws a SyntaxError: signatures are code, not input. */
export function parseSignature(text: string, types: Types = {}): Type {
  const reader = new Reader(text, types);
  reader.expect('func');
  const type = reader.func();
  if (!reader.done) reader.fail('the end');
  return type;
}

/** A type by its Go name, such as `map[string][]time.Time`. */
export function parseType(text: string, types: Types = {}): Type {
  const reader = new Reader(text, types);
  const type = reader.type();
  if (!reader.done) reader.fail('the end');
  return type;
}

class Reader {
  readonly #text: string;
  readonly #types: Types;
  readonly #tokens: string[];
  #at = 0;

  constructor(text: string, types: Types) {
    this.#text = text;
    this.#types = types;
    this.#tokens = text.match(/\.\.\.|interface\s*\{\s*\}|[\w.]*\w|[[\](),*]/g) ?? [];
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  fail(wanted: string): never {
    const found = this.#tokens[this.#at] ?? 'the end';
    throw new SyntaxError(`signature ${this.#text}: expected ${wanted}, found ${found}`);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  expect(token: string): void {
    if (!this.#take(token)) this.fail(token);
  }

  func(): Type {
    const { types: params, variadic } = this.#list();
    if (this.done || ')],'.includes(this.#tokens[this.#at] ?? ''))
      return T.funcOf({ params, variadic, results: [] });
    const results = this.#tokens[this.#at] === '(' ? this.#list().types : [this.type()];
    return T.funcOf({ params, variadic, results });
  }

  #list(): { types: Type[]; variadic: boolean } {
    const types: Type[] = [];
    let variadic = false;
    this.expect('(');
    while (!this.#take(')')) {
      if (types.length > 0) this.expect(',');
      variadic = this.#take('...');
      const type = this.type();
      types.push(variadic ? T.sliceOf(type) : type);
    }
    return { types, variadic };
  }

  type(): Type {
    if (this.#take('*')) return T.pointerTo(this.type());
    if (this.#take('func')) return this.func();
    if (this.#take('map')) {
      this.expect('[');
      const key = this.type();
      this.expect(']');
      return T.mapOf(key, this.type());
    }
    if (this.#take('[')) {
      const length = this.#tokens[this.#at] ?? '';
      if (/^\d+$/.test(length)) this.#at++;
      this.expect(']');
      return length === ']' ? T.sliceOf(this.type()) : T.arrayOf(Number(length), this.type());
    }
    const token = this.#tokens[this.#at]?.replace(/\s/g, '') ?? '';
    const type = Object.hasOwn(PREDECLARED, token)
      ? PREDECLARED[token]
      : Object.hasOwn(this.#types, token)
        ? this.#types[token]
        : undefined;
    if (type === undefined) this.fail('a type');
    this.#at++;
    return type;
  }
}
