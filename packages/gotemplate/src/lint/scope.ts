/** What is known of dot and of the variables at a place. */
import type { Field, Type } from '../value/type.ts';

/** What is known of a value before the template runs. */
export interface Known {
  /** Undefined: it may be anything. */
  readonly type: Type | undefined;
  /** One name for one thing: `$.TargetExecution` however it is reached; undefined when it has none. */
  readonly path?: string | undefined;
  /** The field it comes from. */
  readonly field?: Field | undefined;
  /** The text, if it is a constant. */
  readonly text?: string | undefined;
}

export const ANYTHING: Known = { type: undefined };

const MANY = 1000;

/** An immutable scope: entering a block makes a new one, so that leaving it is nothing. */
export class Scope {
  readonly dot: Known;
  readonly #variables: ReadonlyMap<string, Known>;
  readonly #checked: ReadonlySet<string>;

  private constructor(dot: Known, variables: ReadonlyMap<string, Known>, checked: ReadonlySet<string>) {
    this.dot = dot;
    this.#variables = variables;
    this.#checked = checked;
  }

  /** The scope of a definition that is called with such a value. */
  static root(type: Type | undefined): Scope {
    const dollar: Known = { type, path: '$' };
    return new Scope(dollar, new Map([['$', dollar]]), new Set());
  }

  variable(name: string): Known {
    return this.#variables.get(name) ?? ANYTHING;
  }

  withDot(dot: Known): Scope {
    if (dot.path !== undefined) return new Scope(dot, this.#variables, this.#checked);
    // A new dot without a name: what was known of the old one's fields says nothing of this one's.
    const kept = [...this.#checked].filter((path) => path.startsWith('$'));
    return new Scope({ ...dot, path: '' }, this.#variables, new Set(kept));
  }

  /** Throws a RangeError beyond a thousand variables: each scope has a table of its own. */
  withVariable(name: string, known: Known): Scope {
    if (this.#variables.size > MANY) throw new RangeError('too many variables');
    const checked = [...this.#checked].filter((path) => path !== name && !path.startsWith(`${name}.`));
    return new Scope(
      this.dot,
      new Map(this.#variables).set(name, { ...known, path: name }),
      new Set(checked),
    );
  }

  /** The scope in which these paths are known to be there: the body of an `if` that asks for them. */
  checking(paths: Iterable<string>): Scope {
    return new Scope(this.dot, this.#variables, new Set([...this.#checked, ...paths]));
  }

  isChecked(path: string): boolean {
    return this.#checked.has(path);
  }
}
