import { expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { ContentReader } from './contents.ts';
import { FakeApi, until } from './testing/fake-api.ts';

const secret = (text: string, resourceVersion = '7'): object => ({
  kind: 'Secret',
  metadata: { name: 's', namespace: 'ns', resourceVersion },
  data: { config: Buffer.from(text).toString('base64') },
});

async function bench() {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  return { api, clock, reader: new ContentReader('secrets', { client: api.client(clock), clock }) };
}

test('those who ask together share a request, and its answer is believed for five seconds', async () => {
  const { api, clock, reader } = await bench();
  const both = [reader.read('ns', 's', 'config'), reader.read('ns', 's', 'config')];
  const exchange = await api.next();
  expect(exchange.path).toBe('/api/v1/namespaces/ns/secrets/s');
  exchange.answer(200, secret('ü\u0000'));
  for (const reading of await Promise.all(both))
    expect(reading).toEqual({ kind: 'found', resourceVersion: '7', value: Buffer.from('ü\u0000') });
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
  const forbidden = reader.read('ns', 's', 'config');
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
  reader.invalidate('ns', 's', 'config');
  const fresh = reader.read('ns', 's', 'config');
  (await api.next()).answer(200, secret('new', '2'));
  expect(await fresh).toMatchObject({ resourceVersion: '2' });
  slow.answer(200, secret('old', '1'));
  expect(await old).toMatchObject({ resourceVersion: '1' });
  expect(await reader.read('ns', 's', 'config')).toMatchObject({ resourceVersion: '2' });
});

test('a thousand secrets are remembered and no more', async () => {
  const { api, clock } = await bench();
  const reader = new ContentReader('secrets', { client: api.client(clock, { burst: 5000 }), clock });
  for (let number = 0; number <= 1000; number++) {
    const reading = reader.read('ns', `s${number}`, 'config');
    (await api.next()).refuse(404, 'NotFound');
    await reading;
  }
  await reader.read('ns', 's1', 'config');
  expect(api.pending).toBe(0);
  void reader.read('ns', 's0', 'config');
  await until(() => api.pending === 1);
  (await api.next()).refuse(404, 'NotFound');
});

test('a key of a config map is text, or base64 where it is no UTF-8; its absence is said with the key', async () => {
  const { api, clock } = await bench();
  const reader = new ContentReader('configmaps', { client: api.client(clock), clock });
  const map = { metadata: { resourceVersion: '3' }, data: { a: 'ü' }, binaryData: { b: 'AP8=' } };
  const readings = ['a', 'b', 'c'].map((key) => reader.read('ns', 'templates', key));
  for (const reading of readings) {
    const exchange = await api.next();
    expect(exchange.path).toBe('/api/v1/namespaces/ns/configmaps/templates');
    exchange.answer(200, map);
    void reading;
  }
  expect(await Promise.all(readings)).toEqual([
    { kind: 'found', resourceVersion: '3', value: Buffer.from('ü') },
    { kind: 'found', resourceVersion: '3', value: Buffer.from([0, 255]) },
    { kind: 'no-key', message: 'config map ns/templates has no key c: put the template there' },
  ]);
  const missing = reader.read('ns', 'gone', 'a');
  (await api.next()).refuse(404, 'NotFound');
  expect(await missing).toMatchObject({
    message: 'config map ns/gone does not exist: create it, or correct templateRef',
  });
});
