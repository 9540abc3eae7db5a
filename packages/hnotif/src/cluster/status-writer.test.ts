import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { KubeError } from './error.ts';
import { Outage } from './outage.ts';
import { StatusWriter, type StatusOwner } from './status-writer.ts';
import { FakeApi, until, type Exchange } from './testing/fake-api.ts';

const TYPE = { group: 'hibernation.dev', version: 'v1alpha1', plural: 'hibernatenotifications' };
const PATH = '/apis/hibernation.dev/v1alpha1/namespaces/ns/hibernatenotifications';

/** What a write tests and what it sets. */
function patchOf({ json }: Exchange): unknown {
  const [test, add] = json as readonly {
    readonly op: string;
    readonly path: string;
    readonly value: unknown;
  }[];
  expect([test, add]).toMatchObject([
    { op: 'test', path: '/metadata/uid' },
    { op: 'add', path: '/status' },
  ]);
  return { uid: test?.value, status: add?.value };
}

async function bench() {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const results: string[] = [];
  const client = api.client(clock);
  const writer = new StatusWriter({
    client,
    clock,
    log: pino({ level: 'silent' }),
    type: TYPE,
    pace: new Set(['seen']),
    result: (result) => results.push(result),
  });
  onTestFinished(() => {
    void writer.close();
  });
  const owners = new Map<string, { observed: StatusOwner['observed']; wanted: object } & StatusOwner>();
  const owner = (name = 'n', uid = 'u') => {
    const known = owners.get(name);
    if (known?.uid === uid) return known;
    if (known !== undefined) writer.forget(known);
    const observed = { status: {}, resourceVersion: '1' };
    const made = { namespace: 'ns', name, uid, observed, wanted: {}, desired: () => made.wanted };
    owners.set(name, made);
    return made;
  };
  const set = (status: object, name = 'n', uid = 'u'): void => {
    owner(name, uid).wanted = status;
    writer.changed(owner(name, uid));
  };
  /** A watch shows this status. */
  const observed = (matched: number, resourceVersion: string): void => {
    owner().observed = { status: { matched }, resourceVersion };
    writer.changed(owner());
  };
  /** Waits until the answer to a write has been heard. */
  const heard = async (exchange: Exchange, answer: (exchange: Exchange) => void): Promise<unknown> => {
    const count = results.length;
    answer(exchange);
    await until(() => results.length > count);
    await settle();
    return patchOf(exchange);
  };
  let version = 100;
  const written = (exchange: Exchange, resourceVersion = String(version++)): Promise<unknown> =>
    heard(exchange, () => exchange.answer(200, { metadata: { resourceVersion } }));
  /** The first write of this status. */
  const sent = async (status: object): Promise<Exchange> => {
    set(status);
    return api.next();
  };
  return { api, client, clock, results, writer, owner, set, observed, heard, written, sent };
}

test('the first status is written at once, if the object still has its uid', async () => {
  const { written, sent } = await bench();
  const exchange = await sent({ matched: 1 });
  expect(exchange.path).toBe(`${PATH}/n/status`);
  expect(await written(exchange)).toEqual({ uid: 'u', status: { matched: 1 } });
});

test('a second one follows after the debounce, newest wins; later ones wait for the interval', async () => {
  const { api, clock, set, written, results, sent } = await bench();
  await written(await sent({ matched: 1 }));
  set({ matched: 2 });
  await clock.advance(100);
  set({ matched: 3 });
  await clock.advance(99);
  expect(api.pending).toBe(0);
  await clock.advance(1);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 3 } });
  set({ matched: 4 });
  expect(clock.nextIn).toBe(9_800);
  await clock.advance(9_000);
  set({ matched: 5 });
  await clock.advance(801);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 5 } });
  expect(results).toEqual(['written', 'written', 'written']);
});

test('a change of the pace alone is written after the interval, or with the next other change', async () => {
  const { api, clock, set, written } = await bench();
  set({ seen: 1 });
  await settle();
  expect(clock.nextIn).toBe(10_000);
  await clock.advance(9_000);
  set({ seen: 2 });
  await clock.advance(1_000);
  expect(await written(await api.next())).toMatchObject({ status: { seen: 2 } });
  set({ seen: 3 });
  await clock.advance(1_000);
  set({ seen: 3, matched: 4 });
  // One of the pace after it does not hold it up.
  set({ seen: 5, matched: 4 });
  await clock.advance(200);
  expect(await written(await api.next())).toMatchObject({ status: { seen: 5, matched: 4 } });
});

test('what stands there already is not written, be it wished for again before its turn', async () => {
  const { clock, set, written, results, sent } = await bench();
  await written(await sent({ matched: 1 }));
  set({ matched: 1 });
  set({ matched: 2 });
  set({ matched: 1 });
  await clock.advance(200);
  expect(clock.timers).toBe(0);
  expect(results).toEqual(['written', 'unchanged']);
});

