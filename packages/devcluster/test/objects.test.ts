import { describe, expect, it } from 'vitest';

import { configMap, MAPS, metadata, start, startWithWidgets, version, widget, WIDGETS } from './support.ts';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');

describe('creating', () => {
  it('gives an object a uid, a version and a time, and answers 201', async () => {
    const { post } = await start({ now: () => NOW });
    const { code, body } = await post(MAPS, configMap('a'));
    expect(code).toBe(201);
    expect(metadata(body)).toMatchObject({
      name: 'a',
      namespace: 'default',
      creationTimestamp: '2026-01-02T03:04:05Z',
    });
    expect(metadata(body).uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(metadata(body).resourceVersion)).toBeGreaterThan(0);
  });

  it('refuses a name that is taken, in the words of a real server', async () => {
    const { post } = await start();
    await post(MAPS, configMap('a'));
    const { code, body } = await post(MAPS, configMap('a'));
    expect(code).toBe(409);
    expect(body).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
      details: { name: 'a', kind: 'configmaps' },
      code: 409,
    });
  });

  it('makes a name of generateName', async () => {
    const { post } = await start();
    const { body } = await post(MAPS, { metadata: { generateName: 'made-' } });
    expect(metadata(body).name).toMatch(/^made-[a-z0-9]{5}$/);
  });

  it('refuses a missing namespace, a bad name and a name not given', async () => {
    const { post } = await start();
    const nowhere = await post('/api/v1/namespaces/nowhere/configmaps', configMap('a'));
    expect(nowhere).toMatchObject({ code: 404, body: { message: 'namespaces "nowhere" not found' } });
    const bad = await post(MAPS, configMap('A_b'));
    expect(bad.code).toBe(422);
    expect(bad.body.message).toMatch(
      /^ConfigMap "A_b" is invalid: metadata\.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain/,
    );
    const unnamed = await post(MAPS, { metadata: {} });
    expect(unnamed.body.message).toBe(
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    );
  });

  it('refuses a namespace or a version other than the URL says', async () => {
    const { post } = await startWithWidgets();
    const other = await post(MAPS, configMap('a', { namespace: 'kube-system' }));
    expect(other).toMatchObject({
      code: 400,
      body: {
        message: 'the namespace of the provided object does not match the namespace sent on the request',
      },
    });
    const { code, body } = await post(WIDGETS, { ...widget('a'), apiVersion: 'example.dev/v2' });
    expect(code).toBe(400);
    expect(body.message).toBe(
      'the API version in the data (example.dev/v2) does not match the expected API version (example.dev/v1)',
    );
  });

  it('stores nothing on dryRun=All', async () => {
    const { post, get, cluster } = await start();
    const before = cluster.stats().objects;
    expect((await post(`${MAPS}?dryRun=All`, configMap('a'))).code).toBe(201);
    expect((await get(`${MAPS}/a`)).code).toBe(404);
    expect(cluster.stats().objects).toBe(before);
    expect((await post(`${MAPS}?dryRun=Some`, configMap('a'))).code).toBe(422);
  });

  it('keeps a field named __proto__ a field', async () => {
    const { ask, get } = await start();
    await ask('POST', MAPS, {
      body: '{"metadata":{"name":"a","labels":{"x":"y"}},"data":{"__proto__":"z"}}',
    });
    const { body } = await get(`${MAPS}/a`);
    expect(JSON.stringify(body.data)).toBe('{"__proto__":"z"}');
  });
});

describe('secrets', () => {
  const SECRETS = '/api/v1/namespaces/default/secrets';

  it('take stringData into data, are Opaque by default, and keep their type', async () => {
    const { post, merge } = await start();
    const { body } = await post(SECRETS, { metadata: { name: 's' }, stringData: { a: 'b' } });
    expect(body).toMatchObject({ type: 'Opaque', data: { a: 'Yg==' } });
    expect(body).not.toHaveProperty('stringData');
    const changed = await merge(`${SECRETS}/s`, { type: 'other' });
    expect(changed).toMatchObject({
      code: 422,
      body: { message: 'Secret "s" is invalid: type: Invalid value: "other": field is immutable' },
    });
  });

  it('refuse data that is not base64', async () => {
    const { post } = await start();
    const { code, body } = await post(SECRETS, { metadata: { name: 's' }, data: { a: 'no base64' } });
    expect(code).toBe(400);
    expect(body.message).toBe(
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 2',
    );
  });

  it('do not change once they are immutable', async () => {
    const { post, merge } = await start();
    await post(SECRETS, { metadata: { name: 's' }, data: { a: 'Yg==' }, immutable: true });
    const { code, body } = await merge(`${SECRETS}/s`, { data: { a: 'Yw==' } });
    expect(code).toBe(422);
    expect(body.message).toContain('data: Forbidden: field is immutable when `immutable` is set');
  });
});

