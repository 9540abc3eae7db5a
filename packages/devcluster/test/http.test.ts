import { request } from 'node:http';

import { describe, expect, it } from 'vitest';

import { configMap, MAPS, start, startWithWidgets, WIDGETS } from './support.ts';

describe('discovery', () => {
  it('lists the groups, versions and resources', async () => {
    const { get } = await start();
    expect((await get('/version')).body).toMatchObject({ major: '1', minor: '32' });
    expect((await get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect((await get('/apis')).body).toMatchObject({
      kind: 'APIGroupList',
      groups: [
        { name: 'coordination.k8s.io' },
        { name: 'rbac.authorization.k8s.io' },
        { name: 'authorization.k8s.io' },
        { name: 'authentication.k8s.io' },
        { name: 'apiextensions.k8s.io' },
      ],
    });
    const { body } = await get('/api/v1');
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(JSON.stringify(body)).toContain('"name":"namespaces/status"');
  });

  it('answers 200 for health and an empty document for openapi/v2', async () => {
    const { get } = await start();
    for (const path of ['/healthz', '/livez', '/readyz']) {
      expect([path, (await get(path)).body.text]).toEqual([path, 'ok']);
      const verbose = `[+]ping ok\n${path.slice(1)} check passed\n`;
      expect((await get(`${path}?verbose`)).body.text).toBe(verbose);
      expect((await get(`${path}?verbose&exclude=ping`)).body.text).toContain('[+]ping excluded: ok\n');
      expect((await get(`${path}/ping?verbose`)).body.text).toBe('ok');
      expect((await get(`${path}/etcd`)).code).toBe(404);
    }
    const { headers } = await get('/openapi/v2');
    expect(headers.get('content-type')).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
  });
});

describe('bad requests', () => {
  it.each(['/nowhere', '/apis/none.dev', '/apis/none.dev/v1/things', '/apis/example.dev/v1/things'])(
    '%s is not there',
    async (path) => {
      const { get } = await startWithWidgets();
      const { code, body } = await get(path);
      expect([code, body.text]).toEqual([404, '404 page not found\n']);
    },
  );

  it.each([
    '/api/v1/pods',
    `${MAPS}/a/status`,
    `${MAPS}/a/b/c`,
    '/api/v1/configmaps/a',
    '/apis/coordination.k8s.io/v2',
  ])('%s is not there, as a Status says', async (path) => {
    const { get } = await start();
    const { code, body } = await get(path);
    expect([code, body.reason, body.message]).toEqual([
      404,
      'NotFound',
      'the server could not find the requested resource',
    ]);
  });

  it('answer a Status for broken JSON, wrong shapes and wrong escapes', async () => {
    const { ask, post, get } = await startWithWidgets();
    for (const body of ['{', '', 'null', '[]', '"x"', '{"metadata":[]}', '{"metadata":{"labels":{"a":1}}}']) {
      const answer = await ask('POST', MAPS, { body });
      expect([body, answer.code, answer.body.kind]).toEqual([body, 400, 'Status']);
    }
    expect((await post(WIDGETS, { metadata: { name: 'a' } })).body.message).toContain(
      "Object 'Kind' is missing",
    );
    expect((await post(MAPS, { kind: 'Secret' })).code).toBe(400);
    expect((await post(MAPS, { ...configMap('a'), data: { a: 1 } })).code).toBe(400);
    expect((await get('/api/v1/namespaces/%zz/configmaps')).code).toBe(400);
  });

  it('answer 400 for a body nested beyond reason', async () => {
    const { ask } = await start();
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await ask('POST', MAPS, { body })).code).toBe(400);
  });

  it('answer 415 for other media types', async () => {
    const { ask } = await start();
    const { code, body } = await ask('POST', MAPS, { body: 'a: b', type: 'application/yaml' });
    expect([code, body.reason]).toEqual([415, 'UnsupportedMediaType']);
  });

  it('answer 405 for methods that are not there', async () => {
    const { ask, post } = await start();
    expect((await ask('PUT', MAPS, { body: {} })).code).toBe(405);
    expect((await post(`${MAPS}/a`, {})).code).toBe(405);
    expect((await post('/api/v1/configmaps', {})).code).toBe(405);
    expect((await post('/version', {})).code).toBe(405);
    expect((await ask('DELETE', '/api/v1/namespaces')).code).toBe(405);
  });

  it('answer 413 for a body of more than 3 MiB, announced or not', async () => {
    const { ask, url } = await start();
    const { code, body } = await ask('POST', MAPS, { body: 'x'.repeat(3 * 1024 * 1024 + 1) });
    expect(code).toBe(413);
    expect(body.message).toBe('Request entity too large: limit is 3145728');
    const chunked = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(url + MAPS, { method: 'POST' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      // The server closes the connection if it does not read the body.
      sending.on('error', reject);
      sending.write('x'.repeat(3 * 1024 * 1024 + 1));
      sending.end();
    });
    expect(chunked).toBe(413);
  });
});

describe('a server for loopback only', () => {
  const send = (
    url: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sending = request(url + path, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sending.on('error', reject);
      sending.end(body);
    });
  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.1.2.3:65535', '[::1]', '[::1]:8001'])(
    'answers to the name %s',
    async (host) => {
      const { url } = await start({ loopbackOnly: true });
      expect(await send(url, 'GET', '/api/v1/secrets', { host })).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '[::2]',
    'localhost:80@evil.example',
  ])('does not answer to the name "%s", with a Status', async (host) => {
    const { url } = await start({ loopbackOnly: true });
    expect(await send(url, 'GET', '/api/v1/secrets', { host })).toBe(403);
  });

  it('answers no page of a browser, whatever it asks', async () => {
    const { url, get } = await start({ loopbackOnly: true });
    const body = JSON.stringify(configMap('a'));
    for (const origin of ['http://evil.example', 'null', url]) {
      expect(await send(url, 'GET', '/api', { origin })).toBe(403);
      expect(await send(url, 'POST', MAPS, { origin, ...JSON_TYPE }, body)).toBe(403);
    }
    expect(((await get(MAPS)).body.items as unknown[]).length).toBe(0);
  });

  it('takes no body without its type, or with one that a page may send unasked', async () => {
    const { url, get } = await start({ loopbackOnly: true });
    const body = JSON.stringify(configMap('a'));
    const types: Record<string, string>[] = [{}, { 'content-type': ' ' }, { 'content-type': 'text/plain' }];
    for (const headers of types)
      for (const [method, path] of [
        ['POST', MAPS],
        ['PUT', `${MAPS}/a`],
        ['PATCH', `${MAPS}/a`],
      ] as const)
        expect([method, await send(url, method, path, headers, body)]).toEqual([method, 415]);
    expect(((await get(MAPS)).body.items as unknown[]).length).toBe(0);
    expect(await send(url, 'POST', MAPS, JSON_TYPE, body)).toBe(201);
    expect(await send(url, 'DELETE', `${MAPS}/a`, {})).toBe(200);
  });

  it('is what one asks for: others answer to every name', async () => {
    const { url } = await start();
    expect(await send(url, 'GET', '/api', { host: 'api.example', origin: 'http://api.example' })).toBe(200);
    expect(await send(url, 'POST', MAPS, {}, JSON.stringify(configMap('a')))).toBe(201);
  });
});
