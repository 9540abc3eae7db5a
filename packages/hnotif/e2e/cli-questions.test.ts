import { symlink } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { pending } from './support/journals.ts';
import { oneSinkDown } from './support/one-sink-down.ts';
import { asked, command, type Answer } from './support/command.ts';
import { BUNDLE, hnotif } from './support/process.ts';
import { applyRights, deployed, RBAC } from '../../lab/src/rights.ts';
import { NAMESPACE, World } from './support/world.ts';
import { temporary } from './support/temporary.ts';

const HERE = `--namespace=${NAMESPACE}`;

/** A plan in its night, a sink that has all of it, and one that is down. */
async function night(): Promise<World> {
  const { world, controller } = await oneSinkDown();
  await world.hibernate('orders');
  await world.status('ops', ({ sinks = [] }) =>
    sinks.every(({ lastSuccess, state }) => lastSuccess !== undefined || state === 'Parked'),
  );
  await controller.stop();
  await pending(world, 'orders', 1);
  return world;
}

describe('the commands that ask', () => {
  it('tell what became of each event, though no hnotif runs', async () => {
    const world = await night();
    const why = await asked(world, 'why', 'orders', HERE);
    expect(why.exit).toBe(1);
    expect(why.out[0]).toMatch(/^no instance is active: the Lease hnotif in namespace default was released/);
    expect(why.out.slice(1, 4)).toEqual([
      expect.stringMatching(
        /^waiting ops\/down: parked, 1 waits since .*, next try in \d+ min: .*\(ConnectionRefused\)$/,
      ),
      expect.stringMatching(/^note ops: PhaseChange of orders is not in onEvents \(Start, Success\): add it/),
      expect.stringMatching(/^note others: no plan matches; .*did you mean shops\?.*\(NotSelected\)$/),
    ]);
    const rows = why.out.slice(5).join('\n');
    expect(rows).toMatch(/^orders +\d+ +Start +ops\/good +delivered +\d\d:\d\d:\d\d$/m);
    expect(rows).toMatch(
      /^orders +\d+ +Start +ops\/down +waiting +\d\d:\d\d:\d\d +Parked, next try \S+Z \(ConnectionRefused\)/m,
    );

    const json = JSON.parse(
      (await asked(world, 'why', 'plan/orders', HERE, '-o', 'json')).out.join('\n'),
    ) as [{ deliveries: { state: string; eventId?: string }[]; leader: { state: string } }];
    expect(json[0].leader.state).toBe('inactive');
    const id = json[0].deliveries.find(({ state }) => state === 'waiting')?.eventId ?? '';
    const trace = await asked(world, 'trace', id, HERE);
    expect(trace.exit).toBe(0);
    expect(trace.out.join('\n')).toMatch(/^Event: +Start of plan team-a\/orders\nId: +[a-z2-7]{52}\n/);
    expect(trace.out.join('\n')).toMatch(
      /ops\/down +waiting +\S+Z +[a-z2-7]{12} +Parked, next try \S+Z \(ConnectionRefused\)/,
    );
    expect(trace.out.join('\n')).toMatch(/ops\/good +delivered +\S+Z +1 +[a-z2-7]{12}$/m);
    expect(trace.out.join('\n')).toMatch(/ops +SinkParked: /);

    const describe = (await asked(world, 'describe', 'ops', HERE)).out.join('\n');
    expect(describe).toMatch(/^Plans: +orders$/m);
    expect(describe).toMatch(/^down +webhook +down +Parked +1 +- +\d+s +\d+ +ConnectionRefused$/m);
    expect(describe).toMatch(/^SinkParked /m);

    const all = (await asked(world, 'why', '-A', '-o', 'yaml')).out.join('\n');
    expect(parse(all)).toMatchObject({ explanations: [{ namespace: NAMESPACE }] });
  });

  it('show one row for the deliveries that wait at a sink for the same reason, and each delivery as JSON', async () => {
    const { world, controller } = await oneSinkDown();
    for (const plan of ['bills', 'carts']) await world.plan(plan, ['db']);
    for (const plan of ['orders', 'bills', 'carts']) await world.hibernate(plan);
    await world.status('ops', ({ sinks = [] }) =>
      sinks.some(({ state, waiting }) => state === 'Parked' && waiting === 3),
    );
    await controller.stop();
    const { out } = await asked(world, 'why', HERE);
    expect(out.slice(out.findIndex((line) => line.startsWith('PLAN ')) + 1)).toEqual([
      expect.stringMatching(
        /^3 plans +Start and 2 more +ops\/down +waiting +\d\d:\d\d:\d\d +Parked, next try \S+Z \(ConnectionRefused\)$/,
      ),
    ]);
    const json = await asked(world, 'why', HERE, '-o', 'json');
    const [{ deliveries }] = JSON.parse(json.out.join('\n')) as [{ deliveries: { state: string }[] }];
    expect(deliveries.filter(({ state }) => state === 'waiting')).toHaveLength(3);
  });

  it('follow it with --watch until they are stopped', async () => {
    const world = await World.start();
    await world.notification('n', { onEvents: ['Start'] });
    const run = hnotif(['why', '--watch', HERE, `--kubeconfig=${await world.kubeconfig()}`]);
    await run.line(/no hnotif has written its status/);
    await world.synced();
    await run.line(/error n\/n: secret team-a\/n does not exist/);
    await world.cluster.goAway();
    await run.line(/^error: \S+ cannot be listed .*is the cluster up/);
    await world.cluster.comeBack();
    await world.notification('m', { onEvents: ['Start'] });
    await run.line(/error m(\/m)?: /);
    run.kill('SIGINT');
    expect(await run.exit).toBe(1);
    expect(run.stderr.filter((line) => !/^error: \S+ cannot be listed /.test(line))).toEqual([]);
  });

  it('list notifications, plans and journals in the formats of kubectl', async () => {
    const world = await night();
    const get = async (...args: readonly string[]): Promise<string> =>
      (await asked(world, 'get', ...args)).out.join('\n');
    expect(await get('-A')).toMatch(
      /^NAMESPACE +NAME +READY +MATCHED +WAITING +AGE +REASON\nteam-a +ops +True +1 +1 +\d+s +DeliveriesFailing\nteam-a +others +False +0 +0 +\d+s +SecretMissing$/,
    );
    expect(await get('plans', HERE)).toMatch(/^NAME +PHASE .*\norders +Hibernating +shutdown +0 /);
    expect(await get('journals', HERE)).toMatch(
      /^NAME +PLANS +WAITING +OLDEST +FOR\nhnotif-\S+ +1 +1 +\d+s +ops\/down/,
    );
    expect(await get('-o', 'name', HERE)).toBe(
      'hibernatenotifications.hibernation.dev/ops\nhibernatenotifications.hibernation.dev/others',
    );
    expect(await get('-o', 'wide', HERE)).toMatch(/DURABLE +OBSERVED .*MESSAGE\n/);
    const list = JSON.parse(await get('-o', 'json', HERE)) as { kind: string; items: object[] };
    expect(list.kind).toBe('List');
    expect(list.items).toHaveLength(2);
    expect(JSON.stringify(list)).not.toContain('managedFields');
    expect(parse(await get('notifications', 'ops', '-o', 'yaml', HERE))).toMatchObject({
      kind: 'HibernateNotification',
      metadata: { name: 'ops' },
    });
    expect(await asked(world, 'get', 'plans', '-n', 'nowhere')).toEqual({
      exit: 0,
      out: [],
      err: ['No hibernateplans found in namespace nowhere.'],
    });
    const none = await asked(world, 'get', 'plans', '-n', 'nowhere', '-o', 'json');
    expect(JSON.parse(none.out.join('\n'))).toEqual({ apiVersion: 'v1', kind: 'List', items: [] });
  });

  it('say what the user may not see, and tell the rest', async () => {
    const world = await World.start({ cluster: { tls: true, auth: true } });
    const { cluster, kube } = world;
    await applyRights(kube, (await deployed('tenant-roles.yaml')).slice(0, 1));
    await kube.post(`${RBAC}/namespaces/${NAMESPACE}/rolebindings`, {
      metadata: { name: 'tenant' },
      subjects: [{ kind: 'User', name: 'tenant' }],
      roleRef: { kind: 'ClusterRole', name: 'hnotif-view' },
    });
    await world.notification('n', { onEvents: ['Start'] });
    const token = cluster.users.token('tenant');
    const kubeconfig = await world.kubeconfigOf('tenant');
    const run = (...args: readonly string[]): Promise<Answer> =>
      command([...args, `--kubeconfig=${kubeconfig}`]);
    const why = await run('why');
    expect(why.out.join('\n')).toMatch(
      /it is not known whether an instance is active: you have no right to read Leases, which tell whether an instance is active/,
    );
    expect(why.out.join('\n')).toContain(
      'error n: no hnotif has written its status: install or start hnotif',
    );
    expect(why.out.join('\n')).toContain(
      `not shown: hibernateplans cannot be listed in namespace ${NAMESPACE}: you have no right to do that; ask for the right to read hibernateplans`,
    );
    expect(await run('why', 'orders')).toEqual({
      exit: 3,
      out: [],
      err: [
        expect.stringMatching(/^error: there is no notification orders, and hibernateplans cannot be listed/),
      ],
    });
    // Only Leases of this name are listed: a cluster has one for each node, too.
    await kube.post(`${RBAC}/clusterroles`, {
      metadata: { name: 'leases' },
      rules: [
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          resourceNames: ['hnotif'],
          verbs: ['list'],
        },
      ],
    });
    await kube.post(`${RBAC}/clusterrolebindings`, {
      metadata: { name: 'leases' },
      subjects: [{ kind: 'User', name: 'tenant' }],
      roleRef: { kind: 'ClusterRole', name: 'leases' },
    });
    expect((await run('why')).out.join('\n')).not.toContain('no right to read Leases');
    const doctor = (await run('doctor')).out;
    expect(doctor).not.toContain('ok      n: configurations, templates and messages are valid');
    expect(doctor).toContain(
      `skipped n: HibernateNotification ${NAMESPACE}/n: secret n could not be read, so it was not checked`,
    );
    expect(await run('why', '-A')).toEqual({
      exit: 3,
      out: [],
      err: [
        'error: hibernatenotifications cannot be listed: you have no right to do that; ask for the role hnotif-view',
      ],
    });
    expect((await run('get', 'journals')).exit).toBe(3);
    expect(await run('mute', 'n')).toEqual({
      exit: 3,
      out: [],
      err: [
        `error: hibernatenotifications n cannot be changed in namespace ${NAMESPACE}: you have no right to do that; ask for the role hnotif-edit`,
      ],
    });
    expect(JSON.stringify(why)).not.toContain(token);
  });

  it('print nothing that moves the cursor, whatever a tenant or a receiver has written', async () => {
    const world = await World.start();
    await world.notification('n', { onEvents: ['Start'] });
    const message = 'bad\u001b[2J\u001b]0;title\u0007\r\nerror everything: is lost';
    const condition = {
      ...{ type: 'Ready', status: 'False', reason: 'Forged', message, observedGeneration: 1 },
      lastTransitionTime: '2026-01-05T20:00:00Z',
    };
    await world.kube.patch(`${world.notificationPath('n')}/status`, {
      status: { conditions: [condition], observedGeneration: 1 },
    });
    await world.kube.post('/apis/coordination.k8s.io/v1/namespaces/default/leases', {
      metadata: { name: 'hnotif' },
      spec: { holderIdentity: 'pod\u001b[2J', renewTime: '2026-01-05T20:00:00.000000Z' },
    });
    for (const args of [['why'], ['describe', 'n'], ['get', '-o', 'wide']]) {
      const { out } = await asked(world, ...args, HERE);
      expect(out.join('\n')).toContain('Forged');
      expect(out.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      expect(out.filter((line) => line.startsWith('error everything'))).toEqual([]);
    }
  });
});

