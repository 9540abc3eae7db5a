/** The facts about dot and the variables at a point of the template. */
import type { Field, Type } from '../value/type.ts';

/** The facts about a value that are known before the template runs. */
export interface Known {
  /** Undefined if unknown. */
  readonly type: Type | undefined;
  /** The canonical name of the value, such as `$.TargetExecution`, or undefined. */
  readonly path?: string | undefined;
  /** The field it comes from. */
  readonly field?: Field | undefined;
  /** The text, if it is a constant. */
  readonly text?: string | undefined;
}

export const ANYTHING: Known = { type: undefined };

const MANY = 1000;

/** An immutable scope. A block makes a new one, so its end needs no code. */
export class Scope {
  readonly dot: Known;
  readonly #variables: ReadonlyMap<string, Known>;
  readonly #checked: ReadonlySet<string>;

  private constructor(dot: Known, variables: ReadonlyMap<string, Known>, checked: ReadonlySet<string>) {
    this.dot = dot;
    this.#variables = variables;
    this.#checked = checked;
  }

  /** The scope of a definition that is called with a value of the type. */
  static root(type: Type | undefined): Scope {
    const dollar: Known = { type, path: '$' };
    return new Scope(dollar, new Map([['$', dollar]]), new Set());
  }

  variable(name: string): Known {
    return this.#variables.get(name) ?? ANYTHING;
  }

  withDot(dot: Known): Scope {
    if (dot.path !== undefined) return new Scope(dot, this.#variables, this.#checked);
    // The new dot has no name, so facts about fields of the old one do not apply.
    const kept = [...this.#checked].filter((path) => path.startsWith('$'));
    return new Scope({ ...dot, path: '' }, this.#variables, new Set(kept));
  }

  /** Throws a RangeError if there are more than a thousand variables, because each scope has its own table. */
  withVariable(name: string, known: Known): Scope {
    if (this.#variables.size > MANY) throw new RangeError('too many variables');
    const checked = [...this.#checked].filter((path) => path !== name && !path.startsWith(`${name}.`));
    return new Scope(
      this.dot,
      new Map(this.#variables).set(name, { ...known, path: name }),
      new Set(checked),
    );
  }

  /** The scope in which these paths are present, such as the body of an `if` that checks them. */
  checking(paths: Iterable<string>): Scope {
    return new Scope(this.dot, this.#variables, new Set([...this.#checked, ...paths]));
  }

  isChecked(path: string): boolean {
    return this.#checked.has(path);
  }
}
