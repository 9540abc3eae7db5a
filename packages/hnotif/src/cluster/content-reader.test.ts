import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { ContentReader } from './content-reader.ts';
import { FakeApi, until } from './testing/fake-api.ts';

const secret = (text: string, resourceVersion = '7'): object => ({
  kind: 'Secret',
  metadata: { name: 's', namespace: 'ns', resourceVersion },
  data: { config: Buffer.from(text).toString('base64') },
});

async function bench() {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  return {
    api,
    clock,
    reader: new ContentReader('secrets', { client: api.client(clock), clock, ttlMs: 5_000 }),
  };
}

test('those who ask together share a request, and its answer is believed for five seconds', async () => {
  const { api, clock, reader } = await bench();
  const both = [reader.read('ns', 's', 'config'), reader.read('ns', 's', 'config')];
  const exchange = await api.next();
  expect(exchange.path).toBe('/api/v1/namespaces/ns/secrets/s');
  exchange.answer(200, secret('ü\u0000'));
  for (const reading of await Promise.all(both))
    expect(reading).toEqual({
      kind: 'found',
      resourceVersion: '7',
      value: Buffer.from('ü\u0000'),
      ...{ beside: {}, keys: ['config'] },
    });
  await clock.advance(4_999);
  await reader.read('ns', 's', 'config');
  expect(api.pending).toBe(0);
  await clock.advance(1);
  const again = reader.read('ns', 's', 'config');
  (await api.next()).answer(200, secret('new', '8'));
  expect(await again).toMatchObject({ resourceVersion: '8' });
});

test('what is not there, has no key or may not be read is said with a remedy, and believed too', async () => {
  const { api, clock, reader } = await bench();
  const missing = reader.read('ns', 's', 'config');
  (await api.next()).refuse(404, 'NotFound');
  expect(await missing).toEqual({
    kind: 'missing',
    message: 'secret ns/s does not exist: create it, or correct secretRef.name',
  });
  expect(await reader.read('ns', 's', 'config')).toEqual(await missing);
  await clock.advance(5_000);
  const keyless = reader.read('ns', 's', 'config');
  (await api.next()).answer(200, { metadata: { resourceVersion: '1' }, data: { other: 'eA==' } });
  expect(await keyless).toMatchObject({ kind: 'no-key' });
  await clock.advance(5_000);
  const forbidden = reader.read('ns', 'other', 'config');
  (await api.next()).refuse(403, 'Forbidden');
  expect(await forbidden).toMatchObject({ kind: 'forbidden' });
  await clock.advance(5_000);
  const unavailable = reader.read('ns', 's', 'config');
  (await api.next()).refuse(500, 'InternalError');
  expect(await unavailable).toMatchObject({
    kind: 'unavailable',
    message: 'secret ns/s cannot be read now, and will be tried again: refused: InternalError',
  });
  expect(api.pending).toBe(0);
});

test('after an invalidation the server is asked again, and an answer that was under way is not believed', async () => {
  const { api, reader } = await bench();
  const old = reader.read('ns', 's', 'config');
  const slow = await api.next();
  reader.invalidate('ns', 's');
  const fresh = reader.read('ns', 's', 'config');
  (await api.next()).answer(200, secret('new', '2'));
  expect(await fresh).toMatchObject({ resourceVersion: '2' });
  slow.answer(200, secret('old', '1'));
  expect(await old).toMatchObject({ resourceVersion: '1' });
  expect(await reader.read('ns', 's', 'config')).toMatchObject({ resourceVersion: '2' });
});