describe('a question that cannot be answered', () => {
  it.each([
    [
      ['why', '--kubeconfig=/nonexistent/config'],
      3,
      /^error: the kubeconfig \/nonexistent\/config does not exist/,
    ],
    [['why', '-o', 'xml'], 2, /'xml' is invalid\. Allowed choices are table, wide, json, yaml/],
    [['why', 'secret/x'], 2, /^error: give a name, plan\/NAME or notification\/NAME$/],
    [['get', 'secrets'], 2, /secrets is not a kind: give notifications, plans or journals/],
    [['get', '-A', '-n', 'x'], 2, /cannot be used with option '-n, --namespace <name>'/],
    [['why', '-n', 'A'], 2, /--namespace/],
    [['completion', 'powershell'], 2, /Allowed choices are bash, zsh, fish/],
    [['trace'], 2, /missing required argument 'plan\|id'; see hnotif trace --help$/],
    [['why', '--foo'], 2, /unknown option '--foo'; see hnotif why --help$/],
    [['why', 'a', 'b'], 2, /too many arguments .*; see hnotif why --help$/],
    [['get', 'x/y'], 2, /x\/y is not a kind/],
    [
      ['mute', 'n', '--tell-after', '--no-tell-after'],
      2,
      /option '--tell-after' cannot be used with option '--no-tell-after'/,
    ],
  ] as const)('%j: one line, exit %i', async (args, exit, message) => {
    expect(await command(args)).toEqual({ exit, out: [], err: [expect.stringMatching(message)] });
  });

  it.each([
    [
      ['why', 'nosuch'],
      /^error: there is no plan or notification nosuch in namespace team-a; hnotif get -A lists/,
    ],
    [['trace', 'nosuch'], /^error: there is no plan nosuch in namespace team-a; hnotif get plans -A lists/],
    [
      ['trace', 'nosuchnosuch'],
      /^error: there is no plan nosuchnosuch in namespace team-a, and no journal there knows an event or a message/,
    ],
    [
      ['describe', 'nosuch'],
      /^error: there is no notification nosuch in namespace team-a; hnotif get -A lists the notifications of all namespaces, which -n chooses$/,
    ],
    [
      ['get', 'notification', 'nosuch'],
      /^error: there is no notification nosuch in namespace team-a; hnotif get -A lists the notifications of all namespaces, which -n chooses$/,
    ],
    [
      ['get', 'plans', 'nosuch'],
      /^error: there is no plan nosuch in namespace team-a; hnotif get plans -A lists/,
    ],
  ] as const)('%j of an empty namespace: one line, exit 1', async (args, message) => {
    const world = await World.start();
    expect(await asked(world, ...args, HERE)).toEqual({
      exit: 1,
      out: [],
      err: [expect.stringMatching(message)],
    });
  });

  it('a cluster that is away, or without our definitions, is reported with the remedy', async () => {
    const world = await World.start({ crds: false });
    expect(await asked(world, 'why', HERE)).toEqual({
      exit: 3,
      out: [],
      err: [
        expect.stringMatching(/does not serve hibernatenotifications.*hnotif crds \| kubectl apply -f -/),
      ],
    });
    const page = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await once(page, 'listening');
    onTestFinished(() => void page.close());
    const { port } = page.address() as AddressInfo;
    const other = await command([
      'get',
      `--kubeconfig=${await world.kubeconfig(`http://127.0.0.1:${port}`)}`,
    ]);
    expect(other).toMatchObject({
      exit: 3,
      err: [expect.stringMatching(/not JSON.*; is this the address of an API server\? --kubeconfig and/)],
    });
    const away = await command(['get', `--kubeconfig=${await world.kubeconfig('http://127.0.0.1:1')}`]);
    expect(away.exit).toBe(3);
    expect(away.err).toEqual([
      expect.stringMatching(/^error: .*(ECONNREFUSED|refused).*--kubeconfig and --context choose another$/),
    ]);
  });
});

