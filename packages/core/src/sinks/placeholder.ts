/** The placeholders of each kind of field. A pattern leaves out what a value of that kind may hold for another reason. */
const PLACEHOLDERS = {
  /** A token, a secret, an id: `${X}`, `$(X)`, `{{ X }}`; or the whole value is `$X` or `<X>`. */
  value: /\$\{[\w.-]*\}|\$\([\w.-]*\)|\{\{|^\$[A-Z_]\w*$|^<\w[^<>]*>$/,
  /** `${X}`, `$X`, `$(X)`, `{x}`, `<x>`, `…`. Not `{"x":1}`: a query may hold JSON. */
  address: /\$[({]|\$[A-Z_]{2}|\{[\w.-]+\}|<[^<>]+>|…/,
  /** `${X}`, `$(X)`, `{{ X }}`. Headers may hold `{"a":1}` and `<…>`. */
  header: /\{\{|\$[({]/,
} as const;

/** Whether a text still holds a placeholder, which nothing has replaced. */
export const holdsPlaceholder = (text: string, field: keyof typeof PLACEHOLDERS): boolean =>
  PLACEHOLDERS[field].test(text);
