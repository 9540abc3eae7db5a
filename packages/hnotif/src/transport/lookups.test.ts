import { expect, test } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { type LookupResult, LOOKUP_MS, Lookups, type Resolve, QUEUE_MS } from './lookups.ts';

const HERE = [{ address: '127.0.0.1', family: 4 }];

/** Look-ups. The test decides when the resolver answers. */
function rig(limit: number) {
  const clock = new ManualClock();
  const asked = new Map<string, Parameters<Resolve>[1]>();
  const lookups = new Lookups({ clock, limit, resolve: (name, done) => asked.set(name, done) });
  return { clock, asked, lookups };
}

const reasonOf = (looked: LookupResult): unknown => ('reason' in looked ? looked.reason : looked);

test('a look-up holds its permit until the resolver ends, even after its time limit', async () => {
  const { clock, asked, lookups } = rig(2);
  const silent = lookups.resolve('silent.example', 'a');
  await clock.advance(LOOKUP_MS);
  expect(reasonOf(await silent)).toBe('NameLookupFailed');
  const next = lookups.resolve('next.example', 'a');
  const other = lookups.resolve('other.example', 'b');
  await settle();
  expect([...asked.keys()]).toEqual(['silent.example', 'other.example']);
  asked.get('silent.example')?.(new Error('at last'), []);
  await settle();
  asked.get('next.example')?.(null, HERE);
  asked.get('other.example')?.(null, HERE);
  expect([await next, await other]).toEqual([HERE, HERE]);
  expect(clock.timers).toBe(0);
});

test('a look-up that gets no permit in time fails as LookupWaited, and is not made', async () => {
  const { clock, asked, lookups } = rig(2);
  void lookups.resolve('silent.example', 'a');
  const waits = lookups.resolve('next.example', 'a');
  await clock.advance(QUEUE_MS);
  expect(reasonOf(await waits)).toBe('LookupWaited');
  expect([...asked.keys()]).toEqual(['silent.example']);
});

test('a request that is aborted waits for no permit', async () => {
  const { asked, clock, lookups } = rig(2);
  void lookups.resolve('silent.example', 'a');
  const request = new AbortController();
  const waits = lookups.resolve('next.example', 'a', request.signal);
  const late = lookups.resolve('late.example', 'a', AbortSignal.abort());
  expect(reasonOf(await late)).toBe('LookupWaited');
  request.abort();
  expect(reasonOf(await waits)).toBe('LookupWaited');
  expect([...asked.keys()]).toEqual(['silent.example']);
  expect(clock.timers).toBe(1);
});

test('no second look-up of a name begins while the first one runs', async () => {
  const { clock, asked, lookups } = rig(8);
  const first = lookups.resolve('silent.example', 'a');
  await clock.advance(LOOKUP_MS);
  expect(await lookups.resolve('silent.example', 'b')).toBe(await first);
  asked.get('silent.example')?.(null, HERE);
  expect(await lookups.resolve('silent.example', 'b')).toBe(HERE);
});

test('an error is cached for a second, an answer for five', async () => {
  const { clock, asked, lookups } = rig(2);
  const looked = async (error: Error | null): Promise<boolean> => {
    asked.clear();
    const look = lookups.resolve('a.example', 'a');
    await settle();
    asked.get('a.example')?.(error, HERE);
    await look;
    return asked.size === 1;
  };
  expect(await looked(new Error('no'))).toBe(true);
  await clock.advance(999);
  expect(await looked(null)).toBe(false);
  await clock.advance(1);
  expect(await looked(null)).toBe(true);
  await clock.advance(4_999);
  expect(await looked(null)).toBe(false);
  await clock.advance(1);
  expect(await looked(null)).toBe(true);
});

test('a namespace that looks up many names pushes no result of another out of the cache', async () => {
  const asked: string[] = [];
  const resolve: Resolve = (name, done) => {
    asked.push(name);
    done(null, HERE);
  };
  const lookups = new Lookups({ clock: new ManualClock(), limit: 2, resolve });
  await lookups.resolve('quiet.example', 'quiet');
  for (let host = 0; host < 3_000; host++) await lookups.resolve(`${host}.example`, 'busy');
  asked.length = 0;
  await lookups.resolve('quiet.example', 'quiet');
  expect(asked).toEqual([]);
});

test('an aborted request does not wait for a permit, and close() ends all that wait', async () => {
  const { lookups } = rig(1);
  void lookups.resolve('silent.example', 'a');
  const stop = new AbortController();
  const off = lookups.resolve('b.example', 'a', stop.signal);
  const closed = lookups.resolve('c.example', 'a');
  stop.abort();
  lookups.close();
  expect(await Promise.all([off, closed].map(async (look) => reasonOf(await look)))).toEqual([
    'LookupWaited',
    'LookupWaited',
  ]);
});