it('what several sinks lack is reported once, each at its sink', async () => {
  const world = await World.start();
  await world.notification('ops', { onEvents: ['Start'], sinks: ['one', 'two'] });
  await world.synced();
  await world.status(
    'ops',
    ({ conditions }) => conditions?.some(({ status }) => status === 'False') === true,
  );
  const { exit, out } = await asked(world, 'why', 'notification/ops', HERE);
  expect(exit).toBe(1);
  expect(out.filter((line) => line.includes('secret team-a/one does not exist'))).toHaveLength(1);
  expect(out).toContainEqual(
    expect.stringMatching(/^error ops\/two: secret team-a\/two .*\(SecretMissing\)$/),
  );
});

it('kinds and names may be written as for kubectl, and a misspelt one gets a suggestion', async () => {
  const world = await World.start();
  await world.secret('good');
  await world.notification('night-ops', { onEvents: ['Start'], sinks: ['good'] });
  await world.plan('orders');
  expect((await asked(world, 'get', 'plan', 'orders', HERE, '-o', 'name')).out).toEqual([
    'hibernateplans.hibernation.dev/orders',
  ]);
  expect(await asked(world, 'get', 'night-ops', HERE)).toMatchObject({
    ...{ exit: 2, out: [] },
    err: [expect.stringMatching(/^error: night-ops is not a kind: .*: hnotif get notifications night-ops$/)],
  });
  expect((await asked(world, 'describe', 'hnotif/night-ops', HERE)).exit).toBe(0);
  expect((await asked(world, 'trace', 'plan/orders', HERE)).exit).toBe(0);
  expect(await asked(world, 'mute', 'plan/orders', HERE)).toMatchObject({
    ...{ exit: 2, err: ['error: plan/orders is no notification: give the name of one'] },
  });
  expect((await asked(world, 'why', 'night-opps', HERE)).err).toEqual([
    'error: there is no plan or notification night-opps in namespace team-a; did you mean night-ops?',
  ]);
  expect((await asked(world, 'get', 'notification', 'night-opps', HERE)).err).toEqual([
    'error: there is no notification night-opps in namespace team-a; did you mean night-ops?',
  ]);
});

