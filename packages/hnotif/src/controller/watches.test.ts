import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { FakeApi, until } from '../cluster/testing/fake-api.ts';
import { createMetrics } from '../observe/metrics.ts';
import { DEFAULT_API_GROUP, defaultPlanResource } from '../resources/group.ts';
import { ManualClock } from '../testing/clock.ts';
import { Watches } from './watches.ts';

it('names the resource that fails, and none that waits for its first answer', async () => {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const quiet = { changed: () => undefined, deleted: () => undefined, synced: () => undefined };
  const watches = new Watches({
    ...{ client: api.client(clock), clock, log: pino({ level: 'silent' }), metrics: createMetrics('test') },
    ...{ apiGroup: DEFAULT_API_GROUP, planResource: defaultPlanResource(DEFAULT_API_GROUP) },
    namespaces: [],
  });
  onTestFinished(() => watches.stop());
  const said = () => Object.values(watches.checks).map((check) => check());
  expect(said()).toEqual(['not listed yet', 'not listed yet', 'not listed yet']);
  expect(watches.failing.size).toBe(0);
  watches.start({
    ...{ notifications: quiet, plans: quiet, listed: () => undefined },
    journals: {
      found: () => true,
      allFound: () => undefined,
      changed: () => undefined,
      vanished: () => undefined,
    },
  });
  // Two lists of connectors, one of notifications, and before that what is served.
  for (let first = 0; first < 4; first++) {
    const request = await api.next();
    if (request.path.endsWith('/v1alpha1')) request.answer(200, { resources: [] });
    if (request.path.includes('hibernatenotifications')) request.refuse(403, 'Forbidden');
  }
  await until(() => watches.failing.size > 0);
  expect(watches.failing.get(undefined)).toMatch(/^notifications: /);
  expect(said().slice(1)).toEqual(['not listed yet', 'not listed yet']);
});
