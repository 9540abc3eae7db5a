import { Func, type FuncMap, Unavailable } from '../value/func.ts';
import { ERROR, type Signature } from '../value/type.ts';
import { builtins } from './builtins.ts';

/** A function that a template may name. */
export interface Named {
  readonly func: Func;
  /** Whether it is Go's own, and so `and`, `or` and `call` are what the engine does itself. */
  readonly builtin: boolean;
}

/** The functions of a template by name. Names come from templates, and so never look anything up in an object. */
export class Functions {
  readonly #named = new Map<string, Named>();
  readonly #reasons = new Map<string, string>();

  constructor(funcs: FuncMap) {
    this.#add(builtins, true);
    this.#add(funcs, false);
  }

  #add(funcs: FuncMap, builtin: boolean): void {
    for (const [name, func] of Object.entries(funcs)) {
      if (!NAME.test(name)) throw new TypeError(`function name "${name}" is not a valid identifier`);
      if (func instanceof Func) this.#named.set(name, { func: checked(name, func), builtin });
      else if (func instanceof Unavailable) {
        this.#named.delete(name);
        this.#reasons.set(name, func.reason);
      } else throw new TypeError(`value for ${name} not a function`);
    }
  }

  find(name: string): Named | undefined {
    return this.#named.get(name);
  }

  /** Why a function is not offered, if there is a reason. */
  reason(name: string): string | undefined {
    return this.#reasons.get(name);
  }
}

const NAME = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

const cache = new WeakMap<FuncMap, Functions>();

/** The functions of a map and Go's own. A map is read once and must not change after. */
export function functionsOf(funcs: FuncMap): Functions {
  let functions = cache.get(funcs);
  if (functions === undefined) cache.set(funcs, (functions = new Functions(funcs)));
  return functions;
}

function checked(name: string, func: Func): Func {
  const bad = badResults(name, signatureOf(func));
  if (bad !== undefined) throw new TypeError(bad);
  return func;
}

export function signatureOf({ type }: Func): Signature {
  if (type.signature === undefined) throw new TypeError(`a function of type ${type.name}`);
  return type.signature;
}

/** What is wrong with the results of a function for a template to call it, in Go's words. */
export function badResults(name: string, { results }: Signature): string | undefined {
  if (results.length === 1) return undefined;
  if (results.length !== 2) return `function ${name} has ${results.length} return values; should be 1 or 2`;
  const second = results[1];
  return second === ERROR
    ? undefined
    : `invalid function signature for ${name}: second return value should be error; is ${second?.name}`;
}
