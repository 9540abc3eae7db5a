import { expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { GracePeriods } from './grace-periods.ts';

const OPS = { namespace: 'a', notification: 'n', sink: 'ops' };
const CHAT = { namespace: 'a', notification: 'n', sink: 'chat' };

it('a sink may return within its own time', async () => {
  const clock = new ManualClock();
  const over: string[] = [];
  const grace = new GracePeriods(clock, 30_000, { graceEnded: ({ sink }) => over.push(sink) });
  grace.left(OPS);
  grace.left(CHAT);
  await clock.advance(29_999);
  expect([grace.has(OPS), grace.has(CHAT), over]).toEqual([true, true, []]);
  grace.back(OPS);
  await clock.advance(1);
  expect([grace.has(OPS), grace.has(CHAT), over]).toEqual([false, false, ['chat']]);
  grace.left(OPS);
  grace.left(OPS);
  await clock.advance(30_000);
  expect(over).toEqual(['chat', 'ops']);
  grace.left(OPS);
  grace.close();
  expect(clock.timers).toBe(0);
});

it('without a grace period it ends at once', () => {
  const over: string[] = [];
  new GracePeriods(new ManualClock(), 0, { graceEnded: ({ sink }) => over.push(sink) }).left(OPS);
  expect(over).toEqual(['ops']);
});
