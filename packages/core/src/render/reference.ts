import { builtins, Func, type Type } from '@hnotif/gotemplate';
import { functions } from './functions.ts';
import { FIELD_HELP, FUNCTION_HELP } from './help.ts';
import { PAYLOAD } from './types.ts';

export interface FieldRow {
  readonly name: string;
  /** A template author's words: a struct without its package. */
  readonly type: string;
  /** The texts that it can hold; empty: any. */
  readonly values: readonly string[];
  readonly help: string;
}

/** A struct that templates see. */
export interface StructRow {
  readonly name: string;
  readonly fields: readonly FieldRow[];
}

export interface FunctionRow {
  readonly name: string;
  /** `(int, string) string` */
  readonly signature: string;
  readonly help: string;
}

const shortName = (type: Type): string => type.name.replaceAll('sink.', '');

/** The dot of a template, and the structs within it, each once. */
export const structRows = (): readonly StructRow[] =>
  structsWithin(PAYLOAD).map((type) => ({
    name: shortName(type),
    fields: type.fields.map(({ name, type: field, oneOf = [] }) => ({
      ...{ name, type: shortName(field), values: oneOf },
      help: FIELD_HELP[shortName(type)]?.[name] ?? '',
    })),
  }));

function structsWithin(type: Type, seen = new Set<Type>()): Type[] {
  const inner = type.elem ?? type;
  if (inner.kind !== 'struct' || !inner.name.startsWith('sink.') || seen.has(inner)) return [];
  seen.add(inner);
  return [inner, ...inner.fields.flatMap(({ type: field }) => structsWithin(field, seen))];
}

/** All functions of a template, by name. */
export const functionRows = (): readonly FunctionRow[] =>
  Object.entries({ ...builtins, ...functions })
    .filter((entry): entry is [string, Func] => entry[1] instanceof Func)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type }]) => ({ name, signature: type.name.replace(/^func/, ''), help: helpOf(name) }));

/** Functions that sprig has and templates have not. */
export const unavailable = (): readonly string[] =>
  Object.entries(functions)
    .filter(([, each]) => !(each instanceof Func))
    .map(([name]) => name)
    .sort();

/** Further names of functions. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['date_in_zone', 'dateInZone'],
  ['date_modify', 'dateModify'],
  ['must_date_modify', 'mustDateModify'],
  ['trimall', 'trimAll'],
]);

function helpOf(name: string): string {
  const main = SAME.get(name) ?? name;
  const own = FUNCTION_HELP[main];
  if (own !== undefined) return main === name ? own : `the same as \`${main}\``;
  const plain = main.replace(/^must(.)/, (_, first: string) => first.toLowerCase());
  return FUNCTION_HELP[plain] === undefined ? '' : `\`${plain}\`, but fails where that gives nothing`;
}
