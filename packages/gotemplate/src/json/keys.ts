/** Maps as JSON objects. Keys become strings, sorted by bytes. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { quote } from '../strconv/quote.ts';
import { hasMethod } from '../value/method.ts';
import { compareText } from '../value/text.ts';
import { STRING, type Type, isInteger } from '../value/type.ts';
import { type GoMap, type Key, type Value, ofType } from '../value/value.ts';
import type { Members } from './fields.ts';
import { marshalText } from './marshal.ts';

/** Whether keys of the type can be names in an object. */
export function canBeName(key: Type): boolean {
  return key.kind === 'string' || isInteger(key.kind) || hasMethod(key, 'MarshalText');
}

/** The keys as text, and the values. Throws a GoError if a key cannot be text. */
export function entriesOf(context: Context, map: GoMap): Members {
  const { entries, type } = map;
  context.budget.spend(entries.size);
  if (type.key?.kind !== 'string') return namedEntries(context, map);
  const names = [...entries.keys()] as string[];
  sort(context, names);
  const values: Value[] = new Array<Value>(names.length);
  for (let i = 0; i < names.length; i++) values[i] = entries.get(names[i] ?? '');
  return { names, values };
}

/** Up to this number of keys, insertion sort is fastest. */
const FEW = 12;

function sort({ budget }: Context, keys: string[]): void {
  if (keys.length > FEW)
    keys.sort((a, b) => {
      budget.spend(1 + (a.length >> 6));
      return compareText(a, b);
    });
  else for (let i = 1; i < keys.length; i++) insert(keys, i);
}

/** Moves a key to its place among the keys before it. */
function insert(keys: string[], from: number): void {
  const key = keys[from] ?? '';
  let to = from;
  for (; to > 0; to--) {
    const before = keys[to - 1] ?? '';
    if (compareText(before, key) <= 0) break;
    keys[to] = before;
  }
  keys[to] = key;
}

/** The same for keys that are not strings. */
function namedEntries(context: Context, { entries, type }: GoMap): Members {
  const { key: keyType = STRING } = type;
  const named = [...entries].map(([key, value]) => ({ name: nameOf(context, type, keyType, key), value }));
  named.sort((a, b) => compareText(a.name, b.name));
  return {
    names: named.map(({ name }) => name),
    values: named.map(({ value }) => value),
  };
}

function nameOf(context: Context, map: Type, keyType: Type, key: Key): string {
  if (!hasMethod(keyType, 'MarshalText')) return String(key);
  try {
    return marshalText(context, ofType(keyType, key));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`json: encoding error for type ${quote(map.name)}: ${quote(error.message)}`);
  }
}
