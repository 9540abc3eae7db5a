import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Notification } from '@hnotif/core/resources';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { ReadinessChecks } from './readiness-checks.ts';

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
  const notification: Notification = {
    ...{ namespace: 'team', name: 'night', uid: 'u', resourceVersion: '1', generation: 1 },
    ...{ selector: { matchLabels: {}, matchExpressions: [] }, onEvents: ['Start'], status: {} },
    sinks: secrets.map((name, index) => ({
      ...{ name: `sink-${index}`, type: 'webhook', secretRef: { name }, templateRef: undefined },
    })),
  };
  checks.begin(notification, true);
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
