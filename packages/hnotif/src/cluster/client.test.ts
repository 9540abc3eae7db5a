import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { basic, bearer, FetchedAuth, staticAuth } from './auth.ts';
import { KubeClient } from './client.ts';
import type { KubeError } from './error.ts';
import { SECRETS } from '@hnotif/core/resources';
import { FakeApi, until } from './testing/fake-api.ts';
import { watch } from './watch.ts';

const PLANS = { group: 'hibernation.dev', version: 'v1alpha1', plural: 'hibernateplans' };

const refused = async (call: Promise<unknown>): Promise<KubeError> =>
  call.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => error as KubeError,
  );

test('each verb is the request that the API expects', async () => {
  const api = await FakeApi.start();
  const client = api.client(new ManualClock(), {
    access: { ...api.access(staticAuth({ authorization: bearer('tok') })), server: `${api.url}/k8s/c1` },
    userAgent: 'hnotif/1',
  });
  const got = client.get(SECRETS, 'ns', 's');
  const get = await api.next();
  get.answer(200, { kind: 'Secret' });
  expect([get.method, get.path, get.headers.authorization, get.headers['user-agent']]).toEqual([
    'GET',
    '/k8s/c1/api/v1/namespaces/ns/secrets/s',
    'Bearer tok',
    'hnotif/1',
  ]);
  expect(await got).toEqual({ kind: 'Secret' });

  const patched = client.mergePatch(PLANS, 'ns', 'p', { spec: { a: 'ü' } });
  const patch = await api.next();
  patch.answer(200, { metadata: { name: 'p', resourceVersion: '8' } });
  expect(await patched).toEqual({ namespace: '', name: 'p', uid: '', resourceVersion: '8' });
  expect([patch.method, patch.headers['content-type'], patch.json]).toEqual([
    'PATCH',
    'application/merge-patch+json',
    { spec: { a: 'ü' } },
  ]);
  expect(patch.headers.accept).toBe(
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  );
  expect(patch.path).toBe('/k8s/c1/apis/hibernation.dev/v1alpha1/namespaces/ns/hibernateplans/p');

  const replaced = client.replaceStatus(PLANS, 'ns', { name: 'p', uid: 'u' }, { a: 1 });
  const status = await api.next();
  status.answer(200, { metadata: { name: 'p', resourceVersion: '9' } });
  expect((await replaced).resourceVersion).toBe('9');
  expect([status.method, status.path, status.headers['content-type'], status.json]).toEqual([
    'PATCH',
    '/k8s/c1/apis/hibernation.dev/v1alpha1/namespaces/ns/hibernateplans/p/status',
    'application/json-patch+json',
    [
      { op: 'test', path: '/metadata/uid', value: 'u' },
      { op: 'add', path: '/status', value: { a: 1 } },
    ],
  ]);

  const created = client.create(PLANS, 'ns', { metadata: { name: 'p' } });
  const create = await api.next();
  create.answer(201, {});
  await created;
  expect([create.method, create.headers['content-type'], create.headers.accept]).toEqual([
    'POST',
    'application/json',
    'application/json',
  ]);
});

test('the answer to a create is the metadata alone, where no more is wanted', async () => {
  const api = await FakeApi.start();
  const object = { metadata: { name: 'p' }, spec: { large: true } };
  const created = api.client(new ManualClock()).create(PLANS, 'ns', object, { metadataOnly: true });
  const create = await api.next();
  create.answer(201, { kind: 'PartialObjectMetadata', metadata: { name: 'p' } });
  await created;
  expect(create.json).toEqual(object);
  expect(create.headers.accept).toBe(
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  );
});

test('a refusal has the status, the reason and the words of the Status object', async () => {
  const api = await FakeApi.start();
  const call = refused(api.client(new ManualClock()).get(PLANS, 'ns', 'p'));
  (await api.next()).refuse(409, 'Conflict');
  const { status, reason, message } = await call;
  expect({ status, reason, message }).toEqual({
    status: 409,
    reason: 'Conflict',
    message: 'refused: Conflict',
  });
});

