import { describe, expect, it } from 'vitest';

import type { DevClusterOptions } from '../src/index.ts';
import type { Json, JsonObject } from '../src/json.ts';
import type { Answer, Client } from './support.ts';
import { configMap, CRDS, MAPS, metadata, names, start, widget, widgetCrd, WIDGETS } from './support.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const ACCOUNT = 'system:serviceaccount:default:robot';

/** A cluster with authentication, and a user who may do everything. */
async function guarded(options: DevClusterOptions = {}): Promise<Client> {
  const client = await start({ auth: true, ...options });
  const admin = client.as(client.cluster.users.token('admin', { groups: ['system:masters'] }));
  await admin.post(CRDS, widgetCrd());
  return admin;
}

const user = ({ cluster, as }: Client, name: string, groups: string[] = []): Client =>
  as(cluster.users.token(name, { groups }));

/** Grants a subject these rules in all namespaces. */
async function grant({ post }: Client, subject: JsonObject, ...rules: JsonObject[]): Promise<void> {
  expect((await post(`${RBAC}/clusterroles`, { metadata: { name: 'r' }, rules })).code).toBe(201);
  const made = await post(`${RBAC}/clusterrolebindings`, {
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
    subjects: [subject],
  });
  expect(made.code).toBe(201);
}

const codes = (...answers: Answer[]): number[] => answers.map(({ code }) => code);