it('a namespace without notifications is told, and one that does not exist', async () => {
  const world = await World.start();
  expect((await asked(world, 'why', HERE)).out.join('\n')).toContain(
    'there are no notifications; hnotif get -A lists',
  );
  for (const args of [['why'], ['why', 'nosuch'], ['why', '-o', 'json']])
    expect(await asked(world, ...args, '--namespace=nosuch')).toEqual({
      ...{ exit: 1, out: [] },
      err: [
        'error: there is no namespace nosuch; hnotif get -A lists the notifications of all namespaces, which -n chooses',
      ],
    });
});

it('nothing is called well while no instance is active, and get says so once', async () => {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  await world.plan('orders');
  const controller = await world.synced();
  await world.status('n', ({ conditions }) => conditions?.some(({ status }) => status === 'True') === true);
  expect((await asked(world, 'why', HERE)).out).toContain('nothing is wrong with the notifications');
  expect((await asked(world, 'get', HERE)).err).toEqual([]);
  await controller.stop();
  const why = await asked(world, 'why', HERE);
  expect(why).toMatchObject({ exit: 1, out: [expect.stringMatching(/^no instance is active: /)] });
  expect((await asked(world, 'get', HERE)).err).toEqual([
    expect.stringMatching(/^no instance is active: .*log$/),
  ]);
  expect((await asked(world, 'get', HERE, '-o', 'json')).err).toEqual([]);
});

