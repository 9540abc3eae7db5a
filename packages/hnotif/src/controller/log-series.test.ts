import { expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { LogSeries } from './log-series.ts';

function rig() {
  const clock = new ManualClock();
  const began = clock.now();
  const told: string[] = [];
  const lines = new LogSeries(clock);
  const add = (key: string, which: number, owner = 'team-a'): void => {
    lines.add(owner, key, 1, ({ count, total, since }) => {
      const ago = since === undefined ? '' : ` since ${since - began}`;
      told.push(`${key} ${which}: ${count} of ${total}${ago}`);
    });
  };
  return { clock, told, lines, add };
}

it('the first of a series is written at once, the others together, and each is counted', async () => {
  const { clock, told, add } = rig();
  for (let which = 1; which <= 500; which++) add('s', which);
  add('other', 1);
  expect(told).toEqual(['s 1: 1 of 1', 'other 1: 1 of 1']);
  await clock.advance(10_000);
  expect(told.slice(2)).toEqual(['s 500: 499 of 500 since 0']);
  add('s', 501);
  await clock.advance(10_000);
  expect(told.slice(3)).toEqual(['s 501: 1 of 501 since 10000']);
  await clock.advance(599_999);
  add('s', 502);
  expect(told.slice(4)).toEqual(['s 502: 1 of 502']);
  await clock.advance(600_000);
  expect(clock.timers).toBe(0);
});

it('close writes the lines that are due', () => {
  const { clock, told, lines, add } = rig();
  for (let which = 0; which < 3; which++) add('s', which);
  lines.close();
  expect(told).toEqual(['s 0: 1 of 1', 's 2: 2 of 3 since 0']);
  expect(clock.timers).toBe(0);
});

it('has a limit: the namespace with the most series writes the lines of its oldest earlier, and no other one', () => {
  const { clock, told, lines, add } = rig();
  for (let which = 1; which <= 2; which++) add('other', which, 'team-b');
  for (let series = 0; series < 11_000; series++)
    for (let which = 1; which <= 2; which++) add(`${series}`, which);
  expect(clock.timers).toBeLessThanOrEqual(10_000);
  expect(told).not.toContain('other 2: 1 of 2 since 0');
  expect(told).toContain('0 2: 1 of 2 since 0');
  lines.close();
  expect(told).toContain('other 2: 1 of 2 since 0');
  expect(told).toHaveLength(22_002);
});
