import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { AccessError, loadAccess, type AccessOptions } from './access.ts';
import type { ClusterAccess } from './credentials.ts';
import { podNamespace } from './in-cluster.ts';

/** A folder with these files; `@DIR@` in a text stands for the folder. It is gone when the test ends. */
async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'hnotif-access-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text.replaceAll('@DIR@', root), { mode: 0o755 });
  }
  return root;
}

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const config = (user: string, cluster = '{ server: https://k8s:6443 }'): string => `
current-context: one
contexts: [{ name: one, context: { cluster: c, user: u, namespace: team-a } }]
clusters: [{ name: c, cluster: ${cluster} }]
users: [{ name: u, user: ${user} }]
`;

const load = (options: Partial<AccessOptions>): Promise<ClusterAccess> =>
  loadAccess({ env: {}, clock: new ManualClock(), ...options });

const problem = (options: Partial<AccessOptions>): Promise<string> =>
  load(options).then(
    () => 'none',
    (error: unknown) =>
      error instanceof AccessError ? error.message : `not an AccessError: ${String(error)}`,
  );

async function authorization(access: ClusterAccess): Promise<string | undefined> {
  return (await access.authenticator.credentials()).authorization?.reveal();
}

/** The access that a user or a cluster of a kubeconfig gives. */
async function access(
  user: string,
  cluster?: string,
  env: AccessOptions['env'] = {},
): Promise<ClusterAccess> {
  const root = await folder({ config: config(user, cluster) });
  return load({ kubeconfig: join(root, 'config'), env });
}

test('a context gives server, namespace and where it was found', async () => {
  const found = await access('{}', '{ server: "https://k8s:6443/prefix/" }');
  expect(found.server).toBe('https://k8s:6443/prefix');
  expect(found.namespace).toBe('team-a');
  expect(found.source).toMatch(/^context one of .*config$/);
  expect(await found.authenticator.credentials()).toEqual({});
});

test('tokens, passwords and client certificates become credentials', async () => {
  expect(await authorization(await access('{ token: abc }'))).toBe('Bearer abc');
  expect(await authorization(await access('{ username: me, password: "p:w" }'))).toBe(
    `Basic ${base64('me:p:w')}`,
  );
  const data = base64(PEM);
  const found = await access(`{ token: abc, client-certificate-data: ${data}, client-key-data: ${data} }`);
  const { clientCertificate } = await found.authenticator.credentials();
  expect([clientCertificate?.cert, clientCertificate?.key.reveal()]).toEqual([PEM, PEM]);
  expect(await authorization(found)).toBe('Bearer abc');
});

test('relative paths are relative to the file in which they stand', async () => {
  const root = await folder({
    'deep/config': config(
      '{ client-certificate: ../pki/me.crt, client-key: ../pki/me.key }',
      '{ server: https://k8s, certificate-authority: ca.crt }',
    ),
    'deep/ca.crt': PEM,
    'pki/me.crt': 'certificate',
    'pki/me.key': 'key',
  });
  const found = await load({ kubeconfig: join(root, 'deep/config') });
  expect(found.tls.ca).toBe(PEM);
  expect((await found.authenticator.credentials()).clientCertificate?.cert).toBe('certificate');
});

test('the settings of the TLS connection and of the proxy are read', async () => {
  const found = await access(
    '{}',
    '{ server: https://10.0.0.1, insecure-skip-tls-verify: true, tls-server-name: k8s.local, proxy-url: "http://u:p@proxy:3128" }',
  );
  expect(found.tls).toEqual({ ca: undefined, insecure: true, serverName: 'k8s.local' });
  expect(found.proxyUrl?.reveal()).toBe('http://u:p@proxy:3128');
  expect(JSON.stringify(found)).not.toContain('u:p');
});

test('a token file is read again after a minute and after a 401, and an unreadable one leaves the last token', async () => {
  const root = await folder({ config: config('{ token: old, tokenFile: token }'), token: 'one\n' });
  const clock = new ManualClock();
  const { authenticator } = await load({ kubeconfig: join(root, 'config'), clock });
  const token = async (): Promise<string | undefined> =>
    (await authenticator.credentials()).authorization?.reveal();
  expect(await token()).toBe('Bearer one');
  await writeFile(join(root, 'token'), 'two');
  await clock.advance(59_999);
  expect(await token()).toBe('Bearer one');
  await clock.advance(1);
  expect(await token()).toBe('Bearer two');
  await writeFile(join(root, 'token'), 'three');
  expect(authenticator.rejected(await authenticator.credentials())).toBe(true);
  expect(await token()).toBe('Bearer three');
  await rm(join(root, 'token'));
  await clock.advance(60_000);
  expect(await token()).toBe('Bearer three');
});

