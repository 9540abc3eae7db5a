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
  /** What nested lines begin with, once a level. Default: everything is on one line. */
  readonly indent?: string;
}

/** A value in JSON. Throws a GoError in Go's words for what JSON cannot say. */
export function encode(context: Context, value: Value, options: EncodeOptions = {}): string {
  return new Encoder(context, options).encode(value);
}

/** How deep Go goes before it looks out for cycles. */
const UNCHECKED = 1000;
/** How deep Go's indenter goes. */
const MAX_INDENTED = 10_000;

/** Something that is being written. */
interface Frame {
  /** Names in quotes, of an object. */
  readonly labels: readonly string[] | undefined;
  readonly values: readonly Value[];
  /** The next of them. */
  at: number;
  /** The closing bracket; a pointer has none. */
  readonly close: ']' | '}' | '';
  /** What a cycle would come back to. Structs and arrays are only ever within something that has it. */
  readonly identity: object | undefined;
  readonly outer: Frame | undefined;
}

/** Works on a stack of its own: data may be nested as deeply as a template likes. */
class Encoder {
  readonly #context: Context;
  readonly #escapeHTML: boolean;
  readonly #indent: string | undefined;
  readonly #path = new Set<object>();
  #frame: Frame | undefined;
  #brackets = 0;
  /** Go's count of maps, slices and pointers around. */
  #level = 0;
  #tooDeep: string | undefined;
  #out = '';

  constructor(context: Context, { escapeHTML = true, indent }: EncodeOptions) {
    this.#context = context;
    this.#escapeHTML = escapeHTML;
    this.#indent = indent;
  }

  encode(value: Value): string {
    this.#value(value);
    for (let frame = this.#frame; frame !== undefined; frame = this.#frame)
      if (frame.at < frame.values.length) this.#next(frame);
      else this.#leave(frame);
    if (this.#tooDeep !== undefined) throw new GoError(this.#tooDeep);
    return this.#out;
  }

  #write(text: string): void {
    this.#context.budget.grow(text.length);
    this.#out += text;
  }

  #next(frame: Frame): void {
    const at = frame.at++;
    if (frame.close !== '') {
      if (at > 0) this.#write(',');
      this.#newline();
    }
    if (frame.labels !== undefined)
      this.#write((frame.labels[at] ?? '') + (this.#indent === undefined ? ':' : ': '));
    this.#value(frame.values[at]);
  }

  #newline(): void {
    if (this.#indent === undefined) return;
    this.#context.budget.grow(this.#indent.length * this.#brackets);
    this.#write(`\n${this.#indent.repeat(this.#brackets)}`);
  }

  #value(value: Value): void {
    this.#context.budget.spend(1);
    switch (typeof value) {
      case 'string':
        this.#string(value);
        break;
      case 'number':
        this.#write(encodeFloat(value, 64));
        break;
      case 'bigint':
      case 'boolean':
        this.#write(String(value));
        break;
      case 'undefined':
        this.#write('null');
        break;
      default:
        if (value === null) this.#write('null');
        else this.#object(value);
    }
  }

  #string(text: string): void {
    this.#context.budget.spend(text.length >> 6);
    this.#write(encodeString(text, this.#escapeHTML));
  }

  #object(value: Exclude<Value, null | undefined | string | number | bigint | boolean>): void {
    const { type } = value;
    if (marshalsItself(type)) this.#write(this.#marshal(value, type));
    else if (value instanceof GoMap) this.#map(value);
    else if (value instanceof Slice) this.#slice(value);
    else if (value instanceof Struct) this.#struct(value);
    else if (value instanceof Pointer) this.#pointer(value);
    else if (value instanceof Typed) this.#scalar(value);
    else throw unsupported(type);
  }

  #marshal(value: Value, type: Type): string {
    if (value instanceof Pointer && value.target === undefined) return 'null';
    return marshal(this.#context, value, type, this.#escapeHTML);
  }

  #scalar({ type, value }: Typed): void {
    if (typeof value === 'number') this.#write(encodeFloat(value, type.kind === 'float32' ? 32 : 64));
    else this.#value(value);
  }

  #map(map: GoMap): void {
    const { key = STRING } = map.type;
    if (!canBeName(key)) throw unsupported(map.type);
    if (map.isNil) return this.#write('null');
    this.#enter(map.entries, map.type);
    const { labels, values } = entriesOf(this.#context, map, this.#escapeHTML);
    this.#open('{', { labels, values, at: 0, close: '}', identity: map.entries, outer: this.#frame });
  }

  #slice(slice: Slice): void {
    const { items, isNil, type } = slice;
    if (isNil) return this.#write('null');
    if (type.kind === 'slice' && type.elem?.kind === 'uint8') return this.#bytes(slice);
    if (items.length > 0 && type.elem?.kind === 'func') throw unsupported(type.elem);
    const identity = type.kind === 'slice' ? items : undefined;
    if (identity !== undefined) this.#enter(identity, type);
    this.#open('[', { labels: undefined, values: items, at: 0, close: ']', identity, outer: this.#frame });
  }

  #bytes(slice: Slice): void {
    this.#context.budget.spend(slice.items.length);
    let binary = '';
    for (const byte of bytesOf(slice)) binary += String.fromCharCode(byte);
    this.#write(`"${btoa(binary)}"`);
  }

  #struct(struct: Struct): void {
    const { labels, values } = membersOf(struct, this.#escapeHTML);
    this.#open('{', { labels, values, at: 0, close: '}', identity: undefined, outer: this.#frame });
  }

  #pointer(pointer: Pointer): void {
    if (pointer.target === undefined) return this.#write('null');
    // What it points to, if that can come around again at all.
    const identity = typeof pointer.target === 'object' && pointer.target !== null ? pointer.target : pointer;
    this.#enter(identity, pointer.type);
    const values = [pointer.target];
    this.#frame = { labels: undefined, values, at: 0, close: '', identity, outer: this.#frame };
  }

  #open(bracket: '{' | '[', frame: Frame): void {
    this.#write(bracket);
    this.#frame = frame;
    this.#brackets++;
    if (this.#indent !== undefined && this.#brackets > MAX_INDENTED)
      this.#tooDeep ??= `invalid character '${bracket}' exceeded max depth`;
  }

  #enter(identity: object, type: Type): void {
    if (++this.#level <= UNCHECKED) return;
    if (this.#path.has(identity))
      throw new GoError(`json: unsupported value: encountered a cycle via ${type.name}`);
    this.#path.add(identity);
  }

  #leave({ close, values, identity, outer }: Frame): void {
    if (close !== '') {
      this.#brackets--;
      if (values.length > 0) this.#newline();
      this.#write(close);
    }
    if (identity !== undefined && this.#level-- > UNCHECKED) this.#path.delete(identity);
    this.#frame = outer;
  }
}

function unsupported({ name }: Type): GoError {
  return new GoError(`json: unsupported type: ${name}`);
}
