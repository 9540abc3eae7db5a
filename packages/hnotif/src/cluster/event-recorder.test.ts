import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { KubeError } from './error.ts';
import { EventRecorder, type Regarding } from './event-recorder.ts';
import { Outage } from './outage.ts';
import { FakeApi, until } from './testing/fake-api.ts';

const about = (name: string, namespace = 'ns'): Regarding => ({
  apiVersion: 'hibernation.dev/v1alpha1',
  kind: 'HibernateNotification',
  namespace,
  name,
  uid: `uid-${name}`,
});

async function bench() {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const dropped: string[] = [];
  const recorder = new EventRecorder({
    client: api.client(clock),
    clock,
    log: pino({ level: 'silent' }),
    dropped: (why) => dropped.push(why),
  });
  onTestFinished(() => {
    void recorder.close();
  });
  return { api, clock, dropped, recorder };
}

test('a first note is a new Event beside its object', async () => {
  const { api, recorder } = await bench();
  recorder.warn(about('n'), 'DeliveryFailed', 'it failed', 'ops');
  const { method, path, json } = await api.next();
  expect([method, path]).toEqual(['POST', '/api/v1/namespaces/ns/events']);
  expect(json).toEqual({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: expect.stringMatching(/^n\.[0-9a-f]{16}$/) as string, namespace: 'ns' },
    involvedObject: {
      apiVersion: 'hibernation.dev/v1alpha1',
      kind: 'HibernateNotification',
      name: 'n',
      namespace: 'ns',
      uid: 'uid-n',
    },
    type: 'Warning',
    reason: 'DeliveryFailed',
    message: 'it failed',
    count: 1,
    firstTimestamp: '2026-01-05T20:00:00Z',
    lastTimestamp: '2026-01-05T20:00:00Z',
    source: { component: 'hnotif' },
    reportingComponent: 'hnotif',
    reportingInstance: '',
  });
});

test('notes of one reason and subject raise the count of one Event, however many come during a write', async () => {
  const { api, clock, recorder } = await bench();
  recorder.warn(about('n'), 'DeliveryFailed', 'one', 'ops');
  const created = await api.next();
  await clock.advance(5_000);
  recorder.warn(about('n'), 'DeliveryFailed', 'two', 'ops');
  recorder.warn(about('n'), 'DeliveryFailed', 'three', 'ops');
  created.answer(201, {});
  const patched = await api.next();
  expect([patched.method, patched.path]).toEqual([
    'PATCH',
    `/api/v1/namespaces/ns/events/${(created.json as { metadata: { name: string } }).metadata.name}`,
  ]);
  expect(patched.json).toEqual({ count: 3, lastTimestamp: '2026-01-05T20:00:05Z', message: 'three' });
  patched.answer(200, {});
  recorder.warn(about('n'), 'DeliveryFailed', 'other sink', 'dev');
  expect((await api.next()).method).toBe('POST');
});

test('an Event that the server has forgotten is made again, and a series ends after ten quiet minutes', async () => {
  const { api, clock, recorder } = await bench();
  const warn = (): void => {
    recorder.warn(about('n'), 'DeliveryFailed', 'x');
  };
  warn();
  (await api.next()).answer(201, {});
  await settle();
  await until(() => clock.timers === 0);
  warn();
  (await api.next()).refuse(404, 'NotFound');
  const again = await api.next();
  expect(again.json).toMatchObject({ count: 2 });
  again.answer(201, {});
  await until(() => clock.timers === 0);
  await settle();
  await clock.advance(600_000);
  warn();
  const fresh = await api.next();
  expect([fresh.method, (fresh.json as { count: number }).count]).toEqual(['POST', 1]);
});

