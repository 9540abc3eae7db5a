import { expect, it } from 'vitest';
import { LEASES, type ResourceType } from '@hnotif/core/resources';
import { explain, hasError } from '../explain/explain.ts';
import { rawJournal } from '../journal/testing/raw-journal.ts';
import { KubeError } from '../cluster/error.ts';
import { factsOf, gather, leadersOfList } from './gather.ts';
import { CommandError } from './io.ts';
import type { Session } from './session.ts';

const NOW = Date.parse('2026-01-05T20:00:00Z');
const PLANS = { group: 'hibernation.dev', version: 'v1', plural: 'plans' };
const NOTIFICATIONS = { ...PLANS, plural: 'notifications' };
const JOURNALS = { ...PLANS, plural: 'journals' };

const notification = (namespace: string, spec = {}, status = {}): object => ({
  metadata: { namespace, name: 'n', generation: 1 },
  spec: {
    ...{ selector: { matchLabels: {} }, onEvents: ['Start'] },
    sinks: [{ name: 's', type: 'webhook', secretRef: { name: 's' } }],
    ...spec,
  },
  status: {
    ...{ observedGeneration: 1, ...status },
    conditions: [
      { type: 'Ready', status: 'True', reason: 'SinksReady', message: '', lastTransitionTime: '' },
    ],
  },
});
const plan = (namespace: string): object => ({ metadata: { namespace, name: 'p', uid: namespace } });
/** `seconds`: since it was renewed. */
const lease = (name: string, seconds: number): object => ({
  metadata: { namespace: 'hnotif', name },
  spec: {
    ...{ holderIdentity: `${name}-1`, leaseDurationSeconds: 15 },
    renewTime: new Date(NOW - seconds * 1_000).toISOString(),
  },
});

/** What a user reads who may see all of these. */
function facts(objects: ReadonlyMap<ResourceType, readonly object[]>) {
  const session = {
    ...{ namespace: undefined, notifications: NOTIFICATIONS, plans: PLANS, journals: JOURNALS },
    list: (type: ResourceType) => Promise.resolve(objects.get(type) ?? []),
    client: {
      serverClock: { now: () => NOW },
      list: (type: ResourceType, _: undefined, { item }: { item: (raw: unknown) => void }) =>
        Promise.resolve(objects.get(type)?.forEach(item)),
    },
  } as unknown as Session;
  return gather(session).then((gathered) => factsOf(gathered));
}

const explained = async (objects: ReadonlyMap<ResourceType, readonly object[]>) =>
  (await facts(objects)).map(explain);

it('the entry of a plan is the newest of several journals of its namespace', async () => {
  const journals = [
    rawJournal('new', 1, { shop: 1 }, { term: 2, namespace: 'shop', epoch: 'new' }),
    rawJournal('old', 2, { shop: 5 }, { namespace: 'shop' }),
    rawJournal('foreign', 3, { shop: 9 }, { term: 3, namespace: 'other' }),
  ];
  const [shop] = await facts(
    new Map([
      [PLANS, [plan('shop')]],
      [JOURNALS, journals],
    ]),
  );
  expect(shop?.shown.map(({ journal }) => journal)).toMatchObject([{ gen: 1 }]);
});

it('a notification that cannot be read is an error of its namespace, also if the namespace has nothing else', async () => {
  const muteSchedule = [{ weekdays: ['saturday'], location: 'Europe/Pariss' }];
  const found = await explained(
    new Map([
      [NOTIFICATIONS, [notification('shop'), notification('lonely', { muteSchedule })]],
      [PLANS, [plan('shop')]],
      [LEASES, [lease('hnotif', 2)]],
    ]),
  );
  expect(found.map(({ namespace, findings }) => [namespace, findings])).toEqual([
    [
      'lonely',
      [
        {
          ...{ severity: 'error', notification: 'n', sink: '', reason: 'Unreadable' },
          message: expect.stringContaining('spec.muteSchedule[0].location: ') as string,
        },
      ],
    ],
    ['shop', []],
  ]);
  expect(found.map(hasError)).toEqual([true, false]);
});

it('an API server that does not list Leases is an error in one line', async () => {
  const list = () => Promise.reject(new KubeError(0, 'Timeout', 'GET /leases: no answer in 15 s'));
  const session = { list: () => Promise.resolve([]), client: { list } } as unknown as Session;
  await expect(gather(session)).rejects.toThrow(CommandError);
  expect(await leadersOfList(session, [])).toBeUndefined();
});

it('each namespace has the leader of its own instance: one that is alive does not hide one that is dead', async () => {
  const found = await explained(
    new Map([
      [
        NOTIFICATIONS,
        [
          notification('payments', {}, { instance: 'payments' }),
          notification('search', {}, { instance: 'search' }),
        ],
      ],
      [PLANS, [plan('payments'), plan('search')]],
      [LEASES, [lease('payments', 7_200), lease('search', 2)]],
    ]),
  );
  expect(found.map(({ namespace, leader: { state } }) => [namespace, state])).toEqual([
    ['payments', 'inactive'],
    ['search', 'serving'],
  ]);
  expect(found.map(hasError)).toEqual([true, false]);
});
