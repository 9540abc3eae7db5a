import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Kube, KubeObject } from './kube.ts';

export const RBAC = '/apis/rbac.authorization.k8s.io/v1';
/** The controller's account in deploy/. */
export const ACCOUNT = 'system:serviceaccount:hnotif:hnotif';

export const DEPLOY = join(import.meta.dirname, '../../../deploy');

export interface Manifest extends KubeObject {
  readonly kind: string;
  readonly metadata: KubeObject['metadata'] & { readonly namespace?: string };
}

/** The objects of a stream of YAML documents. */
export const manifestsOf = (text: string): readonly Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest);

/** The objects of a file of deploy/. */
export const deployed = async (file: string): Promise<readonly Manifest[]> =>
  manifestsOf(await readFile(join(DEPLOY, file), 'utf8'));

/** The API path for each kind of object that grants rights. */
const COLLECTIONS: Readonly<Record<string, (namespace: string) => string>> = {
  Namespace: () => '/api/v1/namespaces',
  ServiceAccount: (namespace) => `/api/v1/namespaces/${namespace}/serviceaccounts`,
  ClusterRole: () => `${RBAC}/clusterroles`,
  ClusterRoleBinding: () => `${RBAC}/clusterrolebindings`,
  Role: (namespace) => `${RBAC}/namespaces/${namespace}/roles`,
  RoleBinding: (namespace) => `${RBAC}/namespaces/${namespace}/rolebindings`,
};

/** Creates those of these objects that grant rights. */
export async function applyRights(kube: Kube, objects: readonly Manifest[]): Promise<void> {
  for (const object of objects) {
    const path = COLLECTIONS[object.kind]?.(object.metadata.namespace ?? '');
    if (path !== undefined) await kube.post(path, object);
  }
}

const FILES = [
  'base/namespace',
  'base/account',
  'base/rights',
  'base/lease',
  'components/metrics-auth/rights',
];

/** Gives the account the rights of deploy/kustomize/base, with those for --metrics-auth, and no others. */
export async function deployRights({ kube }: { readonly kube: Kube }): Promise<void> {
  for (const file of FILES) await applyRights(kube, await deployed(`kustomize/${file}.yaml`));
}
