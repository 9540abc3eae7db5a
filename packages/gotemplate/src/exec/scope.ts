import { Typed, type Value } from '../value/value.ts';
import { STRING } from '../value/type.ts';
import type { Frame } from './frame.ts';

/** In a slot: its declaration was not reached. No expression has this value. */
export const UNSET: Value = new Typed(STRING, 'unset');

/** A variable of a definition. */
export class Binding {
  readonly name: string;
  readonly slot: number;
  /**
   * Of a declaration that may be passed by, as in `or .a ($x := 1)`: the variable that the name means then, if any.
   * Undefined for all others.
   */
  readonly otherwise: { readonly binding: Binding | undefined } | undefined;
  /**
   * The slot that tells whether the value is an element of interface type, which a loop gave it: Go's messages name the
   * type that it is seen through. Undefined when no loop gives it any.
   */
  seen: number | undefined = undefined;

  constructor(name: string, slot: number, otherwise: Binding['otherwise']) {
    this.name = name;
    this.slot = slot;
    this.otherwise = otherwise;
  }
}

/** The variables that are visible at a place of a definition. */
export class Scope {
  readonly #bindings: Binding[] = [];
  /** The bindings of a name, the innermost last. */
  readonly #byName = new Map<string, Binding[]>();
  #slots = 0;

  constructor() {
    this.declare('$', true);
  }

  /** How many slots were taken. */
  get slots(): number {
    return this.#slots;
  }

  slot(): number {
    return this.#slots++;
  }

  /** To be given to {@link leave}. */
  enter(): number {
    return this.#bindings.length;
  }

  leave(mark: number): void {
    for (const { name } of this.#bindings.splice(mark)) this.#byName.get(name)?.pop();
  }

  /** What was declared since. */
  since(mark: number): readonly Binding[] {
    return this.#bindings.slice(mark);
  }

  declare(name: string, sure: boolean): Binding {
    const binding = new Binding(name, this.slot(), sure ? undefined : { binding: this.find(name) });
    this.#bindings.push(binding);
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, [binding]);
    else same.push(binding);
    return binding;
  }

  /** Has it kept whether the variable's value is seen through an interface: a loop will give it values. */
  watch(binding: Binding): void {
    for (let each: Binding | undefined = binding; each !== undefined; each = each.otherwise?.binding)
      each.seen ??= this.slot();
  }

  find(name: string): Binding | undefined {
    return this.#byName.get(name)?.at(-1);
  }
}

/** The variable that the name really means now: one whose declaration was reached. */
export function reached(frame: Frame, binding: Binding): Binding | undefined {
  let real: Binding | undefined = binding;
  while (real?.otherwise !== undefined && frame.vars[real.slot] === UNSET) real = real.otherwise.binding;
  return real;
}

/** @param seen whether the value is an element of interface type */
export function store(frame: Frame, binding: Binding, value: Value, seen = false): void {
  frame.vars[binding.slot] = value;
  if (binding.seen !== undefined) frame.vars[binding.seen] = seen;
}

/** Whether the variable holds a value that is seen through an interface. */
export function isSeen(frame: Frame, binding: Binding): boolean {
  const real = reached(frame, binding);
  return real?.seen !== undefined && frame.vars[real.seen] === true;
}
