import type { Context } from '../context.ts';
import { BudgetError, GoError } from '../errors.ts';
import { fromBytes, join } from '../value/text.ts';
import { BYTES, type Kind, type Type } from '../value/type.ts';
import { Complex, Func, GoMap, Pointer, Slice, Typed, type Value, bare, typeOf } from '../value/value.ts';
import { addressOf } from './address.ts';
import * as frames from './frame.ts';
import type { Frame } from './frame.ts';
import { type TextMethod, textMethod } from './method.ts';
import { pad } from './pad.ts';
import { formatPointer } from './pointer.ts';
import { formatScalar } from './scalar.ts';
import { sortedKeys } from '../value/sorted-keys.ts';
import { PLAIN, type Spec } from './spec.ts';

/** The limit of nested values. In Go only the stack limits them: a map that contains itself ends the process. */
const MAX_DEPTH = 100_000;

/** Written pieces are joined when their total length exceeds this. */
const CHUNK = 4096;

/** The verbs for which []byte is text. */
const TEXT_VERBS: ReadonlySet<string> = new Set(['s', 'q', 'x', 'X']);

/** If an operand is a pointer, it prints targets of these kinds. */
const SHOWN: ReadonlySet<Kind> = new Set(['array', 'slice', 'struct', 'map']);

/** Prints values, each with a verb. Charges the budget for its work and its output. */
export class Printer {
  readonly #context: Context;
  #out = '';
  #recent = '';
  #spec = PLAIN;
  /** Inside an error such as `%!d(string=x)`: methods are not called. */
  #isBare = false;

  constructor(context: Context) {
    this.#context = context;
  }

