/** encoding/json's Marshal. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { STRING, type Type } from '../value/type.ts';
import { type Value, GoMap, Pointer, Slice, Struct, Typed } from '../value/value.ts';
import { membersOf } from './fields.ts';
import { canBeName, entriesOf } from './keys.ts';
import { bytesOf, marshal, marshalsItself } from './marshal.ts';
import { encodeFloat } from './number.ts';
import { encodeString } from './string.ts';

export interface EncodeOptions {
  /** Whether `<`, `>` and `&` are escaped. Default true. */
  readonly escapeHTML?: boolean;
  /** The indentation of one level. Default: everything is on one line. */
  readonly indent?: string;
}

/** Encodes a value as JSON. Throws a GoError with Go's text if JSON cannot represent it. */
export function encode(context: Context, value: Value, options: EncodeOptions = {}): string {
  return new Encoder(context, options).encode(value);
}

/** From this depth on, Go checks for cycles. */
const UNCHECKED = 1000;
/** The maximal depth of Go's indenter. */
const MAX_INDENTED = 10_000;

/** A map, slice, struct or pointer that is being written. */
interface Frame {
  /** The names of an object. */
  readonly names: readonly string[] | undefined;
  readonly values: readonly Value[];
  /** The index of the next value. */
  at: number;
  /** The closing bracket; a pointer has none. */
  readonly close: ']' | '}' | '';
  /** The identity that reveals a cycle. Structs and arrays have none: a cycle also goes through a map, slice or pointer. */
  readonly identity: object | undefined;
  readonly outer: Frame | undefined;
}

/** Uses its own stack: a template can nest data to any depth. */
class Encoder {
  readonly #context: Context;
  readonly #escapeHTML: boolean;
  readonly #indent: string | undefined;
  readonly #colon: string;
  readonly #path = new Set<object>();
  #frame: Frame | undefined;
  #brackets = 0;
  /** The number of enclosing maps, slices and pointers, as Go counts. */
  #level = 0;
  #tooDeep: string | undefined;

  constructor(context: Context, { escapeHTML = true, indent }: EncodeOptions) {
    this.#context = context;
    this.#escapeHTML = escapeHTML;
    this.#indent = indent;
    this.#colon = indent === undefined ? ':' : ': ';
  }

  encode(value: Value): string {
    const { budget } = this.#context;
    let out = this.#begin(value);
    for (let frame = this.#frame; frame !== undefined; frame = this.#frame) {
      const piece = frame.at < frame.values.length ? this.#next(frame) : this.#end(frame);
      budget.grow(piece.length);
      out += piece;
    }
    if (this.#tooDeep !== undefined) throw new GoError(this.#tooDeep);
    return out;
  }

  #next(frame: Frame): string {
    const { names, values, close } = frame;
    const at = frame.at++;
    const comma = at === 0 || close === '' ? '' : ',';
    const line = this.#indent === undefined || close === '' ? comma : comma + this.#newline();
    if (names === undefined) return line + this.#begin(values[at]);
    const name = encodeString(this.#context.budget, names[at] ?? '', this.#escapeHTML);
    return line + name + this.#colon + this.#begin(values[at]);
  }

  #newline(): string {
    if (this.#indent === undefined) return '';
    this.#context.budget.grow(this.#indent.length * this.#brackets);
    return `\n${this.#indent.repeat(this.#brackets)}`;
  }

  /** Writes a scalar, or the beginning of a container, which becomes the current frame. */
  #begin(value: Value): string {
    this.#context.budget.spend(1);
    switch (typeof value) {
      case 'string':
        return encodeString(this.#context.budget, value, this.#escapeHTML);
      case 'number':
        return encodeFloat(value, 64);
      case 'bigint':
      case 'boolean':
        return String(value);
      case 'undefined':
        return 'null';
      default:
        return value === null ? 'null' : this.#object(value);
    }
  }

  #object(value: Exclude<Value, null | undefined | string | number | bigint | boolean>): string {
    const { type } = value;
    if (marshalsItself(type)) return this.#marshal(value, type);
    if (value instanceof GoMap) return this.#map(value);
    if (value instanceof Slice) return this.#slice(value);
    if (value instanceof Struct) return this.#struct(value);
    if (value instanceof Pointer) return this.#pointer(value);
    if (value instanceof Typed) return this.#scalar(value);
    throw unsupported(type);
  }

  #marshal(value: Value, type: Type): string {
    if (value instanceof Pointer && value.target === undefined) return 'null';
    return marshal(this.#context, value, type, this.#escapeHTML);
  }

  #scalar({ type, value }: Typed): string {
    if (typeof value === 'number') return encodeFloat(value, type.kind === 'float32' ? 32 : 64);
    return this.#begin(value);
  }

  #map(map: GoMap): string {
    const { entries, isNil, type } = map;
    if (!canBeName(type.key ?? STRING)) throw unsupported(type);
    if (isNil) return 'null';
    this.#enter(entries, type);
    const { names, values } = entriesOf(this.#context, map);
    return this.#open('{', { names, values, at: 0, close: '}', identity: entries, outer: this.#frame });
  }

  #slice(slice: Slice): string {
    const { items, isNil, type } = slice;
    if (isNil) return 'null';
    if (type.kind === 'slice' && type.elem?.kind === 'uint8') return this.#bytes(slice);
    if (items.length > 0 && type.elem?.kind === 'func') throw unsupported(type.elem);
    const identity = type.kind === 'slice' ? items : undefined;
    if (identity !== undefined) this.#enter(identity, type);
    return this.#open('[', {
      names: undefined,
      values: items,
      at: 0,
      close: ']',
      identity,
      outer: this.#frame,
    });
  }

  #bytes(slice: Slice): string {
    this.#context.budget.spend(slice.items.length);
    let binary = '';
    for (const byte of bytesOf(slice)) binary += String.fromCharCode(byte);
    return `"${btoa(binary)}"`;
  }

  #struct(struct: Struct): string {
    const { names, values } = membersOf(struct);
    return this.#open('{', { names, values, at: 0, close: '}', identity: undefined, outer: this.#frame });
  }

  #pointer(pointer: Pointer): string {
    const { target, type } = pointer;
    if (target === undefined) return 'null';
    this.#enter(pointer, type);
    this.#frame = {
      names: undefined,
      values: [target],
      at: 0,
      close: '',
      identity: pointer,
      outer: this.#frame,
    };
    return '';
  }

  #open(bracket: '{' | '[', frame: Frame): string {
    this.#frame = frame;
    this.#brackets++;
    if (this.#indent !== undefined && this.#brackets > MAX_INDENTED)
      this.#tooDeep ??= `invalid character '${bracket}' exceeded max depth`;
    return bracket;
  }

  #enter(identity: object, type: Type): void {
    if (++this.#level <= UNCHECKED) return;
    if (this.#path.has(identity))
      throw new GoError(`json: unsupported value: encountered a cycle via ${type.name}`);
    this.#path.add(identity);
  }

  #end({ close, values, identity, outer }: Frame): string {
    if (identity !== undefined && this.#level-- > UNCHECKED) this.#path.delete(identity);
    this.#frame = outer;
    if (close === '') return '';
    this.#brackets--;
    return values.length === 0 ? close : this.#newline() + close;
  }
}

function unsupported({ name }: Type): GoError {
  return new GoError(`json: unsupported type: ${name}`);
}
