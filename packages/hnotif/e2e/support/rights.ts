import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Kube, KubeObject } from './kube.ts';

export const RBAC = '/apis/rbac.authorization.k8s.io/v1';
/** As deploy/ names the controller's account. */
export const ACCOUNT = 'system:serviceaccount:hnotif:hnotif';

type Manifest = KubeObject & { readonly kind: string };

/** The objects of a file of deploy/. */
export async function deployed(file: string): Promise<readonly Manifest[]> {
  const text = await readFile(join(import.meta.dirname, '../../../../deploy', file), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** Where the objects of deploy/hnotif.yaml that give rights are created. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: '/api/v1/namespaces/hnotif/serviceaccounts',
  ClusterRole: `${RBAC}/clusterroles`,
  ClusterRoleBinding: `${RBAC}/clusterrolebindings`,
  Role: `${RBAC}/namespaces/hnotif/roles`,
  RoleBinding: `${RBAC}/namespaces/hnotif/rolebindings`,
};

/** Gives the account the rights of deploy/hnotif.yaml, and no others. */
export async function deployRights({ kube }: { readonly kube: Kube }): Promise<void> {
  for (const object of await deployed('hnotif.yaml')) {
    const path = COLLECTIONS[object.kind];
    if (path !== undefined) await kube.post(path, object);
  }
}
