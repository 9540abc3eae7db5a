/**
 * The embedded control plane in a process of its own. With a scale it is also the operator: it puts objects and statuses directly into the
 * store. So its processor time is the cost that hnotif causes for the API server (plus the watch events of the plans). Requests would take
 * minutes, and would not keep managedFields. See `forked-plane.ts`.
 */
import { startDevCluster } from '@hnotif/devcluster';
import type { KubeObject } from '../../devcluster/src/object.ts';
import { Store } from '../../devcluster/src/store.ts';
import type { OperatorStatus } from '@hnotif/core/lifecycle';
import { DEFAULT_API_GROUP } from '@hnotif/core/resources';
import { ACCOUNT } from './rights.ts';
import { stepped, type Step } from './scale/night.ts';
import { namespaceOf, type Scale } from './scale/objects.ts';
import { aPlan, targetsOf } from './scale/plan.ts';
import { countRequests, type Requests } from './scale/requests.ts';
import { sinkObjects, type ScaleSink } from './scale/sinks.ts';
import { pause } from './wait.ts';

export interface Setting {
  /** TLS and authorization. Default: everyone may do everything. */
  readonly secured?: boolean;
  readonly scale?: Scale;
  readonly sinks?: readonly ScaleSink[];
}

/** The first message to the parent. */
export interface Facts {
  readonly url: string;
  readonly ca: string | undefined;
  /** Of the controller; in a secured plane, with the rights of its service account. */
  readonly kubeconfig: string;
  /** By user. */
  readonly tokens: Readonly<Record<'admin' | 'attacker', string>>;
}

/** One write of each plan, spread evenly over this time (milliseconds). */
export interface Play {
  readonly kind: 'play';
  readonly step: Step;
  readonly round: number;
  readonly overMs: number;
}

export type Asked = Play | { readonly kind: 'fill' | 'report' | 'clear' };

/** When the status of each plan was written, in the order of the plans (milliseconds since the epoch). */
export interface Played {
  readonly writtenAt: readonly number[];
}

/** The plans as `namespace/name`, in the order in which they are written. */
export interface Filled {
  readonly keys: readonly string[];
}

/** Since the last `clear`. */
export interface Report extends Requests {
  /** Processor time, milliseconds. */
  readonly cpuMs: number;
}

const PLANS = `hibernateplans.${DEFAULT_API_GROUP}`;
/** The time between two checks for status writes that are due. */
const TICK_MS = 2;

const NO_PLANS: Scale = { plans: 0, namespaces: 0, cycles: 0, targets: 0 };
const setting = JSON.parse(process.argv[2] ?? '') as Setting;
const { secured = false, scale = NO_PLANS, sinks = [] } = setting;
const store = new Store();
const cluster = await startDevCluster({ tls: secured, auth: secured }, store);
let keys: readonly string[] = [];

/** Puts all objects into the store. The CRDs are there already. */
function fill(): Filled {
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
    for (const [resource, object] of sinkObjects(sinks, namespace, index))
      put(resource.startsWith('hibernate') ? `${resource}.${DEFAULT_API_GROUP}` : resource, object);
  }
  keys = Array.from({ length: scale.plans }, (_, index) => put(PLANS, aPlan(index, scale)));
  return { keys };
}

/** Writes the statuses of all plans, spread over the requested time. */
async function play({ step, round, overMs }: Play): Promise<Played> {
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
    await pause(TICK_MS);
  }
  return { writtenAt };
}

const requests = countRequests();
let cpu = process.cpuUsage();
function report(): Report {
  const { user, system } = process.cpuUsage(cpu);
  return { ...requests.since(), cpuMs: (user + system) / 1000 };
}
function clear(): Report {
  requests.clear();
  cpu = process.cpuUsage();
  return report();
}

const { users, url, ca } = cluster;
const facts: Facts = {
  ...{ url, ca },
  kubeconfig: secured ? cluster.kubeconfig({ token: users.token(ACCOUNT) }) : cluster.kubeconfig(),
  tokens: {
    admin: users.token('admin', { groups: ['system:masters'] }),
    attacker: users.token('attacker'),
  },
};
const ANSWERS = { play, fill, report, clear };
process.on('message', (asked: Asked) => {
  void Promise.resolve(ANSWERS[asked.kind](asked as Play)).then((answered) => process.send?.(answered));
});
process.on('disconnect', () => process.exit());
process.send?.(facts);
