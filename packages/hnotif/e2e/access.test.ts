import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Certificate, DevClusterOptions } from '@hnotif/devcluster';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAccess, type AccessOptions } from '../src/cluster/access.ts';
import { KubeClient } from '../src/cluster/client.ts';
import { KubeError } from '../src/cluster/error.ts';
import { systemClock } from '@hnotif/core/clock';
import type { ControllerOptions } from '../src/controller/options.ts';
import { notificationsOf } from '@hnotif/core/resources';
import type { KubeObject } from '../../lab/src/kube.ts';
import { ACCOUNT, deployRights, RBAC } from '../../lab/src/rights.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { GROUP, inWords, NAMESPACE, World } from './support/world.ts';

const NIGHT = ['Start', 'ExecutionProgress db Completed', 'Success'];
/** Longer than a reflector pauses, and shorter than a request may take. */
const NEXT_TRY_MS = 29_500;

/** A world whose control plane asks who one is, over TLS. */
const guarded = (options: DevClusterOptions = {}): Promise<World> =>
  World.start({ cluster: { tls: true, auth: true, ...options } });

/** Gives a user the same rights. */
async function bindUser({ kube }: World, name: string): Promise<void> {
  const metadata = { name: 'others' };
  const subjects = [{ kind: 'User', name }];
  await kube.post(`${RBAC}/clusterrolebindings`, {
    ...{ metadata, subjects },
    roleRef: { kind: 'ClusterRole', name: 'hnotif' },
  });
  await kube.post(`${RBAC}/namespaces/hnotif/rolebindings`, {
    ...{ metadata, subjects },
    roleRef: { kind: 'Role', name: 'hnotif-lease' },
  });
}

/** A plan with a notification. */
async function subscribed(world: World): Promise<void> {
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start', 'ExecutionProgress', 'Success'] });
  await world.plan('orders');
}

/** The files of a pod, and how a controller finds them. */
interface Pod {
  readonly options: Partial<ControllerOptions> & Pick<AccessOptions, 'serviceAccountFolder'>;
  /** Replaces the token as the kubelet does: at once. */
  readonly rotate: (token: string) => Promise<void>;
}

async function pod(world: World, token: string): Promise<Pod> {
  const folder = dirname(await world.file('namespace', 'hnotif'));
  await world.file('ca.crt', world.cluster.ca ?? '');
  const rotate = async (next: string): Promise<void> => {
    await rename(await world.file('token.new', next), join(folder, 'token'));
  };
  await rotate(token);
  return {
    options: {
      kubeconfig: undefined,
      leaseNamespace: 'hnotif',
      env: { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(world.cluster.port) },
      serviceAccountFolder: folder,
    },
    rotate,
  };
}

const readyz = async (controller: { readonly healthUrl: string }): Promise<[number, string]> => {
  const answer = await fetch(`${controller.healthUrl}/readyz`);
  return [answer.status, await answer.text()];
};

const lines = (world: World, pattern: RegExp): string[] => world.log.filter((line) => pattern.test(line));

