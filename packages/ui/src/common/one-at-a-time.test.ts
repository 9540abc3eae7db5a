import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

/** A task that ends when the test says so. */
function task() {
  const running: (() => void)[] = [];
  let runs = 0;
  const ask = oneAtATime(() => {
    runs++;
    return new Promise((resolve) => running.push(resolve));
  });
  const end = async (): Promise<void> => {
    running.shift()?.();
    await setImmediate();
  };
  return { ask, end, runs: () => runs };
}

it('runs a task when it is asked for', async () => {
  const { ask, end, runs } = task();
  void ask();
  expect(runs()).toBe(1);
  await end();
  expect(runs()).toBe(1);
  void ask();
  expect(runs()).toBe(2);
});

it('lets a run end before the next one, and runs once more for all that was asked meanwhile', async () => {
  const { ask, end, runs } = task();
  for (let asked = 0; asked < 5; asked++) void ask();
  expect(runs()).toBe(1);
  await end();
  expect(runs()).toBe(2);
  await end();
  expect(runs()).toBe(2);
});

it('tells when the run that was asked for has ended', async () => {
  const { ask, end, runs } = task();
  void ask();
  const asked = ask().then(runs);
  await end();
  await end();
  expect(await asked).toBe(2);
});
