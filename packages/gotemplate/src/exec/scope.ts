import { Typed, type Value } from '../value/value.ts';
import { STRING } from '../value/type.ts';
import type { Frame } from './frame.ts';

/** Marks a slot whose declaration was not executed. No expression has this value. */
export const UNSET: Value = new Typed(STRING, 'unset');

/** A variable of a definition. */
export class Binding {
  readonly name: string;
  readonly slot: number;
  /**
   * If the declaration may be skipped, as in `or .a ($x := 1)`: the variable that the name means then, if any.
   * Undefined for other declarations.
   */
  readonly otherwise: { readonly binding: Binding | undefined } | undefined;
  /**
   * The slot that stores whether a loop assigned an element of interface type: Go's messages then name the interface.
   * Undefined if no loop assigns to the variable.
   */
  seen: number | undefined = undefined;

  constructor(name: string, slot: number, otherwise: Binding['otherwise']) {
    this.name = name;
    this.slot = slot;
    this.otherwise = otherwise;
  }
}

/** The visible variables at the current point of a definition. */
export class Scope {
  readonly #bindings: Binding[] = [];
  /** The bindings of a name, the innermost last. */
  readonly #byName = new Map<string, Binding[]>();
  #slots = 0;

  constructor() {
    this.declare('$', true);
  }

  /** The number of slots. */
  get slots(): number {
    return this.#slots;
  }

  slot(): number {
    return this.#slots++;
  }

  /** Returns a mark for {@link leave}. */
  enter(): number {
    return this.#bindings.length;
  }

  leave(mark: number): void {
    for (const { name } of this.#bindings.splice(mark)) this.#byName.get(name)?.pop();
  }

  /** The bindings declared since the mark. */
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

  /** Records from now on whether the value is seen through an interface, because a loop assigns to the variable. */
  watch(binding: Binding): void {
    for (let each: Binding | undefined = binding; each !== undefined; each = each.otherwise?.binding)
      each.seen ??= this.slot();
  }

  find(name: string): Binding | undefined {
    return this.#byName.get(name)?.at(-1);
  }
}

/** The variable that the name means at run time: one whose declaration was executed. */
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

/** Whether the variable's value is seen through an interface. */
export function isSeen(frame: Frame, binding: Binding): boolean {
  const real = reached(frame, binding);
  return real?.seen !== undefined && frame.vars[real.seen] === true;
}