test('a change during a write is written after it, never beside it', async () => {
  const { api, clock, set, written, sent } = await bench();
  const first = await sent({ matched: 1 });
  set({ matched: 2 });
  await clock.advance(20_000);
  expect(api.pending).toBe(0);
  set({ matched: 1 });
  set({ matched: 3 });
  await written(first);
  await clock.advance(200);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 3 } });
});

test('what something else has written is written over, once in each interval', async () => {
  const { api, clock, set, observed, written, results, sent } = await bench();
  await written(await sent({ matched: 1 }), '10');
  set({ matched: 2 });
  await clock.advance(200);
  await written(await api.next(), '11');
  // The watch lags behind: this is our own write before the last one, and the last one itself.
  observed(1, '10');
  observed(2, '11');
  await clock.advance(200);
  expect(api.pending).toBe(0);

  observed(99, '12');
  await clock.advance(9_000);
  expect(api.pending).toBe(0);
  await clock.advance(1_000);
  const exchange = await api.next();
  // Somebody writes after our patch, and the watch tells of it before the patch is answered.
  observed(98, '14');
  exchange.answer(200, { metadata: { resourceVersion: '13' } });
  await until(() => results.length === 3);
  await settle();
  await clock.advance(9_000);
  expect(api.pending).toBe(0);
  await clock.advance(1_000);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 2 } });
});

test('what a restored backup has lost is written again, though its versions are lower', async () => {
  const { api, clock, written, observed, heard, sent } = await bench();
  await heard(await sent({ matched: 2 }), (exchange) =>
    exchange.answer(200, { metadata: { resourceVersion: '5000' } }),
  );
  for (const [matched, resourceVersion] of [
    [2, '5000'],
    [1, '4000'],
  ] as const)
    observed(matched, resourceVersion);
  await clock.advance(10_000);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 2 } });
});

test('each write replaces the whole status', async () => {
  const { api, clock, set, written, sent } = await bench();
  await written(await sent({ a: 1, nested: { x: 1, y: 2 } }));
  set({ nested: { y: 3 } });
  await clock.advance(200);
  expect(await written(await api.next())).toEqual({ uid: 'u', status: { nested: { y: 3 } } });
});

test('while another object has the name, the write is tried again, until a watch tells of it', async () => {
  const { api, clock, heard, sent } = await bench();
  const message = 'the server rejected our request due to an error in our request';
  await heard(await sent({ matched: 1 }), (exchange) =>
    exchange.answer(422, { kind: 'Status', code: 422, reason: 'Invalid', message }),
  );
  await clock.advance(1200);
  expect(patchOf(await api.next())).toEqual({ uid: 'u', status: { matched: 1 } });
});

test('a failed write is tried again with backoff, with the newest status', async () => {
  const { api, clock, set, written, results, heard, sent } = await bench();
  await heard(await sent({ matched: 1 }), (exchange) => exchange.refuse(500, 'C500'));
  set({ matched: 2 });
  expect(clock.nextIn).toBe(1200);
  await clock.advance(1200);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 2 } });
  expect(results).toEqual(['failed', 'written']);
});

test('a status that the server refuses as invalid is not tried again, but the next one is', async () => {
  const { api, clock, set, written, results, heard, sent } = await bench();
  await heard(await sent({ matched: -1 }), (exchange) => exchange.refuse(422, 'Invalid'));
  expect(clock.timers).toBe(0);
  set({ matched: 2 });
  await clock.advance(10_000);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 2 } });
  expect(results).toEqual(['failed', 'written']);
});

test('refused statuses keep the debounce and the interval, and a problem is logged once', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  let tries = 0;
  const writer = new StatusWriter({
    client: {
      outage: new Outage(clock),
      replaceStatus: () => {
        tries++;
        return Promise.reject(new KubeError(422, 'Invalid', 'status.state: Unsupported value'));
      },
    },
    clock,
    log: pino({}, { write: (line) => lines.push(line) }),
    type: TYPE,
    pace: new Set(),
  });
  onTestFinished(() => writer.close());
  const owner = {
    ...{ namespace: 'ns', name: 'n', uid: 'u', observed: { status: {}, resourceVersion: '1' }, change: 0 },
    // In between, a status that stands there already is wanted.
    desired: () => (owner.change % 10 === 0 ? {} : { change: owner.change }),
  };
  for (owner.change = 1; owner.change <= 600; owner.change++) {
    writer.changed(owner);
    await clock.advance(100);
  }
  // Two at once, then one in 10 s.
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThanOrEqual(8);
  expect(lines).toHaveLength(1);
});

