import { expect, test } from 'vitest';
import { ManualClock, settle } from '../testing/clock.ts';
import { type Looked, LOOKUP_MS, Lookups, type Resolve, TURN_MS } from './lookups.ts';

const HERE = [{ address: '127.0.0.1', family: 4 }];

/** Look-ups whose resolver answers when the test says so. */
function rig(limit: number) {
  const clock = new ManualClock();
  const asked = new Map<string, Parameters<Resolve>[1]>();
  const lookups = new Lookups({ clock, limit, resolve: (name, done) => asked.set(name, done) });
  return { clock, asked, lookups };
}

const reasonOf = (looked: Looked): unknown => ('reason' in looked ? looked.reason : looked);

test('a look-up holds its turn until the resolver ends, also when its answer is not awaited any more', async () => {
  const { clock, asked, lookups } = rig(2);
  const silent = lookups.look('silent.example', 'a');
  await clock.advance(LOOKUP_MS);
  expect(reasonOf(await silent)).toBe('NameLookupFailed');
  const next = lookups.look('next.example', 'a');
  const other = lookups.look('other.example', 'b');
  await settle();
  expect([...asked.keys()]).toEqual(['silent.example', 'other.example']);
  asked.get('silent.example')?.(new Error('at last'), []);
  await settle();
  asked.get('next.example')?.(null, HERE);
  asked.get('other.example')?.(null, HERE);
  expect([await next, await other]).toEqual([HERE, HERE]);
  expect(clock.timers).toBe(0);
});

test('a look-up that gets no turn in time says so, and is not made', async () => {
  const { clock, asked, lookups } = rig(2);
  void lookups.look('silent.example', 'a');
  const waits = lookups.look('next.example', 'a');
  await clock.advance(TURN_MS);
  expect(reasonOf(await waits)).toBe('LookupWaited');
  expect([...asked.keys()]).toEqual(['silent.example']);
});

test('a name that is not answered is not asked for again while the resolver is at it', async () => {
  const { clock, asked, lookups } = rig(8);
  const first = lookups.look('silent.example', 'a');
  await clock.advance(LOOKUP_MS);
  expect(await lookups.look('silent.example', 'b')).toBe(await first);
  asked.get('silent.example')?.(null, HERE);
  expect(await lookups.look('silent.example', 'b')).toBe(HERE);
});

test('an error is believed for a second, an answer for five', async () => {
  const { clock, asked, lookups } = rig(2);
  const looked = async (error: Error | null): Promise<boolean> => {
    asked.clear();
    const look = lookups.look('a.example', 'a');
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

test('a request that is called off waits for no turn, and close() ends all that wait', async () => {
  const { lookups } = rig(1);
  void lookups.look('silent.example', 'a');
  const stop = new AbortController();
  const off = lookups.look('b.example', 'a', stop.signal);
  const closed = lookups.look('c.example', 'a');
  stop.abort();
  lookups.close();
  expect(await Promise.all([off, closed].map(async (look) => reasonOf(await look)))).toEqual([
    'LookupWaited',
    'LookupWaited',
  ]);
});
