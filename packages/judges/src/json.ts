export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `a string`, `a list`: the kind of a JSON value, for errors. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A JSON pointer: https://www.rfc-editor.org/rfc/rfc6901 */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Undefined if it is not JSON. */
export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The depth limit of the JSON parsers that Slack uses. */
export const DEEPEST = 512;

/** Why JSON parsers refuse a value: it is too deep, or a text has half a surrogate pair, which RFC 8259 leaves undefined. */
export interface JsonFault {
  readonly what: 'depth' | 'surrogate';
  /** The value that has it; a name with half a pair: the object. */
  readonly path: (string | number)[];
}

/** The first part of a value that Slack's JSON parser refuses. `depth`: the number of lists and objects around the value. */
export function jsonFault(value: unknown, depth = 0): JsonFault | undefined {
  if (depth > DEEPEST) return { what: 'depth', path: [] };
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { what: 'surrogate', path: [] };
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    if (!isList && !name.isWellFormed()) return { what: 'surrogate', path: [] };
    const fault = jsonFault((value as Fields)[name], depth + 1);
    if (fault !== undefined) {
      fault.path.unshift(name);
      return fault;
    }
  }
  return undefined;
}