describe('within a pod', () => {
  it('the controller needs no more than the rights of deploy/, which the API server enforces', async () => {
    const world = await guarded();
    await deployRights(world);
    await world.secret('n', { enable_renderer: true });
    await world.templates('texts', { 'template.gotpl': '{{ .Event }}' });
    const sink = { name: 'n', templateRef: { name: 'texts' } };
    await world.notification('n', { onEvents: ['Start', 'PhaseChange'], sinks: [sink] });
    await world.plan('orders');
    world.receiver.faults.add({ fault: { kind: 'status', status: 400 } });
    const { options } = await pod(world, world.cluster.users.token(ACCOUNT));
    const controller = await world.synced(options);
    await world.hibernate('orders');
    await world.status('n', (status) => status.sinks?.[0]?.consecutiveFailures === 2);
    await controller.stop();
    const events = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
    expect((events.items as KubeObject[]).map(({ reason }) => reason)).toContain('DeliveryFailed');
    expect(lines(world, /forbidden|may not be/i)).toEqual([]);
    expect(world.cluster.stats().watchers).toBe(0);
  });

  it('if authorization is required, only authorized clients read metrics; health is open to all', async () => {
    const world = await guarded();
    await deployRights(world);
    const reader = 'system:serviceaccount:monitoring:prometheus';
    await world.kube.post(`${RBAC}/clusterrolebindings`, {
      metadata: { name: 'prometheus' },
      roleRef: { kind: 'ClusterRole', name: 'hnotif-metrics-reader' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'monitoring', name: 'prometheus' }],
    });
    const { users, faults } = world.cluster;
    const { options } = await pod(world, users.token(ACCOUNT));
    const { metricsUrl, healthUrl } = await world.synced({ ...options, metricsAuth: true });
    const ask = async (token?: string): Promise<number> => {
      const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
      return (await fetch(`${metricsUrl}/metrics`, { ...(headers && { headers }) })).status;
    };
    expect(await ask()).toBe(401);
    expect(await ask('canary-1')).toBe(401);
    expect(await ask(users.token('system:serviceaccount:team-a:default'))).toBe(403);
    expect(await ask(users.token(reader))).toBe(200);
    expect((await fetch(`${healthUrl}/healthz`)).status).toBe(200);
    faults.add({ resource: 'tokenreviews', effect: { kind: 'status', code: 500 }, times: 1 });
    expect(await ask(users.token(reader))).toBe(503);
    expect(await ask(users.token(reader))).toBe(200);
    expect(lines(world, /tokens for \/metrics cannot be reviewed/)).toHaveLength(1);
    expect(lines(world, /canary/)).toEqual([]);
  });

  it('a token that is replaced in time is used; nothing is lost, and nothing is logged', async () => {
    const world = await guarded();
    await deployRights(world);
    await subscribed(world);
    const { users, faults } = world.cluster;
    const old = users.token(ACCOUNT);
    const { options, rotate } = await pod(world, old);
    await world.synced(options);
    await world.hibernate('orders');
    await world.received(1);
    await rotate(users.token(ACCOUNT));
    users.revoke(old);
    faults.cutWatches('end');
    await world.succeeds('orders');
    expect((await world.received(3)).map(inWords)).toEqual(NIGHT);
    await world.status('n', (status) => status.sinks?.[0]?.lastSuccess !== undefined);
    expect(lines(world, /Unauthorized|cannot be followed/)).toEqual([]);
  });

  it('a token that is deleted before the next one exists is waited for, and nothing is lost', async () => {
    const world = await guarded();
    await deployRights(world);
    await subscribed(world);
    const clock = new TurnedClock();
    const { users, faults } = world.cluster;
    const old = users.token(ACCOUNT);
    const { options, rotate } = await pod(world, old);
    const controller = await world.synced({ ...options, clock });
    await world.hibernate('orders');
    await world.received(1);
    users.revoke(old);
    faults.cutWatches('end');
    await world.succeeds('orders');
    await world.logged(/hibernateplans.*cannot be followed/);
    const [code, text] = await readyz(controller);
    expect([code, text]).toEqual([503, expect.stringMatching(/\[-\]plans .*Unauthorized/)]);
    await rotate(users.token(ACCOUNT));
    clock.turn(NEXT_TRY_MS);
    expect((await world.received(3)).map(inWords)).toEqual(NIGHT);
    await world.logged(/hibernateplans.* is followed again/);
    expect(lines(world, /hibernateplans.*cannot be followed/)).toHaveLength(1);
    expect(world.log.join('')).not.toContain(old);
  });
});

/** A plugin that answers with what is in the file beside it, and does what else it is told there. */
const PLUGIN = `#!/bin/sh
cd "$(dirname "$0")"
echo run >> runs
. ./mode
cat answer
`;

interface Plugin {
  /** Path of a kubeconfig whose user it is. */
  readonly kubeconfig: string;
  /** What it answers from now on. */
  readonly answer: (status: object) => Promise<void>;
  /** What it does before it answers, as a line of shell. */
  readonly mode: (shell: string) => Promise<void>;
  readonly runs: () => Promise<number>;
}

async function plugin(world: World): Promise<Plugin> {
  const script = await world.file('plugin', PLUGIN, 0o700);
  const folder = dirname(script);
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: './plugin',
    interactiveMode: 'Never',
  };
  const text = world.cluster.kubeconfig().replace('user: {}', `user: ${JSON.stringify({ exec })}`);
  await writeFile(join(folder, 'mode'), '');
  return {
    kubeconfig: await world.file('with-plugin', text),
    answer: (status) =>
      writeFile(
        join(folder, 'answer'),
        JSON.stringify({ apiVersion: exec.apiVersion, kind: 'ExecCredential', status }),
      ),
    mode: (shell) => writeFile(join(folder, 'mode'), `${shell}\n`),
    runs: async () => (await readFile(join(folder, 'runs'), 'utf8')).split('\n').length - 1,
  };
}