test('a namespace has its share of what is remembered, and leaves room for others', async () => {
  const { api, clock } = await bench();
  const reader = new ContentReader('configmaps', {
    client: api.client(clock, { burst: 5000 }),
    clock,
    ttlMs: 5_000,
  });
  // A megabyte each, in values that may be read.
  const text = 'x'.repeat(65_536);
  const large = {
    metadata: {},
    data: Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k${i}`, text])),
  };
  const read = async (namespace: string, name: string): Promise<boolean> => {
    let done = false;
    const reading = reader.read(namespace, name, 'k0').finally(() => (done = true));
    await until(() => done || api.pending === 1);
    const asked = api.pending === 1;
    if (asked) (await api.next()).answer(200, large);
    expect(await reading).toMatchObject({ kind: 'found' });
    return asked;
  };
  for (let map = 0; map < 5; map++) expect(await read('a', `m${map}`)).toBe(true);
  for (let map = 0; map < 4; map++) expect(await read('a', `m${map}`)).toBe(false);
  expect(await read('a', 'm4')).toBe(true);
  expect(await read('b', 'm')).toBe(true);
  expect(await read('b', 'm')).toBe(false);
  // What is no longer believed makes room.
  await clock.advance(5_000);
  expect(await read('a', 'm4')).toBe(true);
  expect(await read('a', 'm4')).toBe(false);
});

test('what is under way keeps nothing alive that is no longer believed', async () => {
  const { api, clock } = await bench();
  const reader = new ContentReader('secrets', {
    client: api.client(clock, { burst: 5000 }),
    clock,
    ttlMs: 5_000,
  });
  void reader.read('ns', 'hanging', 'config');
  const hanging = await api.next();
  for (let number = 0; number < 1_500; number++) {
    if (number === 750) await clock.advance(5_000);
    const reading = reader.read('ns', `s${number}`, 'config');
    (await api.next()).refuse(404, 'NotFound');
    await reading;
  }
  await reader.read('ns', 's1499', 'config');
  expect(api.pending).toBe(0);
  hanging.refuse(404, 'NotFound');
});

test('keys beside the first one are of the same version; what is not there is left out, and one that is too long is named', async () => {
  const { api, clock, reader } = await bench();
  const read = (): Promise<unknown> => reader.read('ns', 's', 'config', ['tls.crt', 'tls.key', 'toString']);
  const answered = async (version: string, data: Readonly<Record<string, string>>): Promise<unknown> => {
    const reading = read();
    (await api.next()).answer(200, { metadata: { resourceVersion: version }, data });
    return reading;
  };
  expect(await answered('1', { config: 'eA==', 'tls.crt': 'eQ==' })).toEqual({
    ...{ kind: 'found', resourceVersion: '1', value: Buffer.from('x') },
    ...{ beside: { 'tls.crt': Buffer.from('y') }, keys: ['config', 'tls.crt'] },
  });
  await clock.advance(5_000);
  const long = Buffer.alloc(65_537).toString('base64');
  expect(await answered('2', { config: 'eA==', 'tls.key': long })).toMatchObject({
    kind: 'too-large',
    message: expect.stringMatching(/^secret ns\/s, key tls\.key has 65,537 bytes/) as string,
  });
  await clock.advance(5_000);
  expect(await answered('3', { 'tls.key': 'eQ==' })).toMatchObject({ kind: 'no-key' });
});

test('the keys of an object share a request, and each value is decoded once', async () => {
  const { api, clock } = await bench();
  const reader = new ContentReader('secrets', { client: api.client(clock), clock, ttlMs: 5_000 });
  const both = [reader.read('ns', 's', 'a'), reader.read('ns', 's', 'b')];
  (await api.next()).answer(200, { metadata: { resourceVersion: '1' }, data: { a: 'YQ==', b: 'Yg==' } });
  expect(await Promise.all(both)).toMatchObject([{ value: Buffer.from('a') }, { value: Buffer.from('b') }]);
  const [first, again] = [await both[0], await reader.read('ns', 's', 'a')];
  expect('value' in again && again.value).toBe(first !== undefined && 'value' in first && first.value);
  expect(await reader.read('ns', 's', 'toString')).toMatchObject({ kind: 'no-key' });
  expect(api.pending).toBe(0);
});

test.each([
  [65_536, 'found'],
  [65_537, 'too-large'],
])('a configuration of %i bytes is %s', async (length, kind) => {
  const { api, reader } = await bench();
  const reading = reader.read('ns', 's', 'config');
  (await api.next()).answer(200, secret('x'.repeat(length)));
  expect(await reading).toMatchObject({ kind });
});

test.each([
  ['data', 'x'.repeat(65_536), 'found', undefined],
  ['data', 'x'.repeat(1_000_000), 'too-large', '1,000,000 characters'],
  ['binaryData', Buffer.alloc(100_000).toString('base64'), 'too-large', '100,000 bytes'],
])(
  'a template in %s that is too long is refused before it is decoded (%#)',
  async (field, text, kind, size) => {
    const { api, clock } = await bench();
    const reader = new ContentReader('configmaps', { client: api.client(clock), clock, ttlMs: 5_000 });
    const reading = reader.read('ns', 'texts', 'night');
    (await api.next()).answer(200, { metadata: { resourceVersion: '1' }, [field]: { night: text } });
    expect(await reading).toMatchObject({
      kind,
      ...(size !== undefined && {
        message: `config map ns/texts, key night has ${size}, and at most 65,536 are read: shorten the template`,
      }),
    });
  },
);

test('a key of a config map is text, or base64 where it is no UTF-8; its absence is said with the key', async () => {
  const { api, clock } = await bench();
  const reader = new ContentReader('configmaps', { client: api.client(clock), clock, ttlMs: 5_000 });
  const map = { metadata: { resourceVersion: '3' }, data: { a: 'ü' }, binaryData: { b: '/w==' } };
  const readings = ['a', 'b', 'c'].map((key) => reader.read('ns', 'templates', key));
  const exchange = await api.next();
  expect(exchange.path).toBe('/api/v1/namespaces/ns/configmaps/templates');
  exchange.answer(200, map);
  expect(await Promise.all(readings)).toEqual([
    { kind: 'found', resourceVersion: '3', value: 'ü', beside: {}, keys: ['a', 'b'] },
    { kind: 'found', resourceVersion: '3', value: '\ufffd', beside: {}, keys: ['a', 'b'] },
    { kind: 'no-key', message: 'config map ns/templates has no key c: put the template there' },
  ]);
  const missing = reader.read('ns', 'gone', 'a');
  (await api.next()).refuse(404, 'NotFound');
  expect(await missing).toMatchObject({
    message: 'config map ns/gone does not exist: create it, or correct templateRef',
  });
});

test('what could be read and is refused may be refused for a moment, as by an API server that starts', async () => {
  const { api, clock, reader } = await bench();
  const read = reader.read('ns', 's', 'config');
  (await api.next()).answer(200, secret('x'));
  await read;
  for (const kind of ['unavailable', 'unavailable', 'forbidden']) {
    await clock.advance(5_000);
    const refused = reader.read('ns', 's', 'config');
    (await api.next()).refuse(403, 'Forbidden');
    expect(await refused).toMatchObject({ kind });
  }
});