  get text(): string {
    return join(this.#out + this.#recent);
  }

  write(text: string): void {
    this.#context.budget.grow(text.length);
    this.#recent += text;
    if (this.#recent.length > CHUNK) this.#flush();
  }

  /** V8 stores a concatenated string as pieces of 32 bytes each. Reading the string joins them. */
  #flush(): void {
    this.#recent.isWellFormed();
    this.#out += this.#recent;
    this.#recent = '';
  }

  /** Prints an operand. `verb` is one character. */
  print(value: Value, verb = 'v', spec: Spec = PLAIN): void {
    this.#spec = spec;
    this.#context.budget.spend(1);
    const type = typeOf(value);
    if (type === undefined)
      this.write(verb === 'T' || verb === 'v' ? pad(spec, '<nil>') : `%!${verb}(<nil>)`);
    else if (verb === 'T') this.#writeScalar(type.name, 's');
    else if (verb === 'p') this.#writePointer(value, verb);
    else if (!this.#printByMethod(value, verb)) this.#walk(value, verb);
  }

  /** Prints a value and its parts. Uses its own stack, so deep values do not overflow JavaScript's. */
  #walk(root: Value, verb: string): void {
    let frame = this.#open(root, verb, 0, false);
    if (frame === undefined) return;
    const outer: Frame[] = [];
    for (;;) {
      const at = frame.at++;
      if (at < frame.items.length) {
        this.#context.budget.spend(1);
        this.write(frames.separator(frame, at, this.#spec));
        const inner = this.#printItem(frame, at, verb, outer.length + 1);
        if (inner === undefined) continue;
        if (outer.push(frame) > MAX_DEPTH)
          throw new BudgetError('depth', `exceeded the depth limit of printed values (${MAX_DEPTH})`);
        frame = inner;
      } else {
        this.write(frames.closing(frame, this.#spec));
        frame = outer.pop();
        if (frame === undefined) return;
      }
    }
  }

  #printItem(frame: Frame, at: number, verb: string, depth: number): Frame | undefined {
    const item = frame.items[at];
    if (item === undefined || item === null) return this.#writeNil(frames.staticType(frame, at), verb);
    const isHidden = frames.isHiddenItem(frame, at);
    if (!isHidden && this.#printByMethod(item, verb)) return undefined;
    return this.#open(item, verb, depth, isHidden);
  }

  /** Prints a scalar or a pointer, or the beginning of a list, map or struct. */
  #open(value: Value, verb: string, depth: number, isHidden: boolean): Frame | undefined {
    if (typeof value !== 'object' || value === null || value instanceof Typed || value instanceof Complex)
      return this.#writeScalar(value, verb);
    if (value instanceof Slice) return this.#openList(value, verb, depth, isHidden);
    if (value instanceof GoMap) {
      if (this.#spec.sharpV && value.isNil) return this.#writeNil(value.type, verb);
      this.#context.budget.grow(value.entries.size * 16);
      return this.#begin(frames.mapFrame(value, sortedKeys(this.#context, value), isHidden));
    }
    if (value instanceof Func) return this.#writePointer(value, verb);
    if (value instanceof Pointer) {
      const { target } = value;
      const type = typeOf(target);
      if (depth > 0 || type === undefined || !SHOWN.has(type.kind)) return this.#writePointer(value, verb);
      this.write('&');
      return this.#open(target, verb, depth + 1, isHidden);
    }
    return this.#begin(frames.structFrame(value, isHidden));
  }

  #openList(value: Slice, verb: string, depth: number, isHidden: boolean): Frame | undefined {
    const { type, items } = value;
    if (type.elem?.kind === 'uint8' && TEXT_VERBS.has(verb)) {
      this.#context.budget.spend(items.length);
      return this.#writeScalar(fromBytes(Uint8Array.from(items, (item) => Number(bare(item)))), verb);
    }
    // For an operand, Go prints this alias of the type.
    const name = type === BYTES && depth === 0 && verb === 'v' ? '[]byte' : type.name;
    if (this.#spec.sharpV && value.isNil) {
      this.write(`${name}(nil)`);
      return undefined;
    }
    return this.#begin(frames.listFrame(value, isHidden), name);
  }

  #begin(frame: Frame, name = frame.type.name): Frame {
    this.write(frames.opening(frame, this.#spec, name));
    return frame;
  }

  #writeScalar(value: Value, verb: string): undefined {
    const { budget } = this.#context;
    const { width, precision } = this.#spec;
    if (width > 0) budget.grow(width);
    if (precision > 0 && typeof value !== 'string') budget.grow(precision);
    const text = formatScalar(budget, this.#spec, value, verb);
    if (text === undefined) this.#writeBad(value, verb);
    else this.write(text);
  }

  #writeNil(type: Type, verb: string): undefined {
    if (type.kind === 'func') {
      const nil = pad(this.#spec, '<nil>');
      this.write(formatPointer(this.#spec, type, 0n, verb) ?? `%!${verb}(${type.name}=${nil})`);
    } else this.write(this.#spec.sharpV ? `${type.name}(nil)` : '<nil>');
  }

  #writePointer(value: Value, verb: string): undefined {
    const type = typeOf(value);
    const address = addressOf(this.#context, value);
    const text =
      type === undefined || address === undefined
        ? undefined
        : formatPointer(this.#spec, type, address, verb);
    if (text === undefined) this.#writeBad(value, verb);
    else this.write(text);
  }

  #writeBad(value: Value, verb: string): void {
    this.write(`%!${verb}(${typeOf(value)?.name ?? ''}=`);
    this.#isBare = true;
    this.#walk(value, 'v');
    this.#isBare = false;
    this.write(')');
  }

  /** Prints the value with its own method, if it has one for this verb. Returns whether it did. */
  #printByMethod(value: Value, verb: string): boolean {
    if (this.#isBare || typeof value !== 'object' || value === null) return false;
    if (verb === 'w' && value.type !== BYTES) {
      this.#writeBad(value, verb);
      return true;
    }
    const method = textMethod(value.type, verb, this.#spec);
    if (method === undefined) return false;
    const text = this.#callMethod(value, verb, method);
    if (text !== undefined) this.#writeScalar(text, method.name === 'GoString' ? 's' : verb);
    return true;
  }

  /** The result of a print method. If it fails, or if the receiver is nil, writes the problem and returns undefined. */
  #callMethod(value: Value, verb: string, { name, func, isOfTarget }: TextMethod): Value {
    const isPointer = value instanceof Pointer;
    const receiver = isPointer && isOfTarget ? value.target : value;
    try {
      if (receiver !== undefined) return func.call(this.#context, [receiver]);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      if (!isPointer || value.target !== undefined) {
        this.#writePanic(`%!${verb}(PANIC=${name} method: ${error.message})`);
        return undefined;
      }
    }
    this.write('<nil>');
    return undefined;
  }

  /** Writes a panic. As in Go, width and precision become 0 for the rest of the operand. */
  #writePanic(text: string): void {
    this.write(text);
    this.#spec = { ...this.#spec, width: 0, precision: Math.min(this.#spec.precision, 0) };
  }
}
