/** The namespaces that are watched together: one of them; undefined: all. */
export type NamespaceScope = string | undefined;

/** Whether a scope has this namespace. */
export const isInScope = (scope: NamespaceScope, namespace: string): boolean =>
  scope === undefined || scope === namespace;

/** Whether one of the scopes has this namespace. */
export const isInAny = (scopes: ReadonlySet<NamespaceScope>, namespace: string): boolean =>
  scopes.has(undefined) || scopes.has(namespace);