test('several files of KUBECONFIG are merged: the first that names something wins, a missing file is left out', async () => {
  const root = await folder({
    first: 'clusters: [{ name: c, cluster: { server: https://first } }]\ncurrent-context: ""',
    second: config('{ token: second }', '{ server: https://second }'),
  });
  const KUBECONFIG = ['none', 'first', 'second'].map((name) => join(root, name)).join(delimiter);
  const found = await load({ env: { KUBECONFIG } });
  expect(found.server).toBe('https://first');
  expect(await authorization(found)).toBe('Bearer second');
});

test('the flag wins over KUBECONFIG, that over the pod, and the pod over the home directory', async () => {
  const root = await folder({
    flag: config('{}', '{ server: https://flag }'),
    listed: config('{}', '{ server: https://listed }'),
    '.kube/config': config('{}', '{ server: https://home }'),
    'pod/token': 'pod-token',
    'pod/ca.crt': PEM,
    'pod/namespace': 'mine\n',
  });
  const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  const env = { ...pod, HOME: root, KUBECONFIG: join(root, 'listed') };
  const serviceAccountFolder = join(root, 'pod');
  const flag = await load({ env, kubeconfig: join(root, 'flag'), serviceAccountFolder });
  expect(flag.server).toBe('https://flag');
  expect((await load({ env, serviceAccountFolder })).server).toBe('https://listed');
  const found = await load({ env: { ...env, KUBECONFIG: undefined }, serviceAccountFolder });
  expect(found).toMatchObject({ server: 'https://[fd00::1]:443', namespace: 'mine', tls: { ca: PEM } });
  expect(await authorization(found)).toBe('Bearer pod-token');
  expect(await podNamespace(serviceAccountFolder)).toBe('mine');
  expect(await podNamespace(root)).toBe('default');
  expect((await load({ env: { HOME: root } })).server).toBe('https://home');
});

test('what is wrong is said with file and field, and without any value', async () => {
  const root = await folder({
    yaml: 'users:\n  - token: canary\n bad',
    type: config('{ token: 12345678 }'),
    provider: config('{ auth-provider: { name: gcp } }'),
    half: config(`{ client-certificate-data: ${base64(PEM)} }`),
    both: config(
      '{}',
      `{ server: https://x, insecure-skip-tls-verify: true, certificate-authority-data: ${base64(PEM)} }`,
    ),
    ca: config('{}', '{ server: https://x, certificate-authority: missing.crt }'),
    data: config('{}', '{ server: https://x, certificate-authority-data: bm8= }'),
    server: config('{}', '{ server: "https://user:canary@x" }'),
    socks: config('{}', '{ server: https://x, proxy-url: "socks5://canary@x" }'),
    empty: '',
    user: config('{}').replace('name: u,', 'name: other,'),
    context: config('{}').replace('current-context: one', 'current-context: two'),
    passwd: 'root:x:0:0:root:/root:/bin/bash\nbin:x:1:1:bin:/bin:/usr/sbin/nologin\n',
    list: 'users: 5\n',
    blank: config('{ token: "" }'),
    mode: config(
      '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Often } }',
    ),
    lines: config('{ token: "canary\\r\\nx" }'),
    exec: config('{ exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: x } }'),
    asks: config(
      '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always } }',
    ),
  });
  const said: Record<string, string> = {};
  for (const name of 'yaml type provider half both ca data server socks empty user context exec asks passwd list blank mode lines none'.split(
    ' ',
  ))
    said[name] = (await problem({ kubeconfig: join(root, name) })).replaceAll(`${root}/`, '');
  expect(said).toEqual({
    yaml: 'yaml is not YAML: line 3, column 1',
    type: 'type: users[0].user.token must be text',
    provider: 'provider: user.auth-provider (gcp) is gone from Kubernetes; use user.exec',
    half: 'half: user.client-certificate and user.client-key go together; one is missing',
    both: 'both: cluster.insecure-skip-tls-verify and a certificate authority exclude each other',
    ca: 'ca: certificate-authority: missing.crt cannot be read (ENOENT)',
    data: 'data: certificate-authority-data is not PEM in base64',
    server: 'server: cluster.server must not hold a user or a password',
    socks: 'socks: cluster.proxy-url must begin with http:// or https://',
    empty: 'empty: there is no current-context; name one with --context',
    user: 'user: context one names user u, which is not there',
    context: 'context: contexts has no two',
    exec: 'exec: users.exec.apiVersion must be one of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1',
    asks: 'asks: user.exec.interactiveMode is Always, but hnotif has no terminal',
    passwd: 'passwd is not a kubeconfig: it must be an object of YAML or JSON',
    list: 'list: users must be a list',
    blank: 'blank: users[0].user.token must not be empty',
    mode: 'mode: users[0].user.exec.interactiveMode must be one of Never, IfAvailable, Always',
    lines: 'lines: user.token holds a line break or another character that no token has; write it without',
    none: 'the kubeconfig none does not exist',
  });
  expect(await problem({ env: { HOME: root } })).toMatch(/^no cluster: .*--kubeconfig$/);
  expect(await problem({ env: { KUBECONFIG: join(root, 'none') } })).toMatch(/does not exist$/);
  const env = { KUBERNETES_SERVICE_HOST: 'k', KUBERNETES_SERVICE_PORT: '1' };
  expect(await problem({ env, serviceAccountFolder: root })).toMatch(/is its service account mounted\?$/);
});

