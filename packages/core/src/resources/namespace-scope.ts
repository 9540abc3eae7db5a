/** The namespaces that are watched together: one of them; undefined: all. */
export type NamespaceScope = string | undefined;

/** Whether a scope has this namespace. */
export const isInScope = (scope: NamespaceScope, namespace: string): boolean =>
  scope === undefined || scope === namespace;
