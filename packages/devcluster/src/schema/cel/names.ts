/** The words of CEL that cannot be a field's name, in the server's order. */
const keywords = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);
/** Of those, the words that the server escapes. */
const escapedKeywords = new Set([...keywords].filter((word) => !['var', 'void', 'while'].includes(word)));

/**
 * The identifier of a property in CEL rules (Kubernetes, "CEL in Kubernetes", "Escaping"): `x-prop` is `x__dash__prop`. Undefined for a
 * name that cannot be escaped: rules cannot reach it.
 */
export function escapeName(name: string): string | undefined {
  if (escapedKeywords.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