const PLUGIN = `#!/bin/sh
echo run >> '@DIR@/runs'
case "$MODE" in
  fail) echo "log in first" >&2; echo canary-token; exit 3;;
  junk) echo "canary-token";;
  bare) echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{}}';;
  *) printf '%s' "$KUBERNETES_EXEC_INFO" > '@DIR@/info'
     echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'$1-$(wc -l < '@DIR@/runs' | tr -d ' ')'","expirationTimestamp":"2026-01-05T21:00:00Z"}}';;
esac
`;
const execUser = (mode: string): string =>
  `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: ./plugin, args: [tok], env: [{ name: MODE, value: ${mode} }], provideClusterInfo: true, installHint: install it } }`;

test('a credential plugin is run once until its token ends or is refused', async () => {
  const root = await folder({ config: config(execUser('good')), plugin: PLUGIN });
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 20));
  const { authenticator } = await load({
    kubeconfig: join(root, 'config'),
    clock,
    env: { PATH: process.env.PATH },
  });
  const token = async (): Promise<string | undefined> =>
    (await authenticator.credentials()).authorization?.reveal();
  expect(await Promise.all([token(), token()])).toEqual(['Bearer tok-1', 'Bearer tok-1']);
  await clock.advance(3_589_000);
  expect(await token()).toBe('Bearer tok-1');
  await clock.advance(1_000);
  expect(await token()).toBe('Bearer tok-2');
  clock.jump(-3_600_000);
  authenticator.rejected(await authenticator.credentials());
  expect(await token()).toBe('Bearer tok-3');
  expect(JSON.parse(await readFile(join(root, 'info'), 'utf8'))).toEqual({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server: 'https://k8s:6443' } },
  });
  expect(clock.timers).toBe(0);
});

test('a plugin that fails is shown with what it said, and never with what it answered', async () => {
  const said: Record<string, string> = {};
  for (const mode of ['fail', 'junk', 'bare']) {
    const root = await folder({ config: config(execUser(mode)), plugin: PLUGIN });
    const { authenticator } = await load({
      kubeconfig: join(root, 'config'),
      env: { PATH: process.env.PATH },
    });
    said[mode] = await Promise.resolve(authenticator.credentials()).then(
      () => 'no error',
      (error: unknown) => (error as AccessError).message,
    );
  }
  expect(said).toEqual({
    fail: 'the credential plugin ./plugin ended with code 3: log in first: install it',
    junk: 'the credential plugin ./plugin did not answer with JSON',
    bare: 'the credential plugin ./plugin gave neither a token nor a certificate',
  });
  const missing = await access(
    '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: hnotif-no-such-plugin } }',
  );
  await expect(missing.authenticator.credentials()).rejects.toThrow(
    'the credential plugin hnotif-no-such-plugin was not found',
  );
});

test('a plugin that complains shows none of the credentials it was given or has answered', async () => {
  const plugin = `#!/bin/sh
printf '%s' '{"status":{"token":"canary-answered"}}'
head -c 990 /dev/zero | tr '\\0' x >&2
echo "$API_TOKEN $* canary-answered in $REGION" >&2
exit 1
`;
  const user =
    '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: ./plugin, args: ["--client-secret", canary-arg, "--token=canary-flag", "--role=me"], env: [{ name: API_TOKEN, value: canary-env }, { name: REGION, value: here }] } }';
  const root = await folder({ config: config(user), plugin });
  const { authenticator } = await load({ kubeconfig: join(root, 'config'), env: { PATH: process.env.PATH } });
  const error = await Promise.resolve(authenticator.credentials()).then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown as Error,
  );
  expect(error.message).toContain('xxx[redacted');
  expect(error.message).not.toMatch(/x[ca]/);
  expect(error.message).not.toContain('canary');
});