test('an object has 64 writes at once and then one in five minutes; none is lost, and the count goes on', async () => {
  const { api, clock, dropped, recorder } = await bench();
  for (let note = 0; note < 64; note++) {
    recorder.warn(about('n'), 'DeliveryFailed', 'x');
    (await api.next()).answer(200, {});
    await until(() => clock.timers === 0);
    await settle();
  }
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  recorder.warn(about('n'), 'SinkParked', 'y');
  await clock.advance(300_000);
  const written = await api.next();
  expect(written.json).toMatchObject({ count: 66 });
  written.answer(200, {});
  await until(() => clock.timers > 0);
  await clock.advance(300_000);
  expect((await api.next()).json).toMatchObject({ reason: 'SinkParked', count: 1 });
  expect(dropped).toEqual([]);
});

test('4 writes are under way at most; the others wait for their turn, and none is dropped', async () => {
  const { api, dropped, recorder } = await bench();
  for (let object = 0; object < 40; object++) recorder.warn(about(`n${object}`), 'DeliveryFailed', 'x');
  await until(() => api.pending === 4);
  recorder.warn({ ...about('other'), namespace: 'other' }, 'DeliveryFailed', 'x');
  const written: unknown[] = [];
  for (let object = 0; object < 41; object++) {
    const exchange = await api.next();
    written.push((exchange.json as { metadata: { namespace: string } }).metadata.namespace);
    exchange.answer(201, {});
  }
  // Of the namespaces that wait each has its turn.
  expect(written.indexOf('other')).toBeLessThan(8);
  expect(dropped).toEqual([]);
});

test('notes that are too many for their object strand no other that waits behind them', async () => {
  const { api, dropped, recorder } = await bench();
  for (let object = 0; object < 4; object++) recorder.warn(about(`n${object}`), 'DeliveryFailed', 'x');
  await until(() => api.pending === 4);
  for (let subject = 0; subject < 80; subject++)
    recorder.warn(about('loud'), 'DeliveryFailed', 'x', `s${subject}`);
  recorder.warn(about('last'), 'DeliveryFailed', 'x');
  const written: string[] = [];
  for (let write = 0; write < 4 + 64 + 1; write++) {
    const exchange = await api.next();
    written.push((exchange.json as { involvedObject: { name: string } }).involvedObject.name);
    exchange.answer(201, {});
  }
  expect(written).toContain('last');
  expect(dropped).toEqual([]);
});

test('of more than 10,000 series the namespace with the most loses its oldest ones, and no other one', async () => {
  const { api, dropped, recorder } = await bench();
  const busy = (from: number, to: number): void => {
    for (let which = from; which < to; which++) recorder.warn(about(`n${which}`), 'SinkParked', 'it is down');
  };
  busy(0, 4);
  recorder.warn(about('quiet', 'team-b'), 'SinkParked', 'it is down');
  busy(4, 10_500);
  const paths: string[] = [];
  for (let request = 0; request < 8; request++) {
    const next = await api.next();
    paths.push(next.path);
    next.answer(201, {});
  }
  expect(paths).toContain('/api/v1/namespaces/team-b/events');
  expect(dropped.length).toBeGreaterThan(0);
  expect(new Set(dropped)).toEqual(new Set(['overload']));
});

test('a write that fails for a reason that passes is tried again', async () => {
  const { api, clock, dropped, recorder } = await bench();
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  (await api.next()).refuse(500, 'InternalError');
  await settle();
  await until(() => clock.timers > 0);
  await settle();
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  await clock.advance(2_000);
  expect((await api.next()).json).toMatchObject({ count: 2 });
  expect(dropped).toEqual([]);
});

