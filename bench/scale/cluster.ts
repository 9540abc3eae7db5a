import { startDevCluster } from '@hnotif/devcluster';
import type { KubeObject } from '../../packages/devcluster/src/object.ts';
import { Store } from '../../packages/devcluster/src/store.ts';
import { crds } from '../../packages/hnotif/src/resources/crds/crds.ts';
import { DEFAULT_API_GROUP } from '../../packages/hnotif/src/resources/group.ts';
import { aNotification, aSecret } from './notification.ts';
import { namespaceOf, type Scale } from './objects.ts';
import { aPlan } from './plan.ts';

/** A control plane that holds plans, notifications and their secrets. */
interface FilledCluster {
  readonly url: string;
  readonly kubeconfig: string;
  /** Bytes of a plan's JSON, on average. */
  readonly planBytes: number;
  /** Milliseconds that a bare client takes to list and parse the plans, page by page. */
  listMs(): Promise<number>;
  /** How many notifications have a status, and how many of these say that they are ready. */
  statuses(): { readonly written: number; readonly ready: number };
  close(): Promise<void>;
}

const PLANS = `hibernateplans.${DEFAULT_API_GROUP}`;
const NOTIFICATIONS = `hibernatenotifications.${DEFAULT_API_GROUP}`;
const CUSTOM = `/apis/${DEFAULT_API_GROUP}/v1alpha1/namespaces`;

/**
 * Starts devcluster and puts the objects into its store, below its HTTP: by requests they would take minutes, and would lose
 * their managedFields, which are a good part of what a real API server sends.
 */
export async function filledCluster(scale: Scale): Promise<FilledCluster> {
  const { cluster, store } = await startWithStore();
  const post = async (path: string, object: object): Promise<void> => {
    const answer = await fetch(cluster.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    });
    if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`);
  };
  for (const crd of crds(DEFAULT_API_GROUP, { withPlans: true }))
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  for (let index = 0; index < scale.namespaces; index++)
    await post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespaceOf(index, scale) },
    });
  // What the store is filled with must be what the API server would take.
  const first = namespaceOf(0, scale);
  const dry = '?dryRun=All&fieldValidation=Strict';
  await post(`${CUSTOM}/${first}/hibernateplans${dry}`, aPlan(0, scale));
  // Ten forms of selectors.
  for (let index = 0; index < 10; index++)
    await post(
      `${CUSTOM}/${namespaceOf(index, scale)}/hibernatenotifications${dry}`,
      aNotification(index, scale),
    );

  let bytes = 0;
  const put = (resource: string, object: object): void => {
    store.put(resource, object as KubeObject);
  };
  for (let index = 0; index < scale.plans; index++) {
    const plan = aPlan(index, scale);
    bytes += JSON.stringify(plan).length;
    put(PLANS, plan);
  }
  for (let index = 0; index < scale.notifications; index++) {
    put('secrets', aSecret(index, scale));
    put(NOTIFICATIONS, aNotification(index, scale));
  }
  return {
    url: cluster.url,
    kubeconfig: cluster.kubeconfig(),
    planBytes: bytes / Math.max(1, scale.plans),
    listMs: () => listAll(`${cluster.url}/apis/${DEFAULT_API_GROUP}/v1alpha1/hibernateplans`),
    statuses() {
      const written = [...store.each(NOTIFICATIONS)].filter(({ status }) => status !== undefined);
      return { written: written.length, ready: written.filter(isReady).length };
    },
    close: () => cluster.close(),
  };
}

async function listAll(url: string): Promise<number> {
  const begun = performance.now();
  for (let token: string | undefined = ''; token !== undefined;) {
    const answer = await fetch(`${url}?limit=500&continue=${token}`);
    const page = (await answer.json()) as { metadata: { continue?: string } };
    token = page.metadata.continue;
  }
  return performance.now() - begun;
}

/** The store is nothing that devcluster shows: it is taken at its first write. */
export async function startWithStore(): Promise<{
  cluster: Awaited<ReturnType<typeof startDevCluster>>;
  store: Store;
}> {
  const prototype = Store.prototype as {
    put: (this: Store, ...change: Parameters<Store['put']>) => KubeObject;
  };
  const { put } = prototype;
  let store: Store | undefined;
  prototype.put = function (...change) {
    // oxlint-disable-next-line typescript/no-this-alias -- which store it is, is all that is asked
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

const isReady = ({ status }: KubeObject): boolean => {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
};
