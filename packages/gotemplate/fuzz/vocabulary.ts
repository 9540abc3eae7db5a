/** The functions of generated templates, by result type. */
import { functions } from '../conformance/evaluate.ts';
import { builtins } from '../src/exec/builtins.ts';
import { Func } from '../src/value/func.ts';
import { ANY, INT, REFLECT_VALUE, STRING, type Type } from '../src/value/type.ts';

export interface Vocabulary {
  readonly names: readonly string[];
  /** Undefined if the name is unknown. */
  find(name: string): Func | undefined;
  /** The names of functions whose first result satisfies the condition. */
  giving(satisfies: (type: Type) => boolean): readonly string[];
}

function vocabulary(table: Readonly<Record<string, unknown>>): Vocabulary {
  const entries = Object.entries(table).filter((entry): entry is [string, Func] => entry[1] instanceof Func);
  const byName = new Map(entries);
  const byResult = new Map<Type, string[]>();
  for (const [name, func] of entries) {
    const result = resultOf(name, func);
    byResult.set(result, [...(byResult.get(result) ?? []), name]);
  }
  return {
    names: [...byName.keys()],
    find: (name) => byName.get(name),
    giving: (satisfies) => [...byResult].flatMap(([type, names]) => (satisfies(type) ? names : [])),
  };
}

/** The signatures of Go's predefined functions say only reflect.Value. */
function resultOf(name: string, func: Func): Type {
  const result = func.type.signature?.results[0] ?? ANY;
  if (result !== REFLECT_VALUE) return result;
  return name === 'len' ? INT : name === 'slice' ? STRING : ANY;
}

export const builtin = vocabulary(builtins);
export const all = vocabulary({ ...builtins, ...functions });