test('a namespace whose Events fail delays those of no other, and gets its own when it can', async () => {
  const clock = new ManualClock();
  const down = new KubeError(500, 'InternalError', 'failed calling webhook "x.example"');
  const written = new Set<string>();
  let isDown = true;
  let failed = 0;
  const recorder = new EventRecorder({
    client: {
      outage: new Outage(clock),
      create: (_, namespace = '', event) => {
        if (namespace === 'bad' && isDown) {
          failed++;
          return Promise.reject(down);
        }
        const { name } = (event as { involvedObject: Regarding }).involvedObject;
        written.add(`${namespace}/${name}`);
        return Promise.resolve({});
      },
      mergePatch: () => Promise.reject(down),
    },
    clock,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => recorder.close());
  for (const namespace of ['bad', 'good'])
    for (let object = 0; object < 60; object++)
      recorder.warn({ ...about(`n${object}`), namespace, uid: `${namespace}-${object}` }, 'SinkParked', 'x');
  await clock.advance(1_000);
  expect(written.size).toBe(60);
  // A minute of failures needs few tries: the namespace waits as a whole.
  await clock.advance(59_000);
  expect(failed).toBeLessThan(40);
  isDown = false;
  await clock.advance(30_000);
  expect(written.size).toBe(120);
});

test('while the API server takes nothing, all namespaces wait as one, and none is lost', async () => {
  const clock = new ManualClock();
  let isAway = true;
  let failed = 0;
  const written = new Set<string>();
  const recorder = new EventRecorder({
    client: {
      outage: new Outage(clock),
      create(_, namespace = '') {
        if (isAway) {
          failed++;
          return Promise.reject(new KubeError(503, 'ServiceUnavailable', 'it starts'));
        }
        written.add(namespace);
        return Promise.resolve({});
      },
      mergePatch: () => Promise.resolve({ namespace: '', name: '', uid: '', resourceVersion: '1' }),
    },
    clock,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => recorder.close());
  for (let team = 0; team < 60; team++)
    recorder.warn({ ...about('n'), namespace: `team-${team}`, uid: `uid-${team}` }, 'SinkParked', 'x');
  await clock.advance(60_000);
  expect(failed).toBeLessThan(40);
  isAway = false;
  await clock.advance(30_000);
  expect(written.size).toBe(60);
});

test('an API server that asks for time gets it', async () => {
  const { api, clock, recorder } = await bench();
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  (await api.next()).refuse(429, 'TooManyRequests', { 'retry-after': '20' });
  await settle();
  await until(() => clock.timers > 0);
  await settle();
  await clock.advance(19_000);
  expect(api.pending).toBe(0);
  await clock.advance(2_000);
  expect((await api.next()).json).toMatchObject({ count: 1 });
});

test('a write whose answer was lost is known by the Event that stands there', async () => {
  const { api, clock, recorder } = await bench();
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  (await api.next()).refuse(409, 'AlreadyExists');
  await until(() => clock.timers > 0);
  await clock.advance(2_000);
  expect((await api.next()).method).toBe('PATCH');
});

test('a refused write is counted, and the next note of the series carries its count', async () => {
  const { api, dropped, recorder } = await bench();
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  (await api.next()).refuse(403, 'Forbidden');
  await until(() => dropped.length === 1);
  await settle();
  recorder.warn(about('n'), 'DeliveryFailed', '🌙'.repeat(2000));
  const { method, json } = await api.next();
  expect(method).toBe('POST');
  expect(json).toMatchObject({ count: 2, message: '🌙'.repeat(1024) });
});

test('close waits two seconds for what is under way', async () => {
  const { api, clock, recorder } = await bench();
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  const exchange = await api.next();
  const closing = recorder.close();
  await clock.advance(2_000);
  await closing;
  await exchange.gone();
  recorder.warn(about('n'), 'DeliveryFailed', 'x');
  expect(clock.timers).toBe(0);
});

test('a close with a signal that has aborted writes nothing', async () => {
  const { api, clock, recorder } = await bench();
  for (let object = 0; object < 20; object++) recorder.warn(about(`n${object}`), 'DeliveryFailed', 'x');
  await until(() => api.pending === 4);
  await recorder.close(AbortSignal.abort());
  recorder.warn(about('late'), 'DeliveryFailed', 'x');
  expect([api.pending, clock.timers]).toEqual([4, 0]);
});
