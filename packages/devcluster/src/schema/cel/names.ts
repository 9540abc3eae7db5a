/** The words of CEL which a field's name cannot be, as the server lists them. */
const keywords = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);
/** Of those, the ones which the server escapes; the others it lets stand. */
const escapedKeywords = new Set([...keywords].filter((word) => !['var', 'void', 'while'].includes(word)));

/**
 * The identifier by which CEL rules reach a property (Kubernetes, "CEL in Kubernetes", "Escaping"): `x-prop` is
 * `x__dash__prop`. Undefined for a name which cannot be escaped; rules cannot reach it.
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
