import { expect, it } from 'vitest';
import { CheckQueue } from './check-queue.ts';

it('only a few checks run at once, and urgent ones run first', async () => {
  const checks = new CheckQueue(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, urgent: boolean) => {
    checks.add(
      'team-a',
      () => {
        begun.push(name);
        return new Promise((resolve) => ends.push(resolve));
      },
      urgent,
    );
  };
  for (const name of ['a', 'b', 'c', 'd']) add(name, false);
  add('new', true);
  expect(begun).toEqual(['a', 'b']);
  ends[0]?.();
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'new']);
  ends[1]?.();
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'new', 'c']);
  checks.clear();
  ends[2]?.();
  await new Promise(setImmediate);
  expect(begun).toHaveLength(4);
});
