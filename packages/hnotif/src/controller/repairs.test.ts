import { expect, it } from 'vitest';
import type { SinkResolution } from '../dispatch/dispatcher.ts';
import type { SinkAddress } from '@hnotif/core/resources';
import { fold, rootKeyOf } from '../../../core/src/sinks/teamchat/thread/root.ts';
import { memoryOf, staleRoot } from '../../../core/src/sinks/teamchat/thread/root-store.ts';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { anEvent } from '../../../core/src/testing/events.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { Repairs } from './repairs.ts';

const UNREADY = { kind: 'unready', outcome: { kind: 'wait', forMs: 5_000 } } as const;
const plan = { current: aPlan() };
const at = (cycle: string, sink = 'chat', namespace = 'team-a') => ({
  address: { namespace, notification: 'n', sink },
  planUid: 'uid-1',
  key: JSON.stringify([cycle, 'shutdown']),
});
const STALE = memoryOf({
  desired: fold(undefined, anEvent('Success', 1)),
  sent: 'an older state',
  location: { asked: '#c', channel: 'C1', ts: '1.1' },
});

function rig(resolve: (to: SinkAddress) => SinkResolution['kind']) {
  const clock = new ManualClock();
  const repaired: string[] = [];
  const asked: string[] = [];
  const sinks: ConstructorParameters<typeof Repairs>[0]['sinks'] = {
    resolve: ({ to }) => {
      asked.push(to.sink);
      const kind = resolve(to);
      if (kind === 'unready') return UNREADY;
      if (kind === 'unsubscribed') return { kind };
      const sink = { repair: (key: string) => repaired.push(key) };
      return { kind, sink, plan: plan.current } as unknown as SinkResolution;
    },
  };
  let list = (): void => undefined;
  const later = new Promise<void>((done) => (list = done));
  const watches = {
    whenListed: (namespace: string) => (namespace === 'team-b' ? later : Promise.resolve()),
  };
  const repairs = new Repairs({ clock, sinks, watches, threads: { found: staleRoot } });
  return { clock, repairs, repaired, asked, /** The namespace team-b. */ list };
}

it('roots of a sink that cannot be read wait until it can: it is asked once for all of them, less and less often', async () => {
  let isReady = false;
  const { clock, repairs, repaired, asked } = rig(() => (isReady ? 'ready' : 'unready'));
  for (const cycle of ['c1', 'c2', 'c3']) repairs.memoryFound(plan, at(cycle), STALE);
  await clock.advance(60_000);
  expect(asked).toHaveLength(6);
  expect(repaired).toEqual([]);
  isReady = true;
  await clock.advance(300_000);
  expect(repaired).toEqual(['c1', 'c2', 'c3'].map((cycle) => rootKeyOf(at(cycle))));
  expect(clock.timers).toBe(0);
});

it('they are given up after a day, and at the end', async () => {
  const { clock, repairs } = rig(() => 'unready');
  repairs.memoryFound(plan, at('c1'), STALE);
  await clock.advance(23 * 3_600_000);
  expect(clock.timers).toBe(1);
  await clock.advance(2 * 3_600_000);
  expect(clock.timers).toBe(0);
  repairs.memoryFound(plan, at('c2'), STALE);
  await clock.advance(0);
  expect(clock.timers).toBe(1);
  repairs.close();
  expect(clock.timers).toBe(0);
});

it('a sink is asked only when its namespace has been listed: until then it seems to be deleted', async () => {
  const { clock, repairs, repaired, list } = rig(({ sink }) => (sink === 'gone' ? 'unsubscribed' : 'ready'));
  repairs.memoryFound(plan, at('c1', 'gone'), STALE);
  repairs.memoryFound(plan, at('c2'), STALE);
  repairs.memoryFound(plan, at('c3', 'chat', 'team-b'), STALE);
  repairs.memoryFound(plan, at('c4'), { ...STALE, sent: '', place: undefined });
  await clock.advance(1_000);
  expect(repaired).toEqual([rootKeyOf(at('c2'))]);
  list();
  await clock.advance(0);
  expect(repaired).toEqual([rootKeyOf(at('c2')), rootKeyOf(at('c3', 'chat', 'team-b'))]);
});
