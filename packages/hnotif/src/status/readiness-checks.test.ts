import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Notification } from '@hnotif/core/resources';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { ReadinessChecks } from './readiness-checks.ts';

const withSinks = (secrets: readonly string[]): Notification => ({
  ...{ namespace: 'team', name: 'night', uid: 'u', resourceVersion: '1', generation: 1 },
  ...{ selector: { matchLabels: {}, matchExpressions: [] }, onEvents: ['Start'], status: {} },
  sinks: secrets.map((name, index) => ({
    ...{ name: `sink-${index}`, type: 'webhook', secretRef: { name }, templateRef: undefined },
  })),
});

/** How many sinks of a notification with these secrets are checked at once, and after a second. */
async function checked(secrets: readonly string[]) {
  const clock = new ManualClock();
  const order: string[] = [];
  let found = 0;
  const checks = new ReadinessChecks({
    ...{ clock, log: pino({ level: 'silent' }), checksPerSecond: 10 },
    sinks: {
      check({ sink }) {
        order.push(sink);
        return Promise.resolve({ ok: true, notes: [], faults: [] });
      },
    },
    found: () => found++,
  });
  checks.begin({ observed: withSinks(secrets), checksRequested: 0 }, true);
  await settle(200);
  const atOnce = order.length;
  await clock.advance(1_000);
  await settle();
  checks.close();
  return { atOnce, afterASecond: order.length, found, order };
}

it('checks of sinks with one secret do not wait for each other: they share its read', async () => {
  expect(await checked(Array.from({ length: 100 }, () => 'hook'))).toMatchObject({
    ...{ atOnce: 100, afterASecond: 100, found: 1 },
  });
});

it('reads of many secrets are limited', async () => {
  const secrets = Array.from({ length: 100 }, (_, index) => `hook-${index}`);
  expect(await checked(secrets)).toMatchObject({ atOnce: 20, afterASecond: 30, found: 0 });
});

it('sinks with one secret are checked one after the other, while its read is cached', async () => {
  const { order } = await checked(['a', 'b', 'a', 'c', 'b', 'a']);
  expect(order).toEqual(['sink-0', 'sink-2', 'sink-5', 'sink-1', 'sink-4', 'sink-3']);
});

it('a check that was requested again, or whose notification is gone, ends without a result', async () => {
  const answers: (() => void)[] = [];
  const found: number[] = [];
  const checks = new ReadinessChecks<{ observed: Notification; checksRequested: number }>({
    ...{ clock: new ManualClock(), log: pino({ level: 'silent' }), checksPerSecond: 10 },
    sinks: {
      check: () =>
        new Promise((resolve) => {
          answers.push(() => {
            resolve({ ok: true, notes: [], faults: [] });
          });
        }),
    },
    found: ({ checksRequested }) => found.push(checksRequested),
  });
  const of = { observed: withSinks(['a']), checksRequested: 0 };
  const answer = async (): Promise<void> => {
    await settle();
    answers.shift()?.();
    await settle();
  };
  checks.begin(of, true);
  await settle();
  checks.begin(of, true);
  await answer();
  expect(found).toEqual([]);
  await answer();
  expect(found).toEqual([2]);
  checks.begin(of, true);
  await settle();
  checks.forget(of);
  await answer();
  expect(found).toEqual([2]);
  checks.close();
});