test('a 404 is no end: a server that has just come back knows no resource for a moment', async () => {
  const { api, clock, written, heard, sent } = await bench();
  await heard(await sent({ matched: 1 }), (exchange) => exchange.answer(404, '404 page not found'));
  await clock.advance(1_600);
  expect(await written(await api.next())).toMatchObject({ status: { matched: 1 } });
  expect(clock.timers).toBe(0);
});

test('what an outage held up is written as soon as it is over', async () => {
  const { api, client, clock, set, written, results } = await bench();
  for (const name of ['a', 'b']) set({ matched: 1 }, name);
  // Their waits get longer and longer.
  for (let failed = 2; failed <= 10; failed += 2) {
    await clock.advance(29_000);
    for (const exchange of [await api.next(), await api.next()]) exchange.reset();
    await until(() => results.length === failed);
    await settle();
  }
  const asked = client.get(TYPE, 'ns', 'n');
  (await api.next()).answer(200, {});
  await asked;
  await clock.advance(0);
  await written(await api.next());
  await written(await api.next());
  expect(results.slice(10)).toEqual(['written', 'written']);
});

test('an object that is gone, or another one under its name, is forgotten', async () => {
  const { api, clock, set, writer, owner, results } = await bench();
  set({ matched: 1 }, 'gone');
  await clock.advance(0);
  (await api.next()).refuse(404, 'NotFound');
  await until(() => results.length === 1);
  await settle();
  writer.forget(owner('gone'));
  await settle();
  expect([writer.size, clock.timers]).toEqual([0, 0]);
  results.length = 0;
  set({ matched: 1 }, 'dropped');
  const dropped = await api.next();
  set({ matched: 0 }, 'dropped');
  writer.forget(owner('dropped'));
  dropped.answer(200, {});
  await until(() => results.length === 1);
  results.length = 0;
  set({ matched: 1 }, 'replaced');
  const late = await api.next();
  set({ matched: 0 }, 'replaced', 'v');
  late.refuse(409, 'Conflict');
  await clock.advance(0);
  const exchange = await api.next();
  expect(patchOf(exchange)).toEqual({ uid: 'v', status: { matched: 0 } });
  exchange.answer(200, {});
  await until(() => results.length === 1);
  await clock.advance(60_000);
  expect(api.pending).toBe(0);
  expect(clock.timers).toBe(0);
  expect(results).toEqual(['written']);
});

test('a passing conflict is tried again', async () => {
  const { api, clock, written, results, heard, sent } = await bench();
  await heard(await sent({ matched: 1 }), (exchange) => exchange.refuse(409, 'Conflict'));
  await clock.advance(1200);
  await written(await api.next());
  expect(results).toEqual(['failed', 'written']);
});

test('a new object under an old name gets its own status at once', async () => {
  const { api, clock, set, written, sent } = await bench();
  await written(await sent({ matched: 1 }));
  set({ matched: 1 }, 'n', 'v');
  await clock.advance(0);
  expect(await written(await api.next())).toEqual({ uid: 'v', status: { matched: 1 } });
});

test('no more than four writes are under way at a time', async () => {
  const { api, clock, set, written } = await bench();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) set({ matched: 1 }, name);
  await clock.advance(0);
  await until(() => api.pending === 4);
  await settle();
  expect(api.pending).toBe(4);
  await written(await api.next());
  await until(() => api.pending === 4);
});

test('close writes what waits, and waits five seconds for it at most', async () => {
  const { api, clock, set, written, writer, sent } = await bench();
  await written(await sent({ matched: 1 }));
  set({ matched: 2 });
  const closing = writer.close();
  expect(patchOf(await api.next())).toMatchObject({ status: { matched: 2 } });
  await clock.advance(5_000);
  await closing;
  set({ matched: 3 });
  expect(clock.timers).toBe(0);
});

test('a close with a signal that has aborted writes nothing', async () => {
  const { api, clock, set, writer } = await bench();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) set({ matched: 1 }, name);
  await until(() => api.pending === 4);
  await writer.close(AbortSignal.abort());
  set({ matched: 2 }, 'g');
  await settle();
  expect([api.pending, clock.timers]).toEqual([4, 0]);
});

test('statuses that take long are made one after the other, and take a twentieth of the time', async () => {
  const { clock, writer, owner } = await bench();
  const made: string[] = [];
  const monotonic = clock.monotonic.bind(clock);
  let took = 0;
  clock.monotonic = () => monotonic() + took;
  for (const name of ['a', 'b', 'c']) {
    const slow = Object.assign(owner(name), {
      desired: () => {
        made.push(name);
        took += 10;
        return undefined;
      },
    });
    writer.changed(slow);
    writer.changed(slow);
  }
  await clock.advance(199);
  expect(made).toEqual(['a']);
  await clock.advance(1);
  expect(made).toEqual(['a', 'b']);
  await clock.advance(200);
  expect(made).toEqual(['a', 'b', 'c']);
  expect(writer.size).toBe(0);
});
