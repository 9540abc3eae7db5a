import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, describe, expect, it } from 'vitest';

import type { UserCredentials } from '../src/index.ts';
import type { Json } from '../src/json.ts';
import { dig, textAt } from '../src/json.ts';
import type { Client } from './support.ts';
import { start, startWithWidgets, widget, WIDGETS } from './support.ts';

/** `patch --subresource` came with 1.24. */
const NEEDED_MINOR = 24;

/** Why these tests cannot run here; `''` if they can. */
function missing(): string {
  try {
    const text = execFileSync('kubectl', ['version', '--client', '-o', 'json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const minor = Number.parseInt(textAt(JSON.parse(text.toString()) as Json, 'clientVersion', 'minor'), 10);
    return minor >= NEEDED_MINOR ? '' : `kubectl 1.${minor} is older than 1.${NEEDED_MINOR}`;
  } catch {
    return 'kubectl is not installed';
  }
}

const reason = missing();

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Kubectl extends Client {
  readonly home: string;
  readonly run: (...args: string[]) => Promise<Ran>;
  readonly apply: (object: object, ...flags: string[]) => Promise<Ran>;
  readonly spawn: (...args: string[]) => ChildProcessWithoutNullStreams;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** kubectl with its own cluster and its own home. */
async function kubectl(environment: Record<string, string> = {}): Promise<Kubectl> {
  // The options of `hnotif dev`.
  const client = await startWithWidgets({ loopbackOnly: true });
  return kubectlOf(client, client.cluster.kubeconfig(), environment);
}

function kubectlOf(client: Client, kubeconfig: string, environment: Record<string, string> = {}): Kubectl {
  const home = mkdtempSync(join(tmpdir(), 'devcluster-'));
  cleanups.push(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const config = join(home, 'config');
  writeFileSync(config, kubeconfig);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    KUBECONFIG: config,
    KUBECACHEDIR: join(home, 'cache'),
    ...environment,
  };
  const run = (...args: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      execFile('kubectl', args, { env }, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      });
    });
  return {
    ...client,
    home,
    run,
    apply: async (object, ...flags) => {
      const file = join(home, 'object.json');
      writeFileSync(file, JSON.stringify(object));
      return run('apply', '-f', file, ...flags);
    },
    spawn: (...args) => {
      const child = spawn('kubectl', args, { env });
      cleanups.push(() => {
        child.kill('SIGKILL');
      });
      return child;
    },
  };
}

const columns = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s{2,}/));