const ENV = { PATH: process.env.PATH };

describe('with a credential plugin', () => {
  it('its token is used until it expires, and then a new one; nothing is lost', async () => {
    const clock = new TurnedClock();
    const world = await guarded({ now: () => clock.now() });
    await deployRights(world);
    await bindUser(world, 'by-plugin');
    await subscribed(world);
    const { users, faults } = world.cluster;
    const issue = (from = clock.now()): object => {
      const ends = from + 60_000;
      // A little longer, so that no 401 tells us what the plugin has said.
      const token = users.token('by-plugin', { expiresAt: ends + 30_000 });
      return { token, expirationTimestamp: new Date(ends).toISOString() };
    };
    const { kubeconfig, answer, runs } = await plugin(world);
    await answer(issue());
    await world.synced({ kubeconfig, clock, env: ENV });
    await world.hibernate('orders');
    await world.received(1);
    expect(await runs()).toBe(1);
    // Before the clock is turned, which wakes requests that ask for it.
    await answer(issue(clock.now() + 61_000));
    clock.turn(61_000);
    faults.cutWatches('reset');
    await world.succeeds('orders');
    expect((await world.received(3)).map(inWords)).toEqual(NIGHT);
    expect(await runs()).toBe(2);
    expect(lines(world, /Unauthorized/)).toEqual([]);
  });

  it.each([
    ['fails', 'echo log in first >&2; echo canary; exit 3', 'ended with code 3: log in first'],
    ['prints junk', 'echo canary', 'did not answer with JSON'],
    ['hangs', 'echo canary; sleep 1000', 'did not answer within 60 s'],
  ])('a plugin that %s is reported by name, without its output, and run again', async (_, shell, why) => {
    const clock = new TurnedClock();
    const world = await guarded({ now: () => clock.now() });
    await deployRights(world);
    await bindUser(world, 'by-plugin');
    await subscribed(world);
    const { kubeconfig, answer, mode, runs } = await plugin(world);
    await mode(shell);
    await answer({ token: world.cluster.users.token('by-plugin') });
    const controller = await world.controller({ kubeconfig, clock, env: ENV });
    await expect.poll(runs).toBeGreaterThan(0);
    if (why.includes('60 s')) clock.turn(60_000);
    await world.logged(new RegExp(`hibernatenotifications.*credential plugin ./plugin ${why}`));
    expect(await readyz(controller)).toEqual([
      503,
      expect.stringContaining('the credential plugin ./plugin'),
    ]);
    // Whoever reaches the port may ask: what a plugin says of itself is for the log.
    expect((await readyz(controller))[1]).not.toContain('log in first');
    expect(world.log.join('')).not.toContain('canary');
    await mode('');
    clock.turn(NEXT_TRY_MS);
    await controller.synced;
    await world.hibernate('orders');
    expect((await world.received(1)).map(inWords)).toEqual(['Start']);
  });
});

/** Files and a kubeconfig of a world, whose user has these fields. */
async function listAs(
  world: World,
  user: object,
  cluster: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const config = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: world.cluster.url, ...trust(world), ...cluster } }],
    users: [{ name: 'u', user }],
  };
  const kubeconfig = await world.file('as', JSON.stringify(config));
  const access = await loadAccess({ kubeconfig, env: ENV });
  const client = new KubeClient({ access, clock: systemClock });
  onTestFinished(() => client.close());
  return client.list(notificationsOf(GROUP), undefined, { limit: 1 }).then(
    () => 'listed',
    (error: unknown) => (error instanceof KubeError ? `${error.reason}: ${error.message}` : String(error)),
  );
}

