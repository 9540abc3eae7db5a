import { expect, it } from 'vitest';
import type { Settlement } from '../dispatch/delivery.ts';
import { ManualClock } from '../testing/clock.ts';
import { progress } from '../testing/events.ts';
import { aSettlement } from '../testing/settlements.ts';
import { Drops } from './drops.ts';

const drop = (seq: number, sink = 's'): Settlement =>
  aSettlement({
    to: { namespace: 'team-a', notification: 'n', sink },
    event: progress(seq, 'db'),
    ...{ result: 'dropped', reason: 'overflow' },
  });

it('the first drop of a sink is told at once, the others together, and none is left out', async () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const drops = new Drops(clock, ({ to, event }, count, total) =>
    told.push(`${to.sink} ${event.seq} ${count} of ${total}`),
  );
  for (let seq = 1; seq <= 500; seq++) drops.add(drop(seq));
  drops.add(drop(1, 'other'));
  expect(told).toEqual(['s 1 1 of 1', 'other 1 1 of 1']);
  await clock.advance(10_000);
  expect(told.slice(2)).toEqual(['s 500 499 of 500']);
  drops.add(drop(501));
  await clock.advance(10_000);
  expect(told.slice(3)).toEqual(['s 501 1 of 501']);
  await clock.advance(599_999);
  drops.add(drop(502));
  expect(told.slice(4)).toEqual(['s 502 1 of 502']);
  await clock.advance(600_000);
  expect(clock.timers).toBe(0);
});

it('the end tells what has not been told', () => {
  const clock = new ManualClock();
  const told: number[] = [];
  const drops = new Drops(clock, (_, count) => told.push(count));
  for (let seq = 0; seq < 3; seq++) drops.add(drop(seq));
  drops.close();
  expect(told).toEqual([1, 2]);
  expect(clock.timers).toBe(0);
});
