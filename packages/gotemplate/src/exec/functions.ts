import { Func, type FuncMap, Unavailable } from '../value/func.ts';
import { builtins } from './builtins.ts';
import { badResults, signatureOf } from './signature.ts';

/** A function that templates can call. */
interface Named {
  readonly func: Func;
  /** Whether it is predefined. The compiler has its own code for the predefined `and`, `or`, `slice` and `call`. */
  readonly builtin: boolean;
}

/** The functions of a template by name. Templates choose the names, so they never index an object. */
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

  /** Why a function does not exist here, if there is a reason. */
  reason(name: string): string | undefined {
    return this.#reasons.get(name);
  }
}

const NAME = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

const cache = new WeakMap<FuncMap, Functions>();

/** The functions of a map, and Go's predefined ones. A map is read once and must not change later. */
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