it('get shows that deliveries are not stored in journals', async () => {
  const world = await World.start();
  for (const name of ['fine', 'lost', 'worse']) {
    await world.notification(name, { onEvents: ['Start'] });
    const of = (type: string, status: string, reason: string) => ({
      ...{ type, status, reason, message: reason, observedGeneration: 1 },
      lastTransitionTime: '2026-01-05T20:00:00Z',
    });
    const ready =
      name === 'worse' ? of('Ready', 'False', 'SecretMissing') : of('Ready', 'True', 'SinksReady');
    const durable =
      name === 'fine' ? of('Durable', 'True', 'Journalled') : of('Durable', 'False', 'Forbidden');
    await world.kube.patch(`${world.notificationPath(name)}/status`, {
      status: { conditions: [ready, durable], observedGeneration: 1 },
    });
  }
  const { out } = await asked(world, 'get', HERE);
  expect(out.map((line) => line.split(/ {3,}/).at(-1))).toEqual([
    'REASON',
    'SinksReady',
    'NotDurable (Forbidden)',
    'SecretMissing, NotDurable (Forbidden)',
  ]);
});

it('the binary is a plugin of kubectl under the name kubectl-hnotif', async () => {
  const folder = await temporary();
  await symlink(BUNDLE, join(folder, 'kubectl-hnotif'));
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'kubectl-hnotif'), '--help']);
  expect(stdout).toContain('Usage: kubectl hnotif [options] [command]');
});

it('help shows the help of a command, as --help does', async () => {
  expect(await command(['help', 'why'])).toEqual(await command(['why', '--help']));
  expect(await command(['help'])).toEqual(await command(['--help']));
  expect(await command(['help', 'wyh'])).toMatchObject({
    ...{ exit: 2, out: [] },
    err: [expect.stringMatching(/unknown command 'wyh'/), expect.stringMatching(/Did you mean why/)],
  });
});

it('completion knows every command', async () => {
  const { out: help } = await command(['--help']);
  const names = help.flatMap((line) => /^ {2}([a-z]+) {2,}/.exec(line)?.[1] ?? []);
  expect(names).toEqual(expect.arrayContaining(['why', 'get', 'run', 'completion']));
  const { exit, out } = await command(['completion', 'fish']);
  expect(exit).toBe(0);
  for (const name of names) expect(out.join('\n')).toContain(`-a ${name} `);
});
