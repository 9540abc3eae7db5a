/** The kinds of values that a schema asks for, in words. */
export const KINDS = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
} as const;

/** The kind of a value in words; never the value. */
export function kindInWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return KINDS.array;
  if (typeof value === 'object') return KINDS.object;
  if (typeof value === 'string') return KINDS.string;
  return typeof value === 'boolean' ? KINDS.boolean : `a ${typeof value}`;
}