test('an answer that is no Status or no JSON is an error in plain words', async () => {
  const api = await FakeApi.start();
  const client = api.client(new ManualClock());
  const page = refused(client.get(PLANS, 'ns', 'p'));
  (await api.next()).answer(502, '<html>Bad gateway</html>');
  expect(await page).toMatchObject({
    status: 502,
    reason: 'HTTP502',
    message: 'the API server answered 502',
  });
  const text = refused(client.get(PLANS, 'ns', 'p'));
  (await api.next()).answer(200, 'hello');
  expect(await text).toMatchObject({ status: 200, reason: 'NotJson' });
  const noList = refused(client.list(PLANS, 'ns', { limit: 5 }));
  (await api.next()).answer(200, { items: [] });
  expect(await noList).toMatchObject({ reason: 'NotAList' });
});

test('a request without an answer ends at its deadline, and so does one whose body never ends', async () => {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const client = api.client(clock, { timeoutMs: 30_000 });
  const silent = refused(client.get(PLANS, 'ns', 'p'));
  const first = await api.next();
  await clock.advance(30_000);
  expect(await silent).toMatchObject({ status: 0, reason: 'Timeout' });
  await first.gone();
  const endless = refused(client.get(PLANS, 'ns', 'p'));
  const second = (await api.next()).open().write('{"a":');
  await clock.advance(30_000);
  expect(await endless).toMatchObject({ status: 0, reason: 'Timeout' });
  await second.gone();
  expect(clock.timers).toBe(0);
});

test('each request is counted with its status, also one without an answer', async () => {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const requested: string[] = [];
  const client = api.client(clock, {
    timeoutMs: 30_000,
    requested: (method, status) => requested.push(`${method} ${status}`),
  });
  const got = client.get(PLANS, 'ns', 'p');
  (await api.next()).answer(200, {});
  await got;
  const created = refused(client.create(PLANS, 'ns', {}));
  (await api.next()).refuse(409, 'Conflict');
  await created;
  const silent = refused(client.get(PLANS, 'ns', 'p'));
  await api.next();
  await clock.advance(30_000);
  await silent;
  expect(requested).toEqual(['GET 200', 'POST 409', 'GET 0']);
});

test('a 429 is waited for as long as the server says, three times at most', async () => {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const client = api.client(clock, { timeoutMs: 45_000 });
  const waits: (number | undefined)[] = [];
  const call = refused(client.get(PLANS, 'ns', 'p'));
  for (const seconds of ['2', '3', '999']) {
    (await api.next()).refuse(429, 'TooManyRequests', { 'retry-after': seconds });
    await until(() => clock.nextIn !== 45_000 && clock.timers === 1);
    waits.push(clock.nextIn);
    await clock.advance(clock.nextIn ?? 0);
  }
  (await api.next()).refuse(429, 'TooManyRequests', { 'retry-after': '1' });
  expect(await call).toMatchObject({ status: 429, retryAfterMs: 1000 });
  expect(waits).toEqual([2000, 3000, 30_000]);
});

test('after a 401 other credentials are fetched once, for all that wait', async () => {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  let fetched = 0;
  const auth = new FetchedAuth(clock, () =>
    Promise.resolve({
      credentials: { authorization: bearer(`token-${++fetched}`) },
      wall: Infinity,
      monotonic: Infinity,
    }),
  );
  const client = api.client(clock, { access: api.access(auth) });
  const calls = [client.get(PLANS, 'ns', 'a'), client.get(PLANS, 'ns', 'b')];
  const first = [await api.next(), await api.next()];
  for (const each of first) each.refuse(401, 'Unauthorized');
  for (const each of [await api.next(), await api.next()]) {
    expect(each.headers.authorization).toBe('Bearer token-2');
    each.answer(200, {});
  }
  await Promise.all(calls);
  expect(fetched).toBe(2);
  const again = refused(client.get(PLANS, 'ns', 'a'));
  (await api.next()).refuse(401, 'Unauthorized');
  (await api.next()).refuse(401, 'Unauthorized');
  expect(await again).toMatchObject({ status: 401, reason: 'Unauthorized' });
});

test('errors never show the credential, though the server repeats it', async () => {
  const api = await FakeApi.start();
  const access = api.access(staticAuth({ authorization: bearer('canary-4711') }));
  const client = api.client(new ManualClock(), { access });
  const call = refused(client.get(PLANS, 'ns', 'p'));
  const message = 'the token canary-4711 is bad';
  (await api.next()).answer(403, { kind: 'Status', code: 403, reason: 'Forbidden', message });
  const error = await call;
  expect(error.message).toBe('the token [redacted] is bad');
  expect(inspect([error, access, client], { depth: 9, showHidden: true })).not.toContain('canary-4711');
});

