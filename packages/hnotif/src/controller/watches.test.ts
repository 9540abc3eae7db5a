import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type Exchange, FakeApi, until } from '../cluster/testing/fake-api.ts';
import { createMetrics } from '../observe/metrics.ts';
import { DEFAULT_API_GROUP, defaultPlanResource } from '@hnotif/core/resources';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import type { WatchHandlers } from './scope-watches.ts';
import { Watches } from './watches.ts';

const quiet = { changed: () => undefined, deleted: () => undefined };
const HANDLERS: WatchHandlers = {
  notifications: quiet,
  plans: quiet,
  listed: () => undefined,
  journals: {
    found: () => true,
    allFound: () => undefined,
    changed: () => undefined,
    vanished: () => undefined,
  },
};

async function rig(namespaces: readonly string[]): Promise<{ api: FakeApi; watches: Watches }> {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const watches = new Watches({
    ...{ client: api.client(clock), clock, log: pino({ level: 'silent' }), metrics: createMetrics('test') },
    ...{ apiGroup: DEFAULT_API_GROUP, planResource: defaultPlanResource(DEFAULT_API_GROUP) },
    namespaces,
  });
  onTestFinished(() => watches.stop());
  return { api, watches };
}

it('asks once for what is served, for all namespaces; notifications of others are an answer, no outage', async () => {
  const { api, watches } = await rig(['a', 'b', 'c']);
  watches.start(HANDLERS);
  const requests = [];
  for (let first = 0; first < 7; first++) requests.push(await api.next());
  const discovery = requests.filter(({ path }) => path.endsWith('/v1alpha1'));
  expect(discovery).toHaveLength(1);
  discovery[0]?.answer(200, { resources: [{ name: 'hibernatenotifications', shortNames: ['hnotif'] }] });
  await until(() => watches.failing.size === 3);
  for (const { message } of watches.failing.values()) expect(message).toMatch(/are not hnotif's/);
});

it('names the resource that fails, and none that waits for its first answer', async () => {
  const { api, watches } = await rig([]);
  const said = () => Object.values(watches.checks).map((check) => check());
  expect(said()).toEqual(['not listed yet', 'not listed yet', 'not listed yet']);
  expect(watches.failing.size).toBe(0);
  watches.start(HANDLERS);
  // Two lists of connectors, one of notifications, and before that what is served.
  for (let first = 0; first < 4; first++) {
    const request = await api.next();
    if (request.path.endsWith('/v1alpha1')) request.answer(200, { resources: [] });
    if (request.path.includes('hibernatenotifications')) request.refuse(403, 'Forbidden');
  }
  await until(() => watches.failing.size > 0);
  expect(watches.failing.get(undefined)).toEqual({
    reason: 'NotificationsNotFollowed',
    message: expect.stringMatching(/^no event is derived from plans: notifications: /) as string,
  });
  expect(said().slice(1)).toEqual(['not listed yet', 'not listed yet']);
});

it.each([
  ['notifications', 'NotificationsNotFollowed', 'changes of notifications have no effect'],
  ['journals', 'JournalsNotFollowed', 'a deleted journal is not noticed'],
  ['plans', 'PlansNotFollowed', 'no event is derived from plans'],
])(
  'after the first lists it says what is missing while the watch of %s fails',
  async (name, reason, lost) => {
    const { api, watches } = await rig([]);
    const plural = name === 'journals' ? 'hibernatenotificationjournals' : `hibernate${name}`;
    watches.start(HANDLERS);
    let watch: Exchange | undefined;
    while (watch === undefined || !watches.isListed('plans', 'any')) {
      const request = await api.next();
      if (request.path.endsWith('/v1alpha1')) request.answer(200, { resources: [] });
      else if (!request.query.has('watch'))
        request.answer(200, { metadata: { resourceVersion: '1' }, items: [] });
      else if (request.path.endsWith(`/${plural}`)) watch = request;
    }
    watch.refuse(403, 'Forbidden');
    await until(() => watches.failing.size > 0);
    expect(watches.failing.get(undefined)).toEqual({
      reason,
      message: expect.stringContaining(`${lost}: ${name}: `) as string,
    });
  },
);
