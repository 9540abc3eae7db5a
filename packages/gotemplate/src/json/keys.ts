/** Maps as JSON objects: keys become strings, sorted by their bytes. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { quote } from '../strconv/quote.ts';
import { hasMethod } from '../value/method.ts';
import { compareText } from '../value/text.ts';
import { STRING, type Type, isInteger } from '../value/type.ts';
import { type GoMap, type Key, type Value, ofType } from '../value/value.ts';
import type { Members } from './fields.ts';
import { marshalText } from './marshal.ts';
import { encodeString } from './string.ts';

/** Whether keys of the type can be names in an object. */
export function canBeName(key: Type): boolean {
  return key.kind === 'string' || isInteger(key.kind) || hasMethod(key, 'MarshalText');
}

/** The keys in quotes and the values. Throws a GoError when a key does not become text. */
export function entriesOf(context: Context, map: GoMap, escapeHTML: boolean): Members {
  const { entries, type } = map;
  context.budget.spend(entries.size);
  const values: Value[] = [];
  const labels: string[] = [];
  const names = type.key?.kind === 'string' ? undefined : namesOf(context, map);
  const keys = sorted([...entries.keys()], names);
  for (const key of keys) {
    labels.push(encodeString(names?.get(key) ?? String(key), escapeHTML));
    values.push(entries.get(key));
  }
  return { labels, values };
}

/** What keys that are no strings are called. */
function namesOf(context: Context, { entries, type }: GoMap): Map<Key, string> {
  const { key: keyType = STRING } = type;
  const names = new Map<Key, string>();
  for (const key of entries.keys()) {
    try {
      const value = ofType(keyType, key);
      names.set(key, hasMethod(keyType, 'MarshalText') ? marshalText(context, value) : String(key));
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      throw new GoError(`json: encoding error for type ${quote(type.name)}: ${quote(error.message)}`);
    }
  }
  return names;
}

function sorted(keys: Key[], names: ReadonlyMap<Key, string> | undefined): Key[] {
  if (keys.length < 2) return keys;
  const nameOf = (key: Key): string => names?.get(key) ?? String(key);
  return keys.sort((a, b) => compareText(nameOf(a), nameOf(b)));
}