test('errors show no credential where it stands in the reason, at the cut of a long message, or as user and password', async () => {
  const api = await FakeApi.start();
  const authorization = basic('us', 'canary-4711-canary');
  const client = api.client(new ManualClock(), { access: api.access(staticAuth({ authorization })) });
  const repeated = ['canary-4711-canary', authorization.reveal().slice(6), 'us:canary-4711-canary'];
  for (const credential of repeated)
    for (const text of [credential, `${'x'.repeat(1990)}${credential}`]) {
      const call = refused(client.get(PLANS, 'ns', 'p'));
      (await api.next()).answer(403, { kind: 'Status', code: 403, reason: `No${text}`, message: text });
      const { reason, message } = await call;
      expect(reason + message).not.toMatch(/canary|Y2FuYXJ5|x{1990}[cudY]/);
      expect(message.length).toBeLessThanOrEqual(2000);
    }
});

test('an error within a watch shows no credential', async () => {
  const api = await FakeApi.start();
  const access = api.access(staticAuth({ authorization: bearer('canary-4711') }));
  const options = {
    resourceVersion: '1',
    timeoutSeconds: 1,
    idleMs: 1000,
    opened: () => {},
    ...{ read: () => undefined, apply: () => undefined },
  };
  const clock = new ManualClock();
  const watching = refused(
    watch({
      ...options,
      ...{ client: api.client(clock, { access }), clock, type: PLANS, namespace: 'ns' },
      signal: new AbortController().signal,
    }),
  );
  const message = 'who sends canary-4711?';
  (await api.next())
    .open()
    .write({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'canary-4711', message } })
    .end();
  expect(await watching).toMatchObject({
    status: 410,
    reason: '[redacted]',
    message: 'who sends [redacted]?',
  });
});

test('a server that is not there is said to be, with its address', async () => {
  const api = await FakeApi.start();
  const access = { ...api.access(), server: 'http://127.0.0.1:1' };
  const error = await refused(api.client(new ManualClock(), { access }).get(PLANS, 'ns', 'p'));
  expect(error).toMatchObject({ status: 0, reason: 'Unreachable' });
  expect(error.message).toContain('http://127.0.0.1:1');
});

test('requests beyond the burst wait their turn; lists and watches do not', async () => {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const client = api.client(clock, { qps: 10, burst: 2 });
  const calls = ['a', 'b', 'c', 'd'].map((name) => client.get(PLANS, 'ns', name));
  const names: string[] = [];
  const serve = async (): Promise<void> => {
    const exchange = await api.next();
    names.push(exchange.path.slice(-1));
    exchange.answer(200, {});
  };
  await serve();
  await serve();
  const stop = new AbortController();
  const watch = client.watch(PLANS, undefined, { resourceVersion: '1', timeoutSeconds: 60 }, stop.signal);
  const open = (await api.next()).open();
  await watch;
  const list = client.list(PLANS, undefined, { limit: 500 });
  (await api.next()).answer(200, { items: [], metadata: { resourceVersion: '1' } });
  await list;
  await Promise.all(calls.slice(0, 2));
  expect(clock.nextIn).toBe(100);
  await clock.advance(100);
  await serve();
  await calls[2];
  await clock.advance(100);
  await serve();
  await Promise.all(calls);
  expect(names.slice(0, 2).sort()).toEqual(['a', 'b']);
  expect(names.slice(2)).toEqual(['c', 'd']);
  stop.abort();
  await open.gone();
});

test('closing the client ends what is under way, what is watched and what waits for its turn', async () => {
  const api = await FakeApi.start();
  const client = new KubeClient({ access: api.access(), clock: new ManualClock(), burst: 1 });
  const call = refused(client.get(PLANS, 'ns', 'p'));
  const exchange = await api.next();
  const waiting = refused(client.get(PLANS, 'ns', 'q'));
  const { signal } = new AbortController();
  const watch = client.watch(PLANS, undefined, { resourceVersion: '1', timeoutSeconds: 60 }, signal);
  const opened = (await api.next()).open();
  const read = refused((await watch)[Symbol.asyncIterator]().next());
  await client.close();
  for (const each of [call, waiting, read]) expect(await each).toMatchObject({ reason: 'Aborted' });
  await exchange.gone();
  await opened.gone();
  expect(await refused(client.get(PLANS, 'ns', 'p'))).toMatchObject({ reason: 'Aborted' });
});