describe.skipIf(reason !== '')(`kubectl${reason && ` (skipped: ${reason})`}`, () => {
  it('applies, and applies again without a change', async () => {
    const { apply, get } = await kubectl();
    expect((await apply(widget('w', { size: 2 }))).out).toBe('widget.example.dev/w created\n');
    expect((await apply(widget('w', { size: 2 }))).out).toBe('widget.example.dev/w unchanged\n');
    expect((await apply(widget('w', { size: 3 }))).out).toBe('widget.example.dev/w configured\n');
    expect((await get(`${WIDGETS}/w`)).body).toMatchObject({ spec: { size: 3, colour: 'red' } });
  });

  it('is refused an invalid resource with the fields named', async () => {
    const { apply } = await kubectl();
    const { code, err } = await apply(widget('w', { colour: 'green' }));
    expect(code).toBe(1);
    expect(err).toContain('spec.size: Required value');
    expect(err).toContain('spec.colour: Unsupported value: "green": supported values: "red", "blue"');
    expect((await apply(widget('w', { size: 1, odd: 1 }))).err).toContain('unknown field "spec.odd"');
  });

  it('gets the printer columns, by short name, wide and over all namespaces', async () => {
    const { run, apply } = await kubectl();
    await apply(widget('w', { size: 2 }));
    expect(columns((await run('get', 'wi')).out)).toEqual([
      ['NAME', 'SIZE', 'SINCE'],
      ['w', '2'],
    ]);
    expect(columns((await run('get', 'widgets.example.dev', '-A', '-o', 'wide')).out)).toEqual([
      ['NAMESPACE', 'NAME', 'SIZE', 'SINCE', 'COLOUR'],
      ['default', 'w', '2', 'red'],
    ]);
    expect((await run('get', 'wi', '-l', 'a=b')).err).toContain('No resources found');
    expect((await run('get', 'wi', 'w', '-o', 'jsonpath={.spec.size}')).out).toBe('2');
    expect((await run('get', 'wi', 'x')).err).toBe(
      'Error from server (NotFound): widgets.example.dev "x" not found\n',
    );
  });

  it('watches', async () => {
    const { spawn: start, post, merge } = await kubectl();
    await post(WIDGETS, widget('w', { size: 2 }));
    const lines = createInterface(start('get', 'wi', '-w', '--output-watch-events').stdout)[
      Symbol.asyncIterator
    ]();
    const next = async (): Promise<string[]> => String((await lines.next()).value).split(/\s{2,}/);
    expect((await next())[0]).toBe('EVENT');
    expect((await next()).slice(0, 3)).toEqual(['ADDED', 'w', '2']);
    await merge(`${WIDGETS}/w`, { spec: { size: 3 } });
    expect((await next()).slice(0, 3)).toEqual(['MODIFIED', 'w', '3']);
  });

  it('describes with Events', async () => {
    const { run, post } = await kubectl();
    const { body } = await post(WIDGETS, widget('w'));
    await post('/api/v1/namespaces/default/events', {
      metadata: { name: 'w.1' },
      involvedObject: {
        apiVersion: 'example.dev/v1',
        kind: 'Widget',
        name: 'w',
        namespace: 'default',
        uid: dig(body, 'metadata', 'uid'),
      },
      type: 'Warning',
      reason: 'Wobbling',
      message: 'it wobbles',
      source: { component: 'tester' },
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 3,
    });
    const { out } = await run('describe', 'wi', 'w');
    expect(out).toMatch(/Size:\s+1/);
    expect(out).toMatch(/Warning\s+Wobbling\s+.*tester\s+it wobbles/);
    expect((await run('get', 'events')).out).toMatch(/Warning\s+Wobbling\s+widget\/w\s+it wobbles/);
    expect((await run('events')).out).toContain('Wobbling');
  });

  it('edits', async () => {
    const { run, post, get } = await kubectl({ KUBE_EDITOR: 'sed -i s/red/blue/' });
    await post(WIDGETS, widget('w'));
    expect((await run('edit', 'wi', 'w')).out).toContain('edited');
    expect((await get(`${WIDGETS}/w`)).body).toMatchObject({ spec: { colour: 'blue' } });
  });

  it('patches the status alone', async () => {
    const { run, post, get } = await kubectl();
    await post(WIDGETS, widget('w'));
    const patch = '{"status":{"ready":true},"spec":{"size":9}}';
    const { code } = await run('patch', 'wi', 'w', '--subresource=status', '--type=merge', '-p', patch);
    expect(code).toBe(0);
    expect((await get(`${WIDGETS}/w`)).body).toMatchObject({ spec: { size: 1 }, status: { ready: true } });
  });

  it('labels, annotates, replaces, deletes and waits', async () => {
    const { run, post } = await kubectl();
    await post(WIDGETS, widget('w'));
    expect((await run('label', 'wi', 'w', 'a=b')).code).toBe(0);
    expect((await run('annotate', 'wi', 'w', 'c=d')).code).toBe(0);
    expect(columns((await run('get', 'wi', '-L', 'a')).out)[1]?.at(-1)).toBe('b');
    const waited = await run(
      'wait',
      '--for=condition=Established',
      'crd/widgets.example.dev',
      '--timeout=20s',
    );
    expect(waited.out).toContain('condition met');
    expect((await run('delete', 'wi', 'w')).out).toBe('widget.example.dev "w" deleted\n');
    expect((await run('delete', 'wi', 'w')).code).toBe(1);
  });

  it('creates secrets, config maps and namespaces, and deletes a namespace with what it holds', async () => {
    const { run } = await kubectl();
    expect((await run('create', 'namespace', 'team')).out).toBe('namespace/team created\n');
    const secret = ['create', 'secret', 'generic', 's', '-n', 'team', '--from-literal=url=https://x'];
    expect((await run(...secret)).out).toBe('secret/s created\n');
    expect((await run(...secret)).err).toContain('secrets "s" already exists');
    expect((await run('create', 'configmap', 'c', '-n', 'team', '--from-literal=a=b')).code).toBe(0);
    const decoded = await run('get', 'secret', 's', '-n', 'team', '-o', 'jsonpath={.data.url}');
    expect(Buffer.from(decoded.out, 'base64').toString()).toBe('https://x');
    expect((await run('delete', 'namespace', 'team')).out).toContain('deleted');
    expect((await run('get', 'secret', '-A')).err).toContain('No resources found');
  });

  it('applies config maps by strategic merge', async () => {
    const { apply, get } = await kubectl();
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    await apply({ ...map, data: { a: '1', b: '2' } });
    expect((await apply({ ...map, data: { b: '3' } })).out).toBe('configmap/c configured\n');
    expect((await get('/api/v1/namespaces/default/configmaps/c')).body.data).toEqual({ b: '3' });
  });

  it('applies on the server, and is told of conflicts with other managers', async () => {
    const { run, apply } = await kubectl();
    const serverSide = ['--server-side', '--field-manager=m1'];
    expect((await apply(widget('w', { size: 1 }), ...serverSide)).out).toBe(
      'widget.example.dev/w serverside-applied\n',
    );
    await run('patch', 'wi', 'w', '--type=merge', '--field-manager=m2', '-p', '{"spec":{"size":2}}');
    const { code, err } = await apply(widget('w', { size: 3 }), ...serverSide);
    expect(code).toBe(1);
    expect(err).toContain(
      'Apply failed with 1 conflict: conflict with "m2" using example.dev/v1: .spec.size',
    );
    expect((await apply(widget('w', { size: 3 }), ...serverSide, '--force-conflicts')).code).toBe(0);
    const shown = ['get', 'wi', 'w', '-o', 'yaml'];
    expect((await run(...shown, '--show-managed-fields')).out).toContain('manager: m1\n    operation: Apply');
    expect((await run(...shown)).out).not.toContain('manager');
  });

  it('changes from its own apply to that of the server and back', async () => {
    const { apply, get } = await kubectl();
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    const stored = async (): Promise<Json | undefined> =>
      (await get('/api/v1/namespaces/default/configmaps/c')).body.data;
    await apply({ ...map, data: { a: '1', b: '1' } });
    expect((await apply({ ...map, data: { a: '2', b: '1' } }, '--server-side')).err).toBe('');
    expect((await apply({ ...map, data: { b: '3' } }, '--server-side')).err).toBe('');
    expect(await stored()).toEqual({ b: '3' });
    expect((await apply({ ...map, data: { c: '4' } })).err).toBe('');
    expect(await stored()).toEqual({ c: '4' });
  });

  it('explains fields of built-in and custom kinds, and validates with them', async () => {
    const { run, apply } = await kubectl();
    expect((await run('explain', 'configmap.data')).out).toMatch(/FIELD: data <map\[string\]string>/);
    expect((await run('explain', 'wi.spec.size')).out).toMatch(
      /GROUP: +example.dev\n.*\n.*\n\nFIELD: size <integer>/,
    );
    const { err } = await apply(widget('w', { size: 1, odd: 1 }), '--validate=strict');
    expect(err).toContain('unknown field "spec.odd"');
    expect((await apply(widget('w', { size: 1 }), '--validate=strict', '--dry-run=server')).err).toBe('');
  });

  it('asks who it is, and whether the server is ready', async () => {
    const { run } = await kubectl();
    expect((await run('auth', 'whoami')).out).toMatch(/Username +system:anonymous/);
    expect((await run('get', '--raw', '/readyz?verbose')).out).toContain('readyz check passed');
  });

  it('deletes in the foreground, dependents first', async () => {
    const { run, post } = await kubectl();
    const owner = await post(WIDGETS, widget('owner'));
    const reference = {
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      name: 'owner',
      uid: dig(owner.body, 'metadata', 'uid') ?? '',
      blockOwnerDeletion: true,
    };
    await post(WIDGETS, widget('child', { size: 1 }, { ownerReferences: [reference] }));
    expect((await run('delete', 'wi', 'owner', '--cascade=foreground')).code).toBe(0);
    expect((await run('get', 'wi')).err).toContain('No resources found');
  });

  it('is a user by certificate or token over TLS, grants rights and asks for them', async () => {
    const client = await start({ tls: true, auth: true });
    const { cluster } = client;
    const { users } = cluster;
    const as = (user: UserCredentials): Kubectl => kubectlOf(client, cluster.kubeconfig(user));
    const admin = as(users.certificate('admin', { groups: ['system:masters'] }));
    const robot = as({ token: users.token('system:serviceaccount:default:robot') });
    expect(await robot.run('get', 'secrets')).toMatchObject({
      code: 1,
      err: 'Error from server (Forbidden): secrets is forbidden: User "system:serviceaccount:default:robot" cannot list resource "secrets" in API group "" in the namespace "default"\n',
    });
    expect((await robot.run('auth', 'can-i', 'list', 'secrets')).out).toBe('no\n');
    const made = [
      await admin.run('create', 'serviceaccount', 'robot'),
      await admin.run('create', 'clusterrole', 'reader', '--verb=get,list', '--resource=secrets'),
      await admin.run(
        'create',
        'rolebinding',
        'robots',
        '--clusterrole=reader',
        '--serviceaccount=default:robot',
      ),
    ];
    expect(made.map(({ err }) => err)).toEqual(['', '', '']);
    expect((await robot.run('auth', 'can-i', 'list', 'secrets')).out).toBe('yes\n');
    expect((await robot.run('auth', 'can-i', 'list', 'secrets', '-n', 'kube-system')).out).toBe('no\n');
    expect((await robot.run('get', 'secrets')).err).toBe('No resources found in default namespace.\n');
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
    };
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    expect((await admin.apply({ ...role, rules })).out).toContain('reader configured');
    expect((await admin.apply({ ...role, rules })).out).toContain('reader unchanged');
    expect((await robot.run('get', 'secrets')).code).toBe(1);
    expect((await robot.run('get', 'configmaps')).code).toBe(0);
    expect(columns((await admin.run('get', 'rolebindings', '-o', 'wide')).out)).toMatchObject([
      ['NAME', 'ROLE', 'AGE', 'USERS', 'GROUPS', 'SERVICEACCOUNTS'],
      ['robots', 'ClusterRole/reader', expect.anything(), 'default/robot'],
    ]);
    expect((await robot.run('auth', 'whoami')).out).toMatch(/Username +system:serviceaccount:default:robot/);
    const { out: token } = await admin.run('create', 'token', 'robot', '--duration=20m');
    expect((await as({ token }).run('get', 'configmaps')).code).toBe(0);
    expect((await as({ token: 'junk' }).run('get', 'secrets')).err).toContain('must be logged in');
  });
});
