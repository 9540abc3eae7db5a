import { Func, type FuncMap, Unavailable } from '../value/func.ts';
import { builtins } from './builtins.ts';
import { badResults, signatureOf } from './signature.ts';

/** A function that a template may name. */
interface Named {
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
