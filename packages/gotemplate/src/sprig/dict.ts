/** sprig's functions for maps with string keys. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { deepCopy } from '../value/copy.ts';
import { type FuncMap, contextual, fn } from '../value/func.ts';
import { ANY_MAP, ANY_SLICE, STRING_SLICE } from '../value/type.ts';
import { GoMap, type Slice, type Value, appendedList, dict as dictOf, typeOf } from '../value/value.ts';
import { strval } from './convert.ts';
import { family } from './family.ts';
import { MergeError, merge } from './merge.ts';

/** Keys and values alternate. The value of a last key without a value is the empty string. */
function create(context: Context, ...pairs: Value[]): GoMap {
  context.budget.hold(pairs.length);
  const map = dictOf();
  for (let i = 0; i < pairs.length; i += 2)
    map.entries.set(strval(context, pairs[i]), i + 1 < pairs.length ? pairs[i + 1] : '');
  return map;
}

function get({ entries }: GoMap, key: string): Value {
  return entries.has(key) ? entries.get(key) : '';
}

function set({ budget }: Context, map: GoMap, key: string, value: Value): GoMap {
  if (map.isNil) throw new GoError('assignment to entry in nil map');
  budget.grow(16);
  map.entries.set(key, value);
  return map;
}

function unset(map: GoMap, key: string): GoMap {
  map.entries.delete(key);
  return map;
}

function pluck(key: string, ...maps: GoMap[]): Slice {
  return appendedList(
    ANY_SLICE,
    maps.filter(({ entries }) => entries.has(key)).map(({ entries }) => entries.get(key)),
  );
}

/** Go's order is random. Here it is the order of insertion. */
function keys(context: Context, ...maps: GoMap[]): Slice {
  const all: Value[] = [];
  for (const { entries } of maps) {
    context.budget.hold(entries.size);
    for (const key of entries.keys()) all.push(key);
  }
  return appendedList(STRING_SLICE, all);
}

function values(context: Context, { entries }: GoMap): Slice {
  context.budget.hold(entries.size);
  return appendedList(ANY_SLICE, [...entries.values()]);
}

function pick(context: Context, { entries }: GoMap, ...wanted: string[]): GoMap {
  context.budget.hold(wanted.length);
  const map = dictOf();
  for (const key of wanted) if (entries.has(key)) map.entries.set(key, entries.get(key));
  return map;
}

function omit(context: Context, { entries }: GoMap, ...unwanted: string[]): GoMap {
  context.budget.hold(entries.size + unwanted.length);
  const map = dictOf(entries as Map<string, Value>);
  for (const key of unwanted) map.entries.delete(key);
  return map;
}

/** The value at a path of keys: `dig "a" "b" default dict`. */
function dig(...args: Value[]): Value {
  if (args.length < 3) throw new GoError('dig needs at least three arguments');
  let value = args.at(-1);
  asMap(value);
  const path = args.slice(0, -2).map(asText);
  for (const key of path) {
    const { entries } = asMap(value);
    if (!entries.has(key)) return args.at(-2);
    value = entries.get(key);
  }
  return value;
}

function copy(context: Context, value: Value): Value {
  if (value == null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return deepCopy(context, value);
}

function asMap(value: Value): GoMap {
  if (value instanceof GoMap && value.type === ANY_MAP) return value;
  throw wrongType(value, ANY_MAP.name);
}

function asText(value: Value): string {
  if (typeof value === 'string') return value;
  throw wrongType(value, 'string');
}

function wrongType(value: Value, wanted: string): GoError {
  return new GoError(`interface conversion: interface {} is ${typeOf(value)?.name ?? 'nil'}, not ${wanted}`);
}

const MAP = 'map[string]interface{}';

/** Ignores a {@link MergeError}: the result is then the empty string, but earlier merges stay. */
function leniently(overwrite: boolean) {
  return (context: Context, into: GoMap, ...from: GoMap[]): Value => {
    try {
      return merge(context, overwrite, into, from);
    } catch (error) {
      if (error instanceof MergeError) return '';
      throw error;
    }
  };
}

function strictly(overwrite: boolean) {
  return (context: Context, into: GoMap, ...from: GoMap[]): Value => merge(context, overwrite, into, from);
}

export const dict: FuncMap = {
  dict: contextual(`func(...interface{}) ${MAP}`, create),
  get: fn(`func(${MAP}, string) interface{}`, get),
  set: contextual(`func(${MAP}, string, interface{}) ${MAP}`, set),
  unset: fn(`func(${MAP}, string) ${MAP}`, unset),
  hasKey: fn(`func(${MAP}, string) bool`, ({ entries }: GoMap, key: string) => entries.has(key)),
  pluck: fn(`func(string, ...${MAP}) []interface{}`, pluck),
  keys: contextual(`func(...${MAP}) []string`, keys),
  values: contextual(`func(${MAP}) []interface{}`, values),
  pick: contextual(`func(${MAP}, ...string) ${MAP}`, pick),
  omit: contextual(`func(${MAP}, ...string) ${MAP}`, omit),
  merge: contextual(`func(${MAP}, ...${MAP}) interface{}`, leniently(false)),
  mustMerge: contextual(`func(${MAP}, ...${MAP}) (interface{}, error)`, strictly(false)),
  mergeOverwrite: contextual(`func(${MAP}, ...${MAP}) interface{}`, leniently(true)),
  mustMergeOverwrite: contextual(`func(${MAP}, ...${MAP}) (interface{}, error)`, strictly(true)),
  ...family('deepCopy', '(interface{})', 'interface{}', copy),
  dig: fn('func(...interface{}) (interface{}, error)', dig),
};
