/** What a thing is, for messages: `null`, `a string`, `an array`, `a Promise`. Never what it holds. */
export function kindOf(found: unknown): string {
  if (found === null || found === undefined) return String(found);
  if (typeof found !== 'object') return `a ${typeof found}`;
  if (Array.isArray(found)) return 'an array';
  if (found instanceof Date) return 'a Date';
  if (found instanceof Map) return 'a Map';
  return builtinKind(found) ?? 'an object';
}

type Class = abstract new (...args: never[]) => unknown;

/** What JavaScript makes itself and does not hold in properties: read by those, it would seem empty. */
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
  // Not everywhere.
  ['a', 'SharedArrayBuffer'],
].flatMap(([article, name]) => {
  const found = (globalThis as unknown as Record<string, Class | undefined>)[name!];
  return found === undefined ? [] : [[found, `${article} ${name}`] as const];
});

/** The kind of an object of JavaScript's own, beside arrays, Dates and Maps; undefined of any other. */
export function builtinKind(data: object): string | undefined {
  // Not by Symbol.toStringTag, for which a getter might run.
  return (
    BUILTIN.find(([of]) => data instanceof of)?.[1] ??
    (ArrayBuffer.isView(data) ? 'a typed array' : undefined)
  );
}
