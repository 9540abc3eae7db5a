import { describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '../src/json.ts';
import { dig, listAt, textAt } from '../src/json.ts';
import type { Answer, Client } from './support.ts';
import { crdVersion, CRDS, start, startWithWidgets, widget, widgetCrd, WIDGETS } from './support.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const YAML = 'application/apply-patch+yaml';

const map = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...metadata }, data },
});

/** Applies as a manager. */
const applier =
  ({ ask }: Client, path: string) =>
  (manager: string, body: unknown, query = ''): Promise<Answer> =>
    ask('PATCH', `${path}?fieldManager=${manager}${query}`, { body, type: YAML });

/** `manager operation subresource: fields` of each entry. */
const managers = (body: Json): string[] =>
  listAt(body, 'metadata', 'managedFields').map((entry) =>
    [
      ...['manager', 'operation', 'subresource'].map((name) => textAt(entry, name)).filter(Boolean),
      JSON.stringify(dig(entry, 'fieldsV1')),
    ].join(' '),
  );

/** Managers stand in the order of their times, in seconds. */
const AT = { now: () => Date.UTC(2026, 0, 5, 20) };

describe('server-side apply', () => {
  it('creates, and records what the manager applied', async () => {
    const apply = applier(await start(AT), `${MAPS}/c`);
    const { code, body } = await apply('m1', map({ a: '1' }, { labels: { l: 'x' } }));
    expect(code).toBe(201);
    expect(dig(body, 'metadata', 'managedFields')).toEqual([
      {
        ...{ manager: 'm1', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' },
        fieldsV1: { 'f:data': { 'f:a': {} }, 'f:metadata': { 'f:labels': { 'f:l': {} } } },
        time: textAt(body, 'metadata', 'creationTimestamp'),
      },
    ]);
    const again = await apply('m1', map({ a: '1' }, { labels: { l: 'x' } }));
    expect([again.code, again.body]).toEqual([200, body]);
  });

  it('takes YAML', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    long\n';
    const client = await start(AT);
    const response = await fetch(`${client.url}${MAPS}/c?fieldManager=m`, {
      ...{ method: 'PATCH', headers: { 'content-type': YAML }, body: text },
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ data: { a: 'long\n' } });
    const broken = await fetch(`${client.url}${MAPS}/c?fieldManager=m`, {
      ...{ method: 'PATCH', headers: { 'content-type': YAML }, body: 'a: [' },
    });
    expect(broken.status).toBe(400);
    expect(textAt((await broken.json()) as Json, 'message')).toContain('error decoding YAML');
  });

  it('removes what the manager no longer applies, except what another one has', async () => {
    const apply = applier(await start(AT), `${MAPS}/c`);
    await apply('m1', map({ a: '1', b: '2', c: '3' }));
    await apply('m2', map({ b: '2' }));
    const { body } = await apply('m1', map({ c: '4' }));
    expect(body.data).toEqual({ b: '2', c: '4' });
    expect((await apply('m2', map({}))).body.data).toEqual({ c: '4' });
  });

  it('conflicts with every manager that has a field with another value, in the words of a real server', async () => {
    const client = await start(AT);
    const apply = applier(client, `${MAPS}/c`);
    await apply('m1', map({ a: '1', b: '1' }));
    expect(await apply('m2', map({ a: '2' }))).toMatchObject({
      code: 409,
      body: {
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "m1": .data.a',
        details: {
          causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.data.a' }],
        },
      },
    });
    await client.ask('PATCH', `${MAPS}/c?fieldManager=edit`, {
      ...{ body: { data: { b: '3' } }, type: 'application/merge-patch+json' },
    });
    const { body } = await apply('m3', map({ a: '2', b: '2' }));
    expect(body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "edit" using v1:\n- .data.b\nconflicts with "m1":\n- .data.a',
    );
    expect((await client.get(`${MAPS}/c`)).body.data).toEqual({ a: '1', b: '3' });
  });

  it('takes the fields by force', async () => {
    const apply = applier(await start(AT), `${MAPS}/c`);
    await apply('m1', map({ a: '1', b: '1' }));
    const { code, body } = await apply('m2', map({ a: '2' }), '&force=true');
    expect([code, body.data]).toEqual([200, { a: '2', b: '1' }]);
    expect(managers(body)).toEqual(['m1 Apply {"f:data":{"f:b":{}}}', 'm2 Apply {"f:data":{"f:a":{}}}']);
  });

  it('stores nothing in a dry run', async () => {
    const client = await start(AT);
    const apply = applier(client, `${MAPS}/c`);
    expect((await apply('m1', map({ a: '1' }), '&dryRun=All')).code).toBe(201);
    expect((await client.get(`${MAPS}/c`)).code).toBe(404);
    await apply('m1', map({ a: '1' }));
    expect((await apply('m1', map({ a: '2' }), '&dryRun=All')).body.data).toEqual({ a: '2' });
    expect((await client.get(`${MAPS}/c`)).body.data).toEqual({ a: '1' });
  });

  it('merges lists as the schema of the custom resource says', async () => {
    const apply = applier(await startWithWidgets(AT), `${WIDGETS}/w`);
    await apply('m1', widget('w', { size: 1, parts: [{ name: 'a' }, { name: 'b' }] }));
    const { body } = await apply('m2', widget('w', { parts: [{ name: 'c' }, { name: 'b' }] }));
    expect(dig(body, 'spec', 'parts')).toEqual([{ name: 'a' }, { name: 'c' }, { name: 'b' }]);
    const without = await apply('m1', widget('w', { size: 1 }));
    expect(dig(without.body, 'spec')).toEqual({
      ...{ size: 1, colour: 'red', parts: [{ name: 'c' }, { name: 'b' }] },
    });
    expect(managers(without.body)).toEqual([
      'm1 Apply {"f:spec":{"f:size":{}}}',
      'm2 Apply {"f:spec":{"f:parts":{"k:{\\"name\\":\\"b\\"}":{".":{},"f:name":{}},"k:{\\"name\\":\\"c\\"}":{".":{},"f:name":{}}}}}',
    ]);
  });

  it('merges finalizers, owners and the lists of built-in kinds', async () => {
    const client = await start(AT);
    const apply = applier(client, '/api/v1/namespaces/default/serviceaccounts/s');
    const account = (names: string[], finalizers: string[]): JsonObject => ({
      ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's', finalizers } },
      secrets: names.map((name) => ({ name })),
    });
    await apply('m1', account(['a'], ['x.dev/a']));
    const { body } = await apply('m2', account(['b'], ['x.dev/b']));
    expect([body.secrets, dig(body, 'metadata', 'finalizers')]).toEqual([
      [{ name: 'a' }, { name: 'b' }],
      ['x.dev/a', 'x.dev/b'],
    ]);
  });

  it('has other managers for the status, and neither half touches the other', async () => {
    const client = await startWithWidgets(AT);
    const apply = applier(client, `${WIDGETS}/w`);
    const applyStatus = applier(client, `${WIDGETS}/w/status`);
    const whole = { ...widget('w', { size: 1 }, { labels: { l: 'x' } }), status: { ready: true } };
    expect((await applyStatus('m', whole)).code).toBe(404);
    expect((await apply('m', whole)).body.status).toBeUndefined();
    const { body } = await applyStatus('m', {
      ...whole,
      spec: { size: 9 },
      metadata: { labels: { l: 'y' } },
    });
    expect(body).toMatchObject({
      spec: { size: 1 },
      status: { ready: true },
      metadata: { labels: { l: 'x' } },
    });
    expect(managers(body)).toEqual([
      'm Apply {"f:metadata":{"f:labels":{"f:l":{}}},"f:spec":{"f:size":{}}}',
      'm Apply status {"f:status":{"f:ready":{}}}',
    ]);
    const conflict = await applyStatus('other', { ...widget('w'), status: { ready: false } });
    expect(conflict.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "m" with subresource "status": .status.ready',
    );
  });

  it('is one manager in all versions of a resource', async () => {
    const client = await start(AT);
    await client.post(CRDS, widgetCrd([crdVersion('v1', true), crdVersion('v2', false)]));
    await applier(client, `${WIDGETS}/w`)('m', widget('w', { size: 1, parts: [{ name: 'a' }] }));
    const path = WIDGETS.replace('v1', 'v2');
    const v2 = { ...widget('w', { size: 1 }), apiVersion: 'example.dev/v2' };
    const { code, body } = await applier(client, `${path}/w`)('m', v2);
    expect([code, body.spec]).toEqual([200, { size: 1, colour: 'red' }]);
    expect(listAt(body, 'metadata', 'managedFields')).toMatchObject([{ apiVersion: 'example.dev/v2' }]);
  });

  it('is refused without a manager, with managed fields, with an unknown field, and of a wrong object', async () => {
    const client = await start(AT);
    const apply = applier(client, `${MAPS}/c`);
    const refused = async (answer: Promise<Answer>): Promise<unknown[]> => {
      const { code, body } = await answer;
      return [code, body.message];
    };
    const patch = 'PatchOptions.meta.k8s.io "" is invalid:';
    expect(await refused(apply('', map({})))).toEqual([
      ...[422, `${patch} fieldManager: Required value: is required for apply patch`],
    ]);
    expect(await refused(apply('m'.repeat(129), map({})))).toEqual([
      ...[422, `${patch} fieldManager: Too long: may not be more than 128 bytes`],
    ]);
    expect(await refused(apply('m%07', map({})))).toEqual([
      ...[422, `${patch} fieldManager: Invalid value: "m\\u0007": should only contain printable characters`],
    ]);
    expect(await refused(client.merge(`${MAPS}/c?force=true`, {}))).toEqual([
      ...[422, `${patch} force: Forbidden: may not be specified for non-apply patch`],
    ]);
    expect(await refused(apply('m', map({}, { managedFields: [] })))).toEqual([
      ...[400, 'metadata.managedFields must be nil'],
    ]);
    expect(await refused(apply('m', { ...map({}), more: 1 }))).toEqual([
      500,
      'failed to create typed patch object (default/c; /v1, Kind=ConfigMap): .more: field not declared in schema',
    ]);
    expect(await refused(apply('m', { ...map({}), kind: 'Secret' }))).toEqual([
      ...[400, 'invalid object type: /v1, Kind=Secret'],
    ]);
    expect((await apply('m', { data: {} })).code).toBe(400);
    expect((await apply('m', [])).code).toBe(400);
    expect((await apply('m', map({}, { name: 'd' }))).body.message).toContain(
      'does not match the name on the URL',
    );
    expect((await apply('m', map({}, { uid: 'u' }))).code).toBe(409);
    await apply('m', map({ a: '1' }));
    expect((await apply('m', map({}, { resourceVersion: '1' }))).code).toBe(409);
  });

  it('needs the right to create, if it creates', async () => {
    const admin = await start({ auth: true });
    const { cluster } = admin;
    const root = admin.as(cluster.users.token('root', { groups: ['system:masters'] }));
    const jane = admin.as(cluster.users.token('jane'));
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }];
    await root.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'p' }, rules });
    await root.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      ...{ metadata: { name: 'p' }, roleRef: { kind: 'ClusterRole', name: 'p' } },
      subjects: [{ kind: 'User', name: 'jane' }],
    });
    const { code, body } = await applier(jane, `${MAPS}/c`)('m', map({ a: '1' }));
    expect([code, body.message]).toEqual([
      403,
      'configmaps "c" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"',
    ]);
    await applier(root, `${MAPS}/c`)('m', map({ a: '1' }));
    expect((await applier(jane, `${MAPS}/c`)('m', map({ a: '2' }))).code).toBe(200);
  });
});

