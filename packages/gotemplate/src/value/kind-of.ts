/** The kind of a value, for messages: `null`, `a string`, `an array`, `a Promise`. Never its content. */
export function kindOf(found: unknown): string {
  if (found === null || found === undefined) return String(found);
  if (typeof found !== 'object') return `a ${typeof found}`;
  if (Array.isArray(found)) return 'an array';
  if (found instanceof Date) return 'a Date';
  if (found instanceof Map) return 'a Map';
  return builtinKind(found) ?? 'an object';
}

type Class = abstract new (...args: never[]) => unknown;

/** Built-in classes whose content is not in properties. */
const BUILTIN: readonly (readonly [Class, string])[] = [
  ['a', 'Set'],
  ['a', 'Promise'],
  ['an', 'Error'],
  ['a', 'RegExp'],
  ['a', 'URL'],
  ['a', 'URLSearchParams'],
  ['a', 'Number'],
  ['a', 'String'],
  ['a', 'Boolean'],
  ['a', 'BigInt'],
  ['a', 'Symbol'],
  ['a', 'WeakMap'],
  ['a', 'WeakSet'],
  ['a', 'WeakRef'],
  ['a', 'Uint8Array'],
  ['an', 'ArrayBuffer'],
  // Some environments do not have it.
  ['a', 'SharedArrayBuffer'],
].flatMap(([article, name]) => {
  const found = (globalThis as unknown as Record<string, Class | undefined>)[name!];
  return found === undefined ? [] : [[found, `${article} ${name}`] as const];
});

/** The kind of a built-in object, or undefined. Not for arrays, Dates and Maps. */
export function builtinKind(data: object): string | undefined {
  // Not by Symbol.toStringTag: it could run a getter.
  return (
    BUILTIN.find(([of]) => data instanceof of)?.[1] ??
    (ArrayBuffer.isView(data) ? 'a typed array' : undefined)
  );
}