describe('updating', () => {
  it('refuses an object that has changed meanwhile', async () => {
    const { post, put } = await start();
    const { body } = await post(MAPS, configMap('a'));
    expect((await put(`${MAPS}/a`, { ...body, data: { x: '1' } })).code).toBe(200);
    const { code, body: status } = await put(`${MAPS}/a`, { ...body, data: { x: '2' } });
    expect(code).toBe(409);
    expect(status).toMatchObject({
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  it('wants the version of a custom resource, but not that of a config map', async () => {
    const { post, put } = await startWithWidgets();
    await post(MAPS, configMap('a'));
    expect((await put(`${MAPS}/a`, configMap('a'))).code).toBe(200);
    await post(WIDGETS, widget('w'));
    const { code, body } = await put(`${WIDGETS}/w`, widget('w'));
    expect(code).toBe(422);
    expect(body.message).toBe(
      'widgets.example.dev "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  it('refuses the uid of another object', async () => {
    const { post, put } = await start();
    const { body } = await post(MAPS, configMap('a'));
    const other = { ...body, metadata: { ...metadata(body), uid: 'another' } };
    const { code, body: status } = await put(`${MAPS}/a`, other);
    expect(code).toBe(409);
    expect(status.message).toContain('Precondition failed: UID in precondition: another');
  });

  it('refuses another uid in a patch as a change of the uid, and ignores it in a patch of the status', async () => {
    const { post, merge } = await startWithWidgets();
    await post(WIDGETS, widget('w'));
    const patch = { metadata: { uid: 'another' }, status: { ready: true } };
    const { code, body } = await merge(`${WIDGETS}/w`, patch);
    expect([code, body.message]).toEqual([
      422,
      'Widget.example.dev "w" is invalid: metadata.uid: Invalid value: "another": field is immutable',
    ]);
    const status = await merge(`${WIDGETS}/w/status`, patch);
    expect([status.code, status.body.status, metadata(status.body).uid === 'another']).toEqual([
      200,
      { ready: true },
      false,
    ]);
  });

  it('does not count a write that changes nothing', async () => {
    const { post, merge } = await start();
    const made = await post(MAPS, configMap('a', { labels: { x: 'y' } }));
    expect(version(await merge(`${MAPS}/a`, { metadata: { labels: { x: 'y' } } }))).toBe(version(made));
    expect(version(await merge(`${MAPS}/a`, { metadata: { labels: { x: 'z' } } }))).not.toBe(version(made));
  });

  it('creates a lease by PUT whatever version it names, but not where it names a uid', async () => {
    const { put } = await start();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const lease = (metadata: object) => ({ metadata: { name: 'gone', ...metadata } });
    const refused = await put(`${leases}/gone`, lease({ uid: 'before', resourceVersion: '7' }));
    expect([refused.code, refused.body.message]).toEqual([
      409,
      expect.stringContaining('UID in precondition: before, UID in object meta: '),
    ]);
    expect((await put(`${leases}/gone`, lease({ resourceVersion: '7' }))).code).toBe(201);
  });

  it('creates events and leases by PUT, but not config maps', async () => {
    const { put } = await start();
    const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'me' } };
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    expect((await put(`${leases}/l`, lease)).code).toBe(201);
    expect((await put(`${MAPS}/a`, configMap('a'))).code).toBe(404);
  });

  it('refuses a MicroTime without six digits, as Go does', async () => {
    const { post } = await start();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const at = (renewTime: string): object => ({ metadata: { generateName: 'l' }, spec: { renewTime } });
    expect((await post(leases, at('2026-01-01T00:00:00.000Z'))).code).toBe(400);
    expect((await post(leases, at('2026-01-01T00:00:00.000000Z'))).code).toBe(201);
  });
});

describe('patching', () => {
  it('takes merge, JSON and strategic merge patches of built-in kinds', async () => {
    const { post, merge, ask } = await start();
    await post(MAPS, { ...configMap('a'), data: { a: '1', b: '2' } });
    expect((await merge(`${MAPS}/a`, { data: { a: null } })).body.data).toEqual({ b: '2' });
    const json = await ask('PATCH', `${MAPS}/a`, {
      body: [{ op: 'add', path: '/data/c', value: '3' }],
      type: 'application/json-patch+json',
    });
    expect(json.body.data).toEqual({ b: '2', c: '3' });
    const strategic = await ask('PATCH', `${MAPS}/a`, {
      body: { metadata: { finalizers: ['x/y'] } },
      type: 'application/strategic-merge-patch+json',
    });
    expect(metadata(strategic.body).finalizers).toEqual(['x/y']);
  });

  it('refuses strategic merge of custom resources', async () => {
    const { post, ask } = await startWithWidgets();
    await post(WIDGETS, widget('w'));
    const type = 'application/strategic-merge-patch+json';
    const { code, body } = await ask('PATCH', `${WIDGETS}/w`, { body: {}, type });
    expect(code).toBe(415);
    expect(body.message).toBe(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  });

  it('answers 422 when a JSON patch does not fit', async () => {
    const { post, ask } = await start();
    await post(MAPS, configMap('a'));
    const { code, body } = await ask('PATCH', `${MAPS}/a`, {
      body: [{ op: 'test', path: '/metadata/name', value: 'b' }],
      type: 'application/json-patch+json',
    });
    expect(code).toBe(422);
    expect([body.reason, body.details]).toEqual(['Invalid', {}]);
  });

  it('loses to another write when it names an old version', async () => {
    const { post, merge } = await start();
    const made = await post(MAPS, configMap('a'));
    await merge(`${MAPS}/a`, { data: { a: '1' } });
    const late = await merge(`${MAPS}/a`, { metadata: { resourceVersion: version(made) }, data: { a: '2' } });
    expect(late.code).toBe(409);
  });
});

describe('a request for metadata alone', () => {
  const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
  const labels = { a: 'b' };

  it.each([
    ['POST', WIDGETS, 201, widget('new', { size: 2 })],
    ['GET', `${WIDGETS}/w`, 200, undefined],
    ['PUT', `${WIDGETS}/w`, 200, { ...widget('w', { size: 2 }) }],
    ['PATCH', `${WIDGETS}/w`, 200, { metadata: { labels }, spec: { size: 2 } }],
  ])('is answered so: %s', async (method, path, code, body) => {
    const { post, get, ask } = await startWithWidgets();
    const made = await post(WIDGETS, widget('w'));
    const named = method === 'PUT' ? { ...body, metadata: metadata(made.body) } : body;
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await ask(method, path, { ...(named && { body: named }), type, accept });
    expect(answer.code).toBe(code);
    expect(Object.keys(answer.body).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(answer.body).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
    const name = method === 'POST' ? 'new' : 'w';
    const stored = await get(`${WIDGETS}/${name}`);
    expect(answer.body.metadata).toEqual(metadata(stored.body));
    if (method !== 'GET') expect(stored.body.spec).toMatchObject({ size: 2 });
  });

  it('is refused with a Status like any other', async () => {
    const { ask } = await startWithWidgets();
    const { code, body } = await ask('GET', `${WIDGETS}/none`, { accept });
    expect([code, body.kind, body.reason]).toEqual([404, 'Status', 'NotFound']);
  });
});

describe('custom resources', () => {
  it('get defaults, lose unknown fields with a warning, and are refused under Strict', async () => {
    const { post } = await startWithWidgets();
    const loose = await post(WIDGETS, widget('a', { size: 1, odd: 2 }));
    expect(loose.body.spec).toEqual({ size: 1, colour: 'red' });
    expect(loose.headers.get('warning')).toBe('299 - "unknown field \\"spec.odd\\""');
    const ignored = await post(`${WIDGETS}?fieldValidation=Ignore`, widget('b', { size: 1, odd: 2 }));
    expect(ignored.headers.get('warning')).toBeNull();
    const strict = await post(`${WIDGETS}?fieldValidation=Strict`, widget('c', { size: 1, odd: 2 }));
    expect(strict).toMatchObject({
      code: 400,
      body: {
        message:
          'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.odd"',
      },
    });
  });

  it('are refused under Strict when a field stands twice', async () => {
    const { ask } = await startWithWidgets();
    const body =
      '{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2}}';
    const { code, body: status } = await ask('POST', `${WIDGETS}?fieldValidation=Strict`, { body });
    expect(code).toBe(400);
    expect(status.message).toContain('strict decoding error: duplicate field "spec.size"');
  });

  it('are refused with each wrong field named', async () => {
    const { post } = await startWithWidgets();
    const { code, body } = await post(WIDGETS, widget('a', { colour: 'green' }));
    expect(code).toBe(422);
    expect(body).toMatchObject({
      reason: 'Invalid',
      details: { name: 'a', group: 'example.dev', kind: 'Widget' },
    });
    expect(body.message).toMatch(/^Widget\.example\.dev "a" is invalid: \[/);
    expect(body.message).toContain('spec.size: Required value');
    expect(body.message).toContain(
      'spec.colour: Unsupported value: "green": supported values: "red", "blue"',
    );
  });

  it('count generations by their spec, not by status or labels', async () => {
    const { post, merge } = await startWithWidgets();
    const generation = (answer: { body: Parameters<typeof metadata>[0] }): unknown =>
      metadata(answer.body).generation;
    expect(generation(await post(WIDGETS, widget('w')))).toBe(1);
    expect(generation(await merge(`${WIDGETS}/w`, { metadata: { labels: { a: 'b' } } }))).toBe(1);
    expect(generation(await merge(`${WIDGETS}/w/status`, { status: { ready: true } }))).toBe(1);
    expect(generation(await merge(`${WIDGETS}/w`, { spec: { size: 2 } }))).toBe(2);
    expect(generation(await merge(`${WIDGETS}/w`, { metadata: { generation: 9 } }))).toBe(2);
  });

  it('name the fields of a status from the status on', async () => {
    const { post, merge } = await startWithWidgets();
    await post(WIDGETS, widget('w'));
    const { code, body } = await merge(`${WIDGETS}/w/status`, { status: { ready: 'yes' } });
    expect(code).toBe(422);
    expect(body.message).toContain(
      'status.ready: Invalid value: "string": ready in body must be of type boolean: "string"',
    );
  });

  it('keep spec and status apart', async () => {
    const { post, merge, get } = await startWithWidgets();
    const made = await post(WIDGETS, { ...widget('w'), status: { ready: true } });
    expect(made.body).not.toHaveProperty('status');
    await merge(`${WIDGETS}/w/status`, {
      metadata: { labels: { a: 'b' } },
      spec: { size: 5 },
      status: { ready: true },
    });
    await merge(`${WIDGETS}/w`, { spec: { size: 3 }, status: { ready: false } });
    const { body } = await get(`${WIDGETS}/w`);
    expect(body).toMatchObject({ spec: { size: 3 }, status: { ready: true } });
    expect(metadata(body)).not.toHaveProperty('labels');
  });
});

describe('deleting', () => {
  it('answers Success and 404 afterwards', async () => {
    const { post, remove } = await start();
    const made = await post(MAPS, configMap('a'));
    const { code, body } = await remove(`${MAPS}/a`);
    expect(code).toBe(200);
    expect(body).toMatchObject({
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: metadata(made.body).uid },
    });
    expect((await remove(`${MAPS}/a`)).code).toBe(404);
  });

  it('holds to preconditions', async () => {
    const { post, remove, get } = await start();
    const made = await post(MAPS, configMap('a'));
    const wrong = await remove(`${MAPS}/a`, { preconditions: { uid: 'another' } });
    expect(wrong.code).toBe(409);
    expect(wrong.body.message).toMatch(
      /on ConfigMap "a": the UID in the precondition \(another\) does not match the UID in record/,
    );
    const old = await remove(`${MAPS}/a`, { preconditions: { resourceVersion: '1' } });
    expect(old.body.message).toContain('the ResourceVersion in the precondition (1) does not match');
    expect((await get(`${MAPS}/a`)).code).toBe(200);
    const right = { preconditions: { uid: metadata(made.body).uid, resourceVersion: version(made) } };
    expect((await remove(`${MAPS}/a`, right)).code).toBe(200);
  });

  it('waits for finalizers, takes no new ones, and is done when the last goes', async () => {
    const { post, remove, merge, get } = await startWithWidgets();
    await post(WIDGETS, widget('w', { size: 1 }, { finalizers: ['example.dev/hold'] }));
    const { body } = await remove(`${WIDGETS}/w`);
    expect(metadata(body)).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2 });
    expect(metadata(body)).toHaveProperty('deletionTimestamp');
    const more = await merge(`${WIDGETS}/w`, { metadata: { finalizers: ['example.dev/hold', 'a/b'] } });
    expect(more.code).toBe(422);
    expect(more.body.message).toContain('no new finalizers can be added if the object is being deleted');
    expect((await merge(`${WIDGETS}/w`, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await get(`${WIDGETS}/w`)).code).toBe(404);
  });

  it('takes a whole collection by selector', async () => {
    const { post, remove, get } = await start();
    await post(MAPS, configMap('a', { labels: { x: '1' } }));
    await post(MAPS, configMap('b', { labels: { x: '2' } }));
    const { body } = await remove(`${MAPS}?labelSelector=x%3D1`);
    expect(body).toMatchObject({ kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] });
    expect((await get(`${MAPS}/a`)).code).toBe(404);
    expect((await get(`${MAPS}/b`)).code).toBe(200);
  });

  it('refuses a policy it does not know', async () => {
    const { post, remove } = await start();
    await post(MAPS, configMap('a'));
    const { code, body } = await remove(`${MAPS}/a`, { propagationPolicy: 'Sideways' });
    expect(code).toBe(422);
    expect(body.message).toContain('propagationPolicy: Unsupported value: "Sideways"');
  });
});
