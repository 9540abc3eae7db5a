import { expect, it } from 'vitest';
import type { JournalWrite } from '@hnotif/core/resources';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { JournalStore } from './journal-store.ts';
import { FakeApi } from './testing/fake-api.ts';

const JOURNAL: JournalWrite = {
  ...{ namespace: 'ns', name: 'j', resourceVersion: '7', instance: 'hnotif', version: 3, gen: 3 },
  writer: { holder: 'me', term: 1 },
  summary: { plans: 1, waiting: 0, oldest: null, for: '' },
  plans: {
    gone: null,
    there: { name: 'p', gen: 1, streams: null, log: { 1: null }, sinks: { 'n/s': null, 'n/t': '[]' } },
  },
};
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const never = new AbortController().signal;

/** A store, and its server. */
async function store(): Promise<{ api: FakeApi; store: JournalStore }> {
  const api = await FakeApi.start();
  return { api, store: new JournalStore(api.client(new ManualClock()), 'hibernation.dev') };
}

it.each([
  ['made', '', 'POST'],
  ['changed', '7', 'PATCH'],
])('a journal that is %s comes back as its metadata alone', async (_, resourceVersion, method) => {
  const { api, store: journals } = await store();
  const written = journals.write({ ...JOURNAL, resourceVersion }, never);
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
    (await api.next()).answer(code, body);
    expect(await written).toMatchObject({ kind });
    expect(api.pending).toBe(0);
  },
);

it.each(['write', 'remove'] as const)('a %s that gets a 429 has failed at once', async (kind) => {
  const { api, store: journals } = await store();
  const written = journals[kind](JOURNAL, never);
  (await api.next()).refuse(429, 'TooManyRequests', { 'retry-after': '30' });
  // Its clock does not move.
  expect(await written).toMatchObject({ kind: 'failed', reason: 'TooManyRequests' });
  expect(api.pending).toBe(0);
});

it('a look that gets a 429 has failed at once', async () => {
  const { api, store: journals } = await store();
  const written = journals.write(JOURNAL, never);
  (await api.next()).refuse(409, 'Conflict');
  (await api.next()).refuse(429, 'TooManyRequests', { 'retry-after': '30' });
  expect(await written).toMatchObject({ kind: 'failed', reason: 'Conflict' });
});

it('after an error that tells nothing of the write it looks at what stands there', async () => {
  const { api, store: journals } = await store();
  const written = journals.write(JOURNAL, never);
  (await api.next()).refuse(500, 'InternalError');
  const look = await api.next();
  expect([look.method, look.headers.accept]).toEqual(['GET', 'application/json']);
  look.refuse(503, 'ServiceUnavailable');
  expect(await written).toMatchObject({ kind: 'failed', reason: 'InternalError' });
});

it('a journal that is made has nothing taken out of it, one that is changed has', async () => {
  const { api, store: journals } = await store();
  void journals.write({ ...JOURNAL, resourceVersion: '' }, never);
  const made = await api.next();
  expect(made.json).toMatchObject({
    spec: { summary: { plans: 1 }, plans: { there: { name: 'p', gen: 1, sinks: { 'n/t': '[]' } } } },
  });
  expect(made.text).not.toContain('null');
  expect(made.json).not.toHaveProperty('metadata.resourceVersion');
  void journals.write(JOURNAL, never);
  const changed = await api.next();
  expect(changed.json).toMatchObject({
    metadata: { resourceVersion: '7' },
    spec: { plans: { gone: null, there: { streams: null, log: { 1: null }, sinks: { 'n/s': null } } } },
  });
});

it('a journal is deleted as it was seen; what is not there is gone', async () => {
  const { api, store: journals } = await store();
  const removed = journals.remove(JOURNAL, never);
  const request = await api.next();
  expect([request.method, request.json]).toMatchObject([
    'DELETE',
    { preconditions: { resourceVersion: '7' } },
  ]);
  request.refuse(404, 'NotFound');
  expect(await removed).toMatchObject({ kind: 'written' });
  const unseen = journals.remove({ ...JOURNAL, resourceVersion: '' }, never);
  const look = await api.next();
  expect(look.method).toBe('GET');
  look.refuse(404, 'NotFound');
  expect(await unseen).toMatchObject({ kind: 'written' });
});
