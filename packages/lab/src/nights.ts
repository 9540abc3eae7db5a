import { begin, fail, recordFailure, retry, succeed } from '@hnotif/core/lifecycle';
import { API_VERSION, collection, NAMESPACE } from './objects.ts';
import type { Team } from './team.ts';

export { ALL } from './objects.ts';

/** The targets of these nights. The plan is created with `['db', 'vm']`. */
const targets = [
  { name: 'db', type: 'rds' },
  { name: 'vm', type: 'ec2' },
];

/** The first events of a night of one target `db`, and the last ones, in words. */
export const NIGHT = ['Start', 'PhaseChange Active Hibernating'];
export const END = ['ExecutionProgress db Completed', 'Success', 'PhaseChange Hibernating Hibernated'];

/** A night in which `vm` fails once and is retried, and the morning after it: 19 events. */
export async function nightOf(world: Team, plan: string): Promise<void> {
  await evening(world, plan);
  await world.write(plan, retry);
  await world.sees(plan, { target: 'vm', state: 'Completed' });
  await world.write(plan, succeed);
  await world.write(plan, (status, at) => begin(status, 'wakeup', 'c1', targets, at));
  await world.sees(plan, { target: 'db', state: 'Completed' }, { target: 'vm', state: 'Completed' });
  await world.write(plan, succeed);
}

/** A night up to its error: 7 events. With `behavior: { retries: 0 }` in the plan the seventh is a Failure, followed by a PhaseChange. */
export async function evening(world: Team, plan: string, message = 'no capacity'): Promise<void> {
  await world.write(plan, (status, at) => begin(status, 'shutdown', 'c1', targets, at));
  await world.sees(plan, { target: 'db', state: 'Running' });
  await world.sees(plan, { target: 'db', state: 'Completed' }, { target: 'vm', state: 'Running' });
  await world.sees(plan, { target: 'vm', state: 'Failed', message });
  await world.write(plan, recordFailure);
  await world.write(plan, (status, at) => fail(status, `target vm: ${message}`, at));
}

/** Sets the operator's clock: from now on each write is a second after the last one. The result returns the time of the nth. */
export function ticking(world: Pick<Team, 'now'>): (writes: number) => number {
  const begun = Math.floor(Date.now() / 1000) * 1000 - 60_000;
  let at = begun;
  world.now = () => (at += 1000);
  return (writes) => begun + writes * 1000;
}

/** The connector of the plans' targets. */
export const provider = (world: Pick<Team, 'kube'>): Promise<void> =>
  connector(world, 'CloudProvider', 'aws', {
    type: 'aws',
    aws: { accountId: '123456789012', region: 'eu-west-1' },
  });

/** A plan's targets `db`, in an account, and `vm`, in a cluster of another provider. Together they have every field. */
export async function places(world: Pick<Team, 'kube'>): Promise<{ readonly targets: readonly object[] }> {
  await provider(world);
  await connector(world, 'CloudProvider', 'google', {
    type: 'gcp',
    gcp: { projectId: 'project-of-all', region: 'us-east1' },
  });
  await connector(world, 'K8SCluster', 'blue', {
    providerRef: { name: 'google' },
    gke: { name: 'nights-blue', project: 'project-blue', location: 'europe-west3' },
  });
  return {
    targets: [
      { name: 'db', type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } },
      { name: 'vm', type: 'ec2', connectorRef: { kind: 'K8SCluster', name: 'blue' } },
    ],
  };
}

async function connector(
  world: Pick<Team, 'kube'>,
  kind: 'CloudProvider' | 'K8SCluster',
  name: string,
  spec: object,
): Promise<void> {
  const plural = `${kind.toLowerCase()}s`;
  await world.kube.post(collection(NAMESPACE, plural), {
    apiVersion: API_VERSION,
    kind,
    metadata: { name },
    spec,
  });
}
