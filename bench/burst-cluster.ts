/**
 * The control plane of `burst`, in a separate process. It is also the operator: it puts objects and statuses directly into the store. So
 * the processor time of this process is the cost that hnotif causes for the API server (plus the watch events of the plans). Requests
 * would take minutes, and would not keep managedFields. See `burst/cluster.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevCluster } from '@hnotif/devcluster';
import type { KubeObject } from '../packages/devcluster/src/object.ts';
import { Store } from '../packages/devcluster/src/store.ts';
import { crds, DEFAULT_API_GROUP } from '@hnotif/core/resources';
import type { OperatorStatus } from '@hnotif/core/lifecycle';
import { namespaceOf, type Scale } from './scale/objects.ts';
import { aPlan, targetsOf } from './scale/plan.ts';
import type { Asked, Played, Play, Report, Setting, Started } from './burst/cluster.ts';
import { stepped } from './burst/night.ts';
import { chatsOf, sinksOf } from './burst/objects.ts';
import { countRequests } from './burst/requests.ts';

const PLANS = `hibernateplans.${DEFAULT_API_GROUP}`;
/** The time between two checks for status writes that are due. */
const TICK_MS = 2;

/** devcluster does not export its store. It is taken at its first write. */
async function startWithStore(): Promise<{
  cluster: Awaited<ReturnType<typeof startDevCluster>>;
  store: Store;
}> {
  const prototype = Store.prototype as {
    put: (this: Store, ...change: Parameters<Store['put']>) => KubeObject;
  };
  const { put } = prototype;
  let store: Store | undefined;
  prototype.put = function (...change) {
    // oxlint-disable-next-line typescript/no-this-alias -- only the identity of the store is needed
    store = this;
    return put.apply(this, change);
  };
  try {
    const cluster = await startDevCluster();
    if (store === undefined) throw new Error('devcluster has written nothing at its start');
    return { cluster, store };
  } finally {
    prototype.put = put;
  }
}

async function fill(
  { scale, origin, boards = false }: Setting,
  url: string,
  store: Store,
): Promise<string[]> {
  for (const crd of crds(DEFAULT_API_GROUP, { withPlans: true })) {
    const answer = await fetch(`${url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(crd),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  const put = (resource: string, object: object): string => {
    const { namespace = '', name } = store.put(resource, object as KubeObject).metadata;
    return `${namespace}/${name}`;
  };
  for (let index = 0; index < scale.namespaces; index++) {
    const namespace = namespaceOf(index, scale);
    put('namespaces', {
      ...{ apiVersion: 'v1', kind: 'Namespace', status: { phase: 'Active' } },
      metadata: { name: namespace, uid: namespace, creationTimestamp: '2026-01-01T00:00:00Z' },
    });
    const sinks = boards ? chatsOf(namespace, origin, index) : sinksOf(namespace, origin, index === 0);
    for (const [resource, object] of sinks)
      put(resource === 'secrets' ? resource : `${resource}.${DEFAULT_API_GROUP}`, object);
  }
  return Array.from({ length: scale.plans }, (_, index) => put(PLANS, aPlan(index, scale)));
}

/** Writes the statuses of all plans, spread over the requested time. Resolves with the time of each write. */
async function play(
  { step, round, overMs }: Play,
  scale: Scale,
  keys: readonly string[],
  store: Store,
): Promise<Played> {
  const writtenAt: number[] = [];
  const begun = performance.now();
  while (writtenAt.length < keys.length) {
    const due = Math.min(keys.length, ((performance.now() - begun) / overMs) * keys.length);
    while (writtenAt.length < due) {
      const index = writtenAt.length;
      const plan = store.get(PLANS, keys[index] ?? '');
      if (plan === undefined) throw new Error(`no plan ${keys[index] ?? ''}`);
      const before = plan.status as unknown as OperatorStatus;
      const status = stepped(before, step, round, targetsOf(index, scale), Date.now());
      writtenAt.push(performance.timeOrigin + performance.now());
      store.put(PLANS, { ...plan, metadata: { ...plan.metadata }, status } as unknown as KubeObject);
    }
    await sleep(TICK_MS);
  }
  return { writtenAt };
}

const setting = JSON.parse(process.argv[2] ?? '') as Setting;
const { cluster, store } = await startWithStore();
const keys = await fill(setting, cluster.url, store);
const requests = countRequests();
let cpu = process.cpuUsage();
function report(): Report {
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  return { ...requests(), cpuMs: (user + system) / 1000 };
}
process.on('message', (asked: Asked) => {
  if (asked.kind === 'report') process.send?.(report());
  else void play(asked, setting.scale, keys, store).then((played) => process.send?.(played));
});
process.on('disconnect', () => process.exit());
process.send?.({ kubeconfig: cluster.kubeconfig(), keys } satisfies Started);