describe('who asks', () => {
  it('is nobody without credentials, or with ones that are not good: 401', async () => {
    const admin = await guarded();
    for (const client of [await start({ auth: true }), admin.as('junk'), admin.as('')]) {
      const { code, body } = await client.get(MAPS);
      expect([code, body]).toEqual([
        401,
        {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'Unauthorized',
          reason: 'Unauthorized',
          code: 401,
        },
      ]);
      expect(codes(await client.get('/version'), await client.get('/healthz'))).toEqual([401, 401]);
    }
  });

  it('is a service account with a token that was requested for it, until the token ends', async () => {
    let time = Date.parse('2026-01-05T20:00:00Z');
    const admin = await guarded({ now: () => time });
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const path = `${accounts}/robot/token`;
    const request = (expirationSeconds: number): JsonObject => ({
      ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' },
      spec: { expirationSeconds },
    });
    expect((await admin.post(path, request(600))).code).toBe(404);
    await admin.post(accounts, { metadata: { name: 'robot' } });
    await grant(
      admin,
      { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
    );
    const { code, body } = await admin.post(path, request(600));
    expect([code, body.kind]).toEqual([201, 'TokenRequest']);
    const { token, expirationTimestamp } = body.status as { token: string; expirationTimestamp: string };
    expect(expirationTimestamp).toBe('2026-01-05T20:10:00Z');
    const robot = admin.as(token);
    expect(codes(await robot.get(MAPS), await robot.post(path, request(600)))).toEqual([200, 403]);
    time += 600_000;
    expect((await robot.get(MAPS)).code).toBe(401);
    expect(codes(await admin.post(path, request(599)), await admin.get(path))).toEqual([422, 405]);
  });

  it('is known by a token until it ends or is revoked; open watches go on', async () => {
    let time = 1000;
    const admin = await guarded({ now: () => time });
    const token = admin.cluster.users.token('soon', { groups: ['system:masters'], expiresAt: 2000 });
    const soon = admin.as(token);
    const watch = await soon.watch(`${MAPS}?watch=1`);
    time = 1999;
    expect((await soon.get(MAPS)).code).toBe(200);
    time = 2000;
    expect((await soon.get(MAPS)).code).toBe(401);
    await admin.post(MAPS, configMap('a'));
    expect(await watch.take(1)).toEqual(['ADDED a']);
    const other = admin.cluster.users.token('other', { groups: ['system:masters'] });
    expect((await admin.as(other).get(MAPS)).code).toBe(200);
    admin.cluster.users.revoke(other);
    expect((await admin.as(other).get(MAPS)).code).toBe(401);
    expect((await admin.get(MAPS)).code).toBe(200);
  });

  it('is named in a fault', async () => {
    const admin = await guarded();
    const other = user(admin, 'other', ['system:masters']);
    admin.cluster.faults.add({ user: 'other', effect: { kind: 'status', code: 500 } });
    expect(codes(await admin.get(MAPS), await other.get(MAPS))).toEqual([200, 500]);
  });

  it('is nobody else: impersonation is refused', async () => {
    const { cluster, url } = await start({ auth: true });
    const token = cluster.users.token('admin', { groups: ['system:masters'] });
    const headers = { authorization: `Bearer ${token}`, 'impersonate-user': 'other' };
    expect((await fetch(url + MAPS, { headers })).status).toBe(400);
  });

  it('has no effect without `auth`', async () => {
    const client = await start();
    const answer = await client.post(REVIEWS, { spec: { resourceAttributes: { verb: 'get' } } });
    expect(answer.body.status).toEqual({ allowed: true });
    expect((await client.as('junk').get(MAPS)).code).toBe(200);
    expect(names(await client.get(`${RBAC}/clusterroles`))).toEqual([]);
  });
});

describe('what one may', () => {
  it('is nothing but discovery at first, and refusals are in the words of a real server', async () => {
    const admin = await guarded();
    const plain = user(admin, 'plain');
    const open = [
      '/version',
      '/api',
      '/apis',
      '/apis/example.dev',
      '/apis/example.dev/v1',
      '/openapi/v2',
      '/openapi/v3',
      '/healthz',
    ];
    for (const path of open) expect([path, (await plain.get(path)).code]).toEqual([path, 200]);
    const refused = async (answer: Promise<Answer>): Promise<Json | undefined> => {
      const { code, body } = await answer;
      expect([code, body.reason]).toEqual([403, 'Forbidden']);
      return body.message;
    };
    expect(await refused(plain.get('/apis/example.dev/v1/widgets'))).toBe(
      'widgets.example.dev is forbidden: User "plain" cannot list resource "widgets" in API group "example.dev" at the cluster scope',
    );
    expect(await refused(plain.get(`${WIDGETS}?watch=1`))).toBe(
      'widgets.example.dev is forbidden: User "plain" cannot watch resource "widgets" in API group "example.dev" in the namespace "default"',
    );
    expect(await refused(plain.merge(`${WIDGETS}/a/status`, {}))).toBe(
      'widgets.example.dev "a" is forbidden: User "plain" cannot patch resource "widgets/status" in API group "example.dev" in the namespace "default"',
    );
    expect(await refused(plain.get('/api/v1/namespaces/default/secrets/s'))).toBe(
      'secrets "s" is forbidden: User "plain" cannot get resource "secrets" in API group "" in the namespace "default"',
    );
    expect(await refused(plain.get('/metrics'))).toBe('forbidden: User "plain" cannot get path "/metrics"');
    expect(await refused(plain.get('/apis/none.dev/v1/things'))).toContain('"things"');
    expect((await plain.remove(`${WIDGETS}/a`)).body.details).toEqual({
      name: 'a',
      group: 'example.dev',
      kind: 'widgets',
    });
  });

  it.each<[string, JsonObject, number[]]>([
    [
      'verbs',
      { verbs: ['get', 'create'], apiGroups: ['*'], resources: ['*'] },
      [200, 403, 201, 403, 403, 200],
    ],
    [
      'a group',
      { verbs: ['*'], apiGroups: ['example.dev'], resources: ['*'] },
      [200, 200, 201, 200, 200, 403],
    ],
    [
      'a resource',
      { verbs: ['*'], apiGroups: ['*'], resources: ['widgets'] },
      [200, 200, 201, 200, 403, 403],
    ],
    [
      'a subresource',
      { verbs: ['*'], apiGroups: ['*'], resources: ['widgets/status'] },
      [403, 403, 403, 403, 200, 403],
    ],
    [
      'any status',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*/status'] },
      [403, 403, 403, 403, 200, 403],
    ],
    [
      'a name',
      { verbs: ['*'], apiGroups: ['*'], resources: ['widgets', 'widgets/status'], resourceNames: ['a'] },
      [200, 403, 403, 200, 200, 403],
    ],
    ['a page', { verbs: ['*'], nonResourceURLs: ['*'] }, [403, 403, 403, 403, 403, 403]],
  ])('is given by %s', async (_, rule, expected) => {
    const admin = await guarded();
    const plain = user(admin, 'plain');
    await admin.post(WIDGETS, widget('a'));
    await admin.post(MAPS, configMap('a'));
    await grant(admin, { kind: 'User', name: 'plain' }, rule);
    expect(
      codes(
        await plain.get(`${WIDGETS}/a`),
        await plain.get(WIDGETS),
        await plain.post(WIDGETS, widget('b')),
        await plain.get(`${WIDGETS}?fieldSelector=metadata.name%3Da`),
        await plain.merge(`${WIDGETS}/a/status`, {}),
        await plain.get(`${MAPS}/a`),
      ),
    ).toEqual(expected);
  });

  it('may be said of pages', async () => {
    const admin = await guarded();
    await grant(
      admin,
      { kind: 'User', name: 'plain' },
      { verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*'] },
    );
    const plain = user(admin, 'plain');
    const answers = ['/metrics', '/logs/today', '/', '/metrics/more'].map((path) => plain.get(path));
    expect(codes(...(await Promise.all(answers)))).toEqual([404, 404, 403, 403]);
  });

  it.each<[string, JsonObject, boolean]>([
    ['a user', { kind: 'User', name: ACCOUNT }, true],
    ['a group', { kind: 'Group', name: 'crew' }, true],
    ['all who are known', { kind: 'Group', name: 'system:authenticated' }, true],
    ['all service accounts', { kind: 'Group', name: 'system:serviceaccounts' }, true],
    ['those of a namespace', { kind: 'Group', name: 'system:serviceaccounts:default' }, true],
    ['a service account', { kind: 'ServiceAccount', name: 'robot', namespace: 'default' }, true],
    ['one of another namespace', { kind: 'ServiceAccount', name: 'robot', namespace: 'other' }, false],
    ['those of another namespace', { kind: 'Group', name: 'system:serviceaccounts:other' }, false],
    ['a group of the user’s name', { kind: 'Group', name: ACCOUNT }, false],
    ['a user of the group’s name', { kind: 'User', name: 'crew' }, false],
  ])('is given to %s', async (_, subject, allowed) => {
    const admin = await guarded();
    await grant(admin, subject, { verbs: ['list'], apiGroups: [''], resources: ['configmaps'] });
    const robot = user(admin, ACCOUNT, ['crew']);
    expect((await robot.get(MAPS)).code).toBe(allowed ? 200 : 403);
  });

  it('is of one namespace by a role binding, whichever kind the role is; and changes at once', async () => {
    const admin = await guarded();
    await admin.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', 'namespaces'] }];
    const bind = (name: string, kind: string, role: string): Promise<Answer> =>
      admin.post(`${RBAC}/namespaces/default/rolebindings`, {
        metadata: { name },
        roleRef: { kind, name: role },
        subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
      });
    const robot = user(admin, ACCOUNT);
    const seen = async (): Promise<number[]> =>
      codes(
        await robot.get(MAPS),
        await robot.get('/api/v1/namespaces/other/configmaps'),
        await robot.get('/api/v1/configmaps'),
      );
    await bind('to-role', 'Role', 'lister');
    await bind('to-cluster-role', 'ClusterRole', 'lister');
    expect((await robot.get(MAPS)).body.message).toBe(
      `configmaps is forbidden: User "${ACCOUNT}" cannot list resource "configmaps" in API group "" in the namespace "default": RBAC: [clusterrole.rbac.authorization.k8s.io "lister" not found, role.rbac.authorization.k8s.io "lister" not found]`,
    );
    await admin.post(`${RBAC}/namespaces/default/roles`, { metadata: { name: 'lister' }, rules });
    expect(await seen()).toEqual([200, 403, 403]);
    await admin.remove(`${RBAC}/namespaces/default/rolebindings/to-role`);
    expect(await seen()).toEqual([403, 403, 403]);
    await admin.post(`${RBAC}/clusterroles`, { metadata: { name: 'lister' }, rules });
    expect(await seen()).toEqual([200, 403, 403]);
    // A namespace belongs to itself.
    const spaces = ['/default', '/other', ''].map((path) => robot.get(`/api/v1/namespaces${path}`));
    expect(codes(...(await Promise.all(spaces)))).toEqual([200, 403, 403]);
  });

  it('can be asked before', async () => {
    const admin = await guarded();
    await grant(
      admin,
      { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
      {
        verbs: ['get'],
        apiGroups: [''],
        resources: ['secrets'],
      },
    );
    const robot = user(admin, ACCOUNT);
    const ask = async (spec: JsonObject): Promise<Json | undefined> => {
      const { code, body } = await robot.post(REVIEWS, { spec });
      return code === 201 ? body.status : body.message;
    };
    expect(await ask({ resourceAttributes: { verb: 'get', resource: 'secrets', namespace: 'x' } })).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to ServiceAccount "robot/default"',
    });
    expect(await ask({ resourceAttributes: { verb: 'list', resource: 'secrets' } })).toEqual({
      allowed: false,
    });
    expect(await ask({ nonResourceAttributes: { verb: 'get', path: '/version' } })).toMatchObject({
      allowed: true,
    });
    expect(await ask({})).toContain('exactly one of nonResourceAttributes or resourceAttributes');
    expect((await robot.get(REVIEWS)).code).toBe(403);
    expect((await admin.get(REVIEWS)).code).toBe(405);
    expect((await admin.remove(REVIEWS)).code).toBe(405);
  });
});

describe('what a server asks about its callers', () => {
  const TOKENS = '/apis/authentication.k8s.io/v1/tokenreviews';
  const ACCESS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

  it('is whose token it is', async () => {
    let time = 1000;
    const admin = await guarded({ now: () => time });
    const token = admin.cluster.users.token(ACCOUNT, { expiresAt: 2000 });
    const ask = async (spec: JsonObject) => (await admin.post(TOKENS, { spec })).body.status;
    expect(await ask({ token })).toEqual({
      authenticated: true,
      user: {
        username: ACCOUNT,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
    });
    const unknown = { authenticated: false, user: {}, error: 'invalid bearer token' };
    expect(await ask({ token: 'junk' })).toEqual(unknown);
    expect(await ask({})).toEqual(unknown);
    time = 2000;
    expect(await ask({ token })).toEqual(unknown);
  });

  it('is what a user or a group may', async () => {
    const admin = await guarded();
    await grant(
      admin,
      { kind: 'Group', name: 'scrapers' },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    );
    const nonResourceAttributes = { verb: 'get', path: '/metrics' };
    const ask = async (spec: JsonObject) =>
      ((await admin.post(ACCESS, { spec: { nonResourceAttributes, ...spec } })).body.status as JsonObject)
        .allowed;
    expect(await ask({ user: 'u', groups: ['scrapers'] })).toBe(true);
    expect(await ask({ groups: ['scrapers'] })).toBe(true);
    expect(await ask({ user: 'scrapers', groups: ['others'] })).toBe(false);
    const other = { nonResourceAttributes: { verb: 'get', path: '/debug' } };
    expect(await ask({ user: 'u', groups: ['scrapers'], ...other })).toBe(false);
    expect((await admin.post(ACCESS, { spec: { nonResourceAttributes } })).code).toBe(422);
  });

  it('is for those alone who may ask', async () => {
    const plain = user(await guarded(), 'plain');
    for (const path of [TOKENS, ACCESS]) expect((await plain.post(path, { spec: {} })).code).toBe(403);
  });
});

describe('roles and bindings', () => {
  it('have the roles of every cluster among them, and names with colons', async () => {
    const admin = await guarded();
    const first = ['cluster-admin', 'system:basic-user', 'system:discovery'];
    expect(names(await admin.get(`${RBAC}/clusterroles`))).toEqual(first);
    expect(names(await admin.get(`${RBAC}/clusterrolebindings`))).toEqual(first);
    await admin.remove(`${RBAC}/clusterrolebindings/system:discovery`);
    expect((await user(admin, 'plain').get('/api')).code).toBe(403);
    // A user who has broken the roles can still repair them.
    await admin.remove(`${RBAC}/clusterrolebindings`);
    expect((await admin.get('/api')).code).toBe(200);
    expect(codes(await admin.post(`${RBAC}/clusterroles`, { metadata: { name: 'a%b' } }))).toEqual([422]);
  });

  it('are checked as on a real server', async () => {
    const admin = await guarded();
    const causes = async (answer: Promise<Answer>): Promise<Json[]> => {
      const { code, body } = await answer;
      expect(code).toBe(422);
      const details = body.details as { causes: JsonObject[] };
      return details.causes.map(({ field }) => field ?? '');
    };
    const role = { metadata: { name: 'x' }, rules: [{}, { verbs: ['get'], nonResourceURLs: ['/x'] }] };
    expect(await causes(admin.post(`${RBAC}/namespaces/default/roles`, role))).toEqual([
      'rules[0].verbs',
      'rules[0].apiGroups',
      'rules[0].resources',
      'rules[1].nonResourceURLs',
    ]);
    const binding = {
      metadata: { name: 'x' },
      roleRef: { kind: 'Role', name: '' },
      subjects: [{ kind: 'ServiceAccount', name: 'a' }, { kind: 'User' }, { kind: 'Robot', name: 'a' }],
    };
    expect(await causes(admin.post(`${RBAC}/clusterrolebindings`, binding))).toEqual([
      'roleRef.kind',
      'roleRef.name',
      'subjects[0].namespace',
      'subjects[1].name',
      'subjects[2].kind',
    ]);
    await grant(admin, { kind: 'User', name: 'u' });
    const bound = await admin.get(`${RBAC}/clusterrolebindings/b`);
    expect(bound.body.subjects).toEqual([{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }]);
    expect(
      await causes(admin.merge(`${RBAC}/clusterrolebindings/b`, { roleRef: { name: 'other' } })),
    ).toEqual(['roleRef']);
  });

  it('are there without `auth`, too, and so are service accounts', async () => {
    const client = await start();
    const account = await client.post('/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'robot' },
    });
    expect([account.code, metadata(account.body).name]).toEqual([201, 'robot']);
    await grant(client, { kind: 'User', name: 'u' });
    expect(names(await client.get(`${RBAC}/clusterrolebindings`))).toEqual(['b']);
  });
});
