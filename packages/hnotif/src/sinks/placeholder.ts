/** `${X}`, `$(X)`, `{{ X }}`: of a shell, of Helm, of a template. No field holds them for another reason. */
const EVERYWHERE = /\$\{[^{}]*\}|\$\([^()]*\)|\{\{/;

/** What is one in a field of this kind only: elsewhere the same characters may belong to the value. */
const ALSO = {
  /** A token, a secret, an id: the whole value is `$X` or `<X>`. */
  value: /^\$[A-Z_]\w*$|^<\w[^<>]*>$/,
  /** `$X`, `{x}`, `<x>`, `…` anywhere. Not `{"x":1}`: a query may hold JSON. */
  address: /\$[A-Z_]{2}|\{[\w.-]+\}|<[^<>]+>|…/,
  /** Nothing more: headers may have `{"a":1}` and `<…>`. */
  header: undefined,
} as const satisfies Readonly<Record<string, RegExp | undefined>>;

/** Whether a text still holds a placeholder, which nothing has replaced. */
export const holdsPlaceholder = (text: string, field: keyof typeof ALSO): boolean =>
  EVERYWHERE.test(text) || ALSO[field]?.test(text) === true;
