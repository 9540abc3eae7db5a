import { expect, it } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { unelected } from './leadership.ts';

it('one who is not elected has a higher term than all that began before, be it in the same second', async () => {
  const clock = new ManualClock();
  const terms: number[] = [];
  for (let start = 0; start < 5; start++) {
    terms.push(await unelected(`process-${start}`, clock).leading);
    await clock.advance(start < 3 ? 1 : 997);
  }
  expect(terms).toEqual(terms.toSorted((a, b) => a - b));
  expect(new Set(terms).size).toBe(5);
  expect(Number.isSafeInteger(terms.at(-1))).toBe(true);
});

it('one who is not elected has nothing to renew', async () => {
  const alone = unelected('process', new ManualClock());
  expect([alone.isLeader(), alone.isRenewed()]).toEqual([true, true]);
  await alone.release();
  expect([alone.isLeader(), alone.isRenewed()]).toEqual([false, false]);
});
