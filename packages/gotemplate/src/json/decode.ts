/** encoding/json's Unmarshal into `any`. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { ANY_MAP } from '../value/type.ts';
import { type Value, GoMap, decodedList } from '../value/value.ts';
import { Scanner } from './scanner.ts';

/**
 * Decodes a JSON text to Go's types: `map[string]interface {}`, `[]interface {}`, float64, string, bool, nil.
 * Throws a GoError if the text is not JSON, or if a number is too large for a float64.
 */
export function decode(context: Context, text: string): Value {
  const { value, error } = parse(context, text);
  if (error !== undefined) throw error;
  return value;
}

interface Parsed {
  readonly value: Value;
  /** The error of the first number that is too large. Such numbers are nil in `value`. */
  readonly error: GoError | undefined;
}

/** The same, but does not throw if a number is too large. */
export function parse(context: Context, text: string): Parsed {
  // The minimum: strings and spaces cost the least.
  context.budget.spend(text.length / 4);
  const decoder = new Decoder(context, text);
  const value = decoder.document();
  return { value, error: decoder.error };
}

/** The limit of nested arrays and objects. */
const MAX_DEPTH = 10_000;

/** The cost of an array or an object without its elements. */
const ARRAY = { steps: 4, bytes: 64 };
const OBJECT = { steps: 8, bytes: 192 };

/** An array or an object whose end is not yet read. */
type Open =
  | { readonly kind: 'array'; readonly items: Value[] }
  | { readonly kind: 'object'; readonly entries: Map<string, Value>; name: string };

/** Uses its own stack instead of recursion. The value undefined means: an array or an object has just begun. */
class Decoder {
  readonly #context: Context;
  readonly #scanner: Scanner;
  readonly #open: Open[] = [];
  error: GoError | undefined;

  constructor(context: Context, text: string) {
    this.#context = context;
    this.#scanner = new Scanner(text);
  }

  document(): Value {
    let value = this.#value();
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (value === undefined) value = this.#first(open);
      else {
        if (open.kind === 'array') open.items.push(value);
        else open.entries.set(open.name, value);
        value = this.#next(open);
      }
    }
    if (this.#scanner.peek() !== '') this.#scanner.fail('after top-level value');
    return value;
  }

  #first(open: Open): Value {
    if (this.#scanner.peek() === closing(open)) return this.#close(open);
    return this.#member(open);
  }

  #next(open: Open): Value {
    const found = this.#scanner.peek();
    if (found === closing(open)) return this.#close(open);
    if (found !== ',')
      this.#scanner.fail(open.kind === 'array' ? 'after array element' : 'after object key:value pair');
    this.#scanner.skip();
    return this.#member(open);
  }

  #member(open: Open): Value {
    if (open.kind === 'object') open.name = this.#name();
    return this.#value();
  }

  #name(): string {
    if (this.#scanner.peek() !== '"') this.#scanner.fail('looking for beginning of object key string');
    const name = this.#string();
    if (this.#scanner.peek() !== ':') this.#scanner.fail('after object key');
    this.#scanner.skip();
    return name;
  }

  #value(): Value {
    this.#context.budget.spend(1);
    this.#context.budget.grow(16);
    const first = this.#scanner.peek();
    switch (first) {
      case '"':
        return this.#string();
      case '{':
        return this.#begin({ kind: 'object', entries: new Map(), name: '' });
      case '[':
        return this.#begin({ kind: 'array', items: [] });
      case 't':
        return this.#scanner.literal('true', true);
      case 'f':
        return this.#scanner.literal('false', false);
      case 'n':
        return this.#scanner.literal('null', null);
      default:
        if (first === '-' || (first >= '0' && first <= '9')) return this.#number();
        return this.#scanner.fail('looking for beginning of value');
    }
  }

  #begin(open: Open): undefined {
    const { steps, bytes } = open.kind === 'array' ? ARRAY : OBJECT;
    this.#context.budget.spend(steps);
    this.#context.budget.grow(bytes);
    this.#open.push(open);
    if (this.#open.length > MAX_DEPTH) this.#scanner.fail('exceeded max depth');
    this.#scanner.skip();
  }

  #close(open: Open): Value {
    this.#open.pop();
    this.#scanner.skip();
    return open.kind === 'array' ? decodedList(open.items) : new GoMap(ANY_MAP, open.entries);
  }

  #string(): string {
    const text = this.#scanner.string();
    this.#context.budget.grow(text.length);
    return text;
  }

  #number(): number | null {
    const text = this.#scanner.number();
    const number = Number(text);
    if (Number.isFinite(number)) return number;
    this.error ??= new GoError(`json: cannot unmarshal number ${text} into Go value of type float64`);
    return null;
  }
}

function closing(open: Open): ']' | '}' {
  return open.kind === 'array' ? ']' : '}';
}
