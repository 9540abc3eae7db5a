/**
 * How the lists of the built-in kinds merge under a strategic merge patch: what their Go types say in the tags
 * `patchStrategy` and `patchMergeKey` (k8s.io/api, k8s.io/apimachinery). A list that stands nowhere here is replaced
 * as a whole.
 */
export interface PatchSchema {
  readonly fields?: Readonly<Record<string, PatchSchema>>;
  /** A list whose items merge: objects by the value of this field, or scalars as a set. */
  readonly list?: { readonly mergeKey: string } | 'set';
}

const metadata: PatchSchema = {
  fields: { ownerReferences: { list: { mergeKey: 'uid' } }, finalizers: { list: 'set' } },
};

const kinds = new Map<string, PatchSchema>([
  ['Namespace', { fields: { metadata, status: { fields: { conditions: { list: { mergeKey: 'type' } } } } } }],
  ['Secret', { fields: { metadata } }],
  ['ConfigMap', { fields: { metadata } }],
  ['Event', { fields: { metadata } }],
  ['Lease', { fields: { metadata } }],
  ['ServiceAccount', { fields: { metadata, secrets: { list: { mergeKey: 'name' } } } }],
  ['Role', { fields: { metadata } }],
  ['ClusterRole', { fields: { metadata } }],
  ['RoleBinding', { fields: { metadata } }],
  ['ClusterRoleBinding', { fields: { metadata } }],
]);

/** The merge rules of a built-in kind; undefined for any other, which knows no strategic merge. */
export function patchSchemaOf(kind: string): PatchSchema | undefined {
  return kinds.get(kind);
}
