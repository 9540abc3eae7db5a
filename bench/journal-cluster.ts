/**
 * The control plane of benchmarks, in a separate process: devcluster with this number of plans. Sends its parent its address and the uids
 * of the plans. Answers each message with the processor time since the last one. See `journal/cluster.ts`.
 */
import { startDevCluster } from '@hnotif/devcluster';
import { crds, DEFAULT_API_GROUP } from '@hnotif/core/resources';
import type { ClusterReport, ClusterStarted } from './journal/cluster.ts';
import { NAMESPACE, planManifest } from './journal/plans.ts';

const cluster = await startDevCluster();
const post = async (path: string, object: object): Promise<{ metadata: { uid: string } }> => {
  const answer = await fetch(cluster.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`);
  return (await answer.json()) as { metadata: { uid: string } };
};
for (const crd of crds(DEFAULT_API_GROUP, { withPlans: true }))
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
const uids: string[] = [];
for (let index = 0; index < Number(process.argv[2]); index++) {
  const path = `/apis/${DEFAULT_API_GROUP}/v1alpha1/namespaces/${NAMESPACE}/hibernateplans`;
  uids.push((await post(path, planManifest(index))).metadata.uid);
}

let cpu = process.cpuUsage();
process.on('message', () => {
  const used = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  process.send?.({ cpuMs: (used.user + used.system) / 1000 } satisfies ClusterReport);
});
process.on('disconnect', () => process.exit());
process.send?.({ url: cluster.url, kubeconfig: cluster.kubeconfig(), uids } satisfies ClusterStarted);
