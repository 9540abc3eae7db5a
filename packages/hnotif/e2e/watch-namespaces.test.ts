import { describe, expect, it } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import type { ControllerOptions } from '../src/controller/options.ts';
import { collection } from '../../lab/src/objects.ts';
import { startProxy, type ApiProxy } from './support/proxy.ts';
import { ACCOUNT, deployed, RBAC } from '../../lab/src/rights.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { contextOf, metricsOf, World } from './support/world.ts';

const [A, B, C] = ['team-a', 'team-b', 'team-c'];

/** What hnotif needs in a namespace: the first rule is for plans and connectors. */
const [role] = await deployed('kustomize/role/rights.yaml');
const [PLANS = {}, ...RULES] = (role as unknown as { rules: readonly object[] }).rules;
const LEASES = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['create', 'get', 'update'],
};

async function grant(world: World, namespace: string, name: string, rules: readonly object[]): Promise<void> {
  await world.kube.post(`${RBAC}/namespaces/${namespace}/roles`, { metadata: { name }, rules });
  const [, , account, of] = ACCOUNT.split(':');
  await world.kube.post(`${RBAC}/namespaces/${namespace}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', namespace: account, name: of }],
  });
}

/** A plan that a notification `n` matches, in each namespace. */
async function worldOf(...namespaces: readonly string[]): Promise<World> {
  const world = await World.start({ cluster: { auth: true } });
  for (const namespace of namespaces) {
    if (namespace !== A) await world.addNamespace(namespace);
    await world.secret('n', {}, namespace);
    await world.team(namespace).notification('n', { onEvents: ['Start'] });
    await world.team(namespace).plan('orders');
  }
  await grant(world, 'default', 'lease', [LEASES]);
  return world;
}

/** A controller with the account's rights alone, behind a proxy that notes what it asks for. */
async function watching(
  world: World,
  watchNamespaces: readonly string[],
  options: Partial<ControllerOptions> = {},
): Promise<{ controller: Controller; proxy: ApiProxy }> {
  const proxy = await startProxy(world.cluster.url);
  const token = world.cluster.users.token(ACCOUNT);
  const user = `user: ${JSON.stringify({ token })}`;
  const text = world.cluster.kubeconfig().replaceAll(world.cluster.url, proxy.url);
  const kubeconfig = await world.file('narrow', text.replace('user: {}', user));
  return { controller: await world.controller({ kubeconfig, watchNamespaces, ...options }), proxy };
}

const readyz = async ({ healthUrl }: Controller): Promise<[number, string]> => {
  const answer = await fetch(`${healthUrl}/readyz`);
  return [answer.status, await answer.text()];
};

const conditionOf = async (world: World, namespace: string): Promise<unknown> => {
  const object = await world.kube.until(
    collection(namespace, 'hibernatenotifications'),
    'n',
    ({ status }) => (status as { conditions?: unknown[] } | undefined)?.conditions !== undefined,
  );
  return (object.status as { conditions: unknown[] }).conditions[0];
};

describe('--watch-namespaces', () => {
  it('serves these namespaces with rights only in them, and requests nothing outside', async () => {
    const world = await worldOf(A, B, C);
    for (const namespace of [A, B]) await grant(world, namespace, 'hnotif', [PLANS, ...RULES]);
    const { controller, proxy } = await watching(world, [A, B]);
    await controller.synced;
    expect(await readyz(controller)).toEqual([
      200,
      expect.stringMatching(/\n\[\+\]notifications ok\n\[\+\]journals ok\n\[\+\]plans ok\n/),
    ]);
    for (const namespace of [A, B, C]) await world.team(namespace).begins('orders');
    const records = await world.received(2);
    expect(records.map((record) => contextOf(record).plan.namespace).sort()).toEqual([A, B]);
    for (const namespace of [A, B])
      expect(await conditionOf(world, namespace)).toMatchObject({ type: 'Ready', status: 'True' });
    await controller.stop();
    const others = proxy.rights.filter(({ namespace }) => ![A, B].includes(namespace));
    expect(others.every(({ resource, namespace }) => resource === 'leases' && namespace === 'default')).toBe(
      true,
    );
    expect(world.log.filter((line) => /forbidden/i.test(line))).toEqual([]);
    expect(world.receiver.records).toHaveLength(2);
  });

  it('serves the others while one is missing or may not be read, says so, and serves it later', async () => {
    const world = await worldOf(A);
    await grant(world, A, 'hnotif', [PLANS, ...RULES]);
    const { controller } = await watching(world, [A, B]);
    const line = await world.logged(/hibernatenotifications\S* may not be listed and watched in namespace/);
    expect(JSON.parse(line)).toMatchObject({
      namespace: B,
      msg: expect.stringMatching(
        /rights of our service account there, and whether the namespace exists$/,
      ) as string,
    });
    await world.logged(/"namespace":"team-a".*"msg":"serving"/);
    await world.team(A).begins('orders');
    expect(contextOf((await world.received(1))[0]!).plan.namespace).toBe(A);
    expect(await readyz(controller)).toEqual([
      200,
      expect.stringMatching(
        /\[\+\]notifications ok in 1 of 2 namespaces, not in team-b: .*cannot list.*\n\[\+\]journals ok in 1 of 2 namespaces, not in team-b: not listed yet\n/,
      ),
    ]);
    expect(await metricsOf(controller)).toMatch(/^hnotif_namespaces_unserved 1$/m);
    await world.addNamespace(B);
    await world.secret('n', {}, B);
    await world.team(B).notification('n', { onEvents: ['Start'] });
    await grant(world, B, 'hnotif', [PLANS, ...RULES]);
    await controller.synced;
    await world.team(B).plan('orders');
    await world.team(B).begins('orders');
    expect((await world.received(2)).map((record) => contextOf(record).plan.namespace)).toEqual([A, B]);
    expect((await readyz(controller))[1]).toMatch(/\n\[\+\]plans ok\n/);
    expect(await metricsOf(controller)).toMatch(/^hnotif_namespaces_unserved 0$/m);
  });

  it('is not ready while no namespace can be read, and reports it to the notifications of a namespace without plans', async () => {
    const world = await worldOf(A, B);
    await grant(world, B, 'hnotif', RULES);
    const clock = new TurnedClock();
    const { controller } = await watching(world, [A, B], { clock });
    await world.logged(/hibernateplans\S* may not be listed and watched in namespace team-b/);
    expect(await readyz(controller)).toEqual([
      503,
      expect.stringMatching(/\[-\]plans .*team-b: .*cannot list/),
    ]);
    await grant(world, A, 'hnotif', [PLANS, ...RULES]);
    await world.logged(/"namespace":"team-a".*"msg":"serving"/);
    const told = world.kube.until(collection(B, 'hibernatenotifications'), 'n', ({ status }) =>
      JSON.stringify(status ?? {}).includes('PlansNotFollowed'),
    );
    for (let check = 0; check < 2; check++) clock.turn(5_000);
    await told;
    expect(await conditionOf(world, A)).toMatchObject({ status: 'True' });
  });

  it('says which namespaces do not exist, if its rights allow to read them, and serves them later', async () => {
    const world = await World.start();
    const controller = await world.synced({ watchNamespaces: [A, 'nosuch'] });
    const line = await world.logged(/does not exist/);
    expect(JSON.parse(line)).toMatchObject({
      ...{ level: 'warn', namespace: 'nosuch' },
      msg: expect.stringContaining('correct --watch-namespaces') as string,
    });
    expect(await readyz(controller)).toEqual([
      200,
      expect.stringMatching(/\n\[\+\]namespaces nosuch did not exist at the start\n/),
    ]);
    await world.addNamespace('nosuch');
    await world.secret('n', {}, 'nosuch');
    await world.team('nosuch').notification('n', { onEvents: ['Start'] });
    await world.team('nosuch').plan('orders');
    await world.team('nosuch').begins('orders');
    expect(contextOf((await world.received(1))[0]!).plan.namespace).toBe('nosuch');
    expect((await readyz(controller))[1]).not.toContain('nosuch');
    expect(world.log.filter((each) => each.includes('does not exist'))).toHaveLength(1);
  });

  it('keeps the state of a namespace that it does not watch for a while', async () => {
    const world = await worldOf(A, B);
    for (const namespace of [A, B]) await grant(world, namespace, 'hnotif', [PLANS, ...RULES]);
    const first = await watching(world, [A, B]);
    await first.controller.synced;
    await first.controller.seen(B, 'orders', '0');
    await first.controller.stop();
    const { controller } = await watching(world, [A]);
    await controller.synced;
    await world.team(B).begins('orders');
    await controller.stop();
    const { controller: again } = await watching(world, [B, A]);
    await again.synced;
    const [record] = await world.received(1);
    expect(contextOf(record!).plan.namespace).toBe(B);
  });
});