/** A proxy that tunnels for those who name this user and password. */
async function startTunnel(
  password: string,
): Promise<{ readonly url: (as: string) => string; readonly asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, client, head) => {
    const known = request.headers['proxy-authorization'] === `Basic ${base64(password)}`;
    if (!known) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    asked.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const server = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      server.write(head);
      server.pipe(client).pipe(server);
    });
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
    client.on('close', () => server.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return { url: (as) => `http://${as}@127.0.0.1:${port}`, asked };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const trust = ({ cluster }: World): object => ({ 'certificate-authority-data': base64(cluster.ca ?? '') });
const data = ({ cert, key }: Certificate): object => ({
  'client-certificate-data': base64(cert),
  'client-key-data': base64(key),
});

describe('with a kubeconfig', () => {
  it('each credential authenticates its own user', async () => {
    const world = await guarded();
    const { users } = world.cluster;
    const certificate = (name: string): Certificate => users.certificate(name, { groups: ['some', 'more'] });
    const files = certificate('files');
    const inPlugin = certificate('plugin');
    await world.file('me.crt', files.cert);
    await world.file('me.key', files.key);
    await world.file('token-file', `${users.token('token-file')}\n`);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './certificates' };
    const status = { clientCertificateData: inPlugin.cert, clientKeyData: inPlugin.key };
    const answer = JSON.stringify({ apiVersion: exec.apiVersion, kind: 'ExecCredential', status });
    await world.file('certificates', `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`, 0o700);
    const ways: [name: string, user: object, cluster?: Record<string, unknown>][] = [
      ['token', { token: users.token('token') }],
      ['token-file', { token: 'not this one', tokenFile: 'token-file' }],
      ['data', data(certificate('data'))],
      ['files', { 'client-certificate': 'me.crt', 'client-key': 'me.key' }],
      ['plugin', { exec }],
      ['both', { ...data(certificate('both')), token: users.token('not this one') }],
      ['named', { token: users.token('named') }, { 'tls-server-name': 'kubernetes.default.svc' }],
      [
        'trusting',
        { token: users.token('trusting') },
        { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true },
      ],
    ];
    for (const [name, user, cluster] of ways)
      expect(await listAs(world, user, cluster)).toBe(
        `Forbidden: hibernatenotifications.hibernation.dev is forbidden: User "${name}" cannot list resource "hibernatenotifications" in API group "hibernation.dev" at the cluster scope`,
      );
  });

  it('requests go through the proxy of the kubeconfig, with all credentials', async () => {
    const world = await guarded();
    const proxy = await startTunnel('me:canary');
    const user = data(world.cluster.users.certificate('proxied'));
    const through = (address: string): Promise<string> => listAs(world, user, { 'proxy-url': address });
    expect(await through(proxy.url('me:canary'))).toMatch(/^Forbidden: .*User "proxied" cannot list/);
    expect(proxy.asked).toEqual([`127.0.0.1:${world.cluster.port}`]);
    const refused = await through(proxy.url('me:wrong-canary'));
    expect(refused).toMatch(
      /^Unreachable: GET .*: the proxy of proxy-url answered 407; it wants other credentials$/,
    );
    expect(refused).not.toContain('canary');
  });

  it('invalid credentials and untrusted servers are refused with a clear message', async () => {
    let time = Date.now();
    const world = await guarded({ now: () => time });
    const other = await guarded();
    const admin = { groups: ['system:masters'] };
    const token = world.cluster.users.token('admin', { ...admin, expiresAt: time + 1000 });
    expect(await listAs(world, { token })).toBe('listed');
    time += 1000;
    const said = [
      await listAs(world, { token }),
      await listAs(world, {}),
      await listAs(world, data(other.cluster.users.certificate('admin', admin))),
      await listAs(world, { token }, trust(other) as Record<string, unknown>),
      await listAs(world, { token }, { 'tls-server-name': 'elsewhere' }),
      await listAs(world, { token }, { 'certificate-authority-data': undefined }),
    ];
    expect(said).toEqual([
      ...Array<unknown>(3).fill(
        'Unauthorized: Unauthorized; the API server knows none of our credentials: have they expired, or are they of another cluster?',
      ),
      expect.stringMatching(
        /^Unreachable: GET .*: no connection to https:.*self-signed certificate.*; see certificate-authority and server of the kubeconfig$/,
      ),
      expect.stringMatching(/^Unreachable: .*elsewhere/),
      expect.stringMatching(/^Unreachable: .*certificate/),
    ]);
    expect(said.join()).not.toContain(token);
    const plain = { server: world.cluster.url.replace('https:', 'http:') };
    expect(await listAs(world, { token }, plain)).toMatch(
      /^Unreachable: GET .*: no connection to http:.*; should server begin with https:\/\/\?$/,
    );
  });
});