describe('the managers of other writes', () => {
  it('are named by fieldManager or the user agent, and own what they change', async () => {
    const client = await startWithWidgets(AT);
    const named = `${WIDGETS}?fieldManager=maker`;
    const { body: made } = await client.post(named, widget('w', { size: 1, parts: [{ name: 'a' }] }));
    expect(managers(made)).toEqual([
      'maker Update {"f:spec":{".":{},"f:colour":{},"f:parts":{".":{},"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{}}},"f:size":{}}}',
    ]);
    const { body } = await client.merge(`${WIDGETS}/w`, { spec: { size: 2 } });
    expect(managers(body)[1]).toBe('node Update {"f:spec":{"f:size":{}}}');
    const { body: replaced } = await client.put(`${WIDGETS}/w?fieldManager=maker`, {
      ...widget('w', { size: 2 }, { resourceVersion: textAt(body, 'metadata', 'resourceVersion') }),
    });
    expect(managers(replaced)).toEqual([
      'maker Update {"f:spec":{".":{},"f:colour":{}}}',
      'node Update {"f:spec":{"f:size":{}}}',
    ]);
  });

  it('remain when a client sends the object without them, and go when it sends [{}]', async () => {
    const client = await start(AT);
    await client.post(`${MAPS}?fieldManager=m`, map({ a: '1' }));
    const kept = await client.put(`${MAPS}/c?fieldManager=m`, map({ a: '1' }));
    expect(managers(kept.body)).toHaveLength(1);
    const junk = await client.merge(`${MAPS}/c`, { metadata: { managedFields: [{ manager: 7 }] } });
    expect(managers(junk.body)).toHaveLength(1);
    const reset = await client.merge(`${MAPS}/c`, { metadata: { managedFields: [{}] } });
    expect(reset.code).toBe(200);
    expect(dig(reset.body, 'metadata', 'managedFields')).toBeUndefined();
    expect(managers((await client.merge(`${MAPS}/c`, { data: { b: '1' } })).body)).toEqual([]);
    const { body } = await applier(client, `${MAPS}/c`)('m1', map({ b: '1' }));
    expect(managers(body)).toEqual([
      'm1 Apply {"f:data":{"f:b":{}}}',
      'before-first-apply Update {"f:data":{".":{},"f:a":{},"f:b":{}}}',
    ]);
  });

  it('of namespaces and definitions do not own what only the server sets', async () => {
    const client = await startWithWidgets(AT);
    const { body } = await client.post('/api/v1/namespaces?fieldManager=m', { metadata: { name: 'n' } });
    expect(managers(body)).toEqual([
      'm Update {"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}',
    ]);
    const crd = await client.get(`${CRDS}/widgets.example.dev`);
    expect(managers(crd.body).join()).not.toContain('f:status');
  });

  it('are at most a few bytes more in a write that changes nothing: it makes no new version', async () => {
    const client = await startWithWidgets(AT);
    const { body: made } = await client.post(WIDGETS, widget('w'));
    const { body } = await client.merge(`${WIDGETS}/w?fieldManager=other`, { spec: { size: 1 } });
    expect(body).toEqual(made);
  });
});
