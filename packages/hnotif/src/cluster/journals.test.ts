import { expect, it } from 'vitest';
import type { Journal } from '../resources/journal.ts';
import { ManualClock } from '../testing/clock.ts';
import { JournalStore } from './journals.ts';
import { FakeApi } from './testing/fake-api.ts';

const PLANS = { group: 'hibernation.dev', version: 'v1alpha1', plural: 'hibernateplans' };
const JOURNAL: Journal = {
  ...{
    namespace: 'ns',
    name: 'j',
    resourceVersion: '7',
    owners: [{ name: 'p', uid: 'u' }],
    instance: 'hnotif',
  },
  ...{ plan: { name: 'p', uid: 'u' }, version: 2, gen: 3, writer: { holder: 'me', term: 1 }, pending: 0 },
  ...{ encoding: 'json', content: '{}' },
};
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const never = new AbortController().signal;

/** A store that knows the kind of plans, and its server. */
async function store(): Promise<{ api: FakeApi; store: JournalStore }> {
  const api = await FakeApi.start();
  return { api, store: new JournalStore(api.client(new ManualClock()), 'hibernation.dev', PLANS) };
}

async function discovered(api: FakeApi): Promise<void> {
  (await api.next()).answer(200, { resources: [{ name: 'hibernateplans', kind: 'HibernatePlan' }] });
}

it.each([
  ['made', '', 'POST'],
  ['changed', '7', 'PATCH'],
])('a journal that is %s comes back as its metadata alone', async (_, resourceVersion, method) => {
  const { api, store: journals } = await store();
  const written = journals.write({ ...JOURNAL, resourceVersion }, never);
  await discovered(api);
  const request = await api.next();
  expect([request.method, request.headers.accept]).toEqual([method, METADATA]);
  request.answer(200, { kind: 'PartialObjectMetadata', metadata: { name: 'j', resourceVersion: '8' } });
  expect(await written).toEqual({ kind: 'written', resourceVersion: '8' });
});

const forbidden = (message: string): object => ({ kind: 'Status', code: 403, reason: 'Forbidden', message });
const RBAC = 'hibernatenotificationjournals "j" is forbidden: User "hnotif" cannot patch resource';

it.each([
  // A server that was just started knows neither tokens nor roles.
  ['401', 401, { kind: 'Status', code: 401, reason: 'Unauthorized', message: 'Unauthorized' }, 'failed'],
  ['403 for a right', 403, forbidden(RBAC), 'failed'],
  ['403 for a quota', 403, forbidden('"j" is forbidden: exceeded quota: journals'), 'refused'],
  [
    '403 of a namespace that goes',
    403,
    forbidden('unable to create new content in namespace ns because it is being terminated'),
    'refused',
  ],
  ['422', 422, { kind: 'Status', code: 422, reason: 'Invalid', message: 'no' }, 'refused'],
  ['413', 413, { kind: 'Status', code: 413, reason: 'RequestEntityTooLarge', message: 'no' }, 'refused'],
  [
    '500 of a full etcd',
    500,
    {
      kind: 'Status',
      code: 500,
      reason: 'InternalError',
      message: 'etcdserver: mvcc: database space exceeded',
    },
    'refused',
  ],
])(
  'a %s says what has become of the write, without a look at what stands there',
  async (_, code, body, kind) => {
    const { api, store: journals } = await store();
    const written = journals.write(JOURNAL, never);
    await discovered(api);
    (await api.next()).answer(code, body);
    expect(await written).toMatchObject({ kind });
    expect(api.pending).toBe(0);
  },
);

it('after an error that tells nothing of the write it looks at what stands there', async () => {
  const { api, store: journals } = await store();
  const written = journals.write(JOURNAL, never);
  await discovered(api);
  (await api.next()).refuse(500, 'InternalError');
  const look = await api.next();
  expect([look.method, look.headers.accept]).toEqual(['GET', 'application/json']);
  look.refuse(503, 'ServiceUnavailable');
  expect(await written).toMatchObject({ kind: 'failed', reason: 'InternalError' });
});
