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
  const text = await readFile(join(import.meta.dirname, '../../../deploy', file), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** Gives the account the rights of deploy/hnotif.yaml, and no others. */
export async function deployRights(kube: Kube): Promise<void> {
  const objects = await deployed('hnotif.yaml');
  const of = (kind: string): object => objects.find((object) => object.kind === kind) ?? {};
  await kube.post('/api/v1/namespaces', of('Namespace'));
  await kube.post('/api/v1/namespaces/hnotif/serviceaccounts', of('ServiceAccount'));
  await kube.post(`${RBAC}/clusterroles`, of('ClusterRole'));
  await kube.post(`${RBAC}/clusterrolebindings`, of('ClusterRoleBinding'));
  await kube.post(`${RBAC}/namespaces/hnotif/roles`, of('Role'));
  await kube.post(`${RBAC}/namespaces/hnotif/rolebindings`, of('RoleBinding'));
}
