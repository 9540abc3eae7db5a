import { expect, it } from 'vitest';
import { systemClock } from '@hnotif/core/clock';
import type { OperatorStatus } from '@hnotif/core/lifecycle';
import type { Manifest } from './api.ts';
import { NIGHT_ANNOTATION } from './night.ts';
import { Player } from './player.ts';

const plan = (uid: string, night = 'steady'): Manifest => ({
  apiVersion: 'hibernation.dev/v1alpha1',
  kind: 'HibernatePlan',
  metadata: {
    name: 'orders',
    namespace: 'n',
    uid,
    annotations: { [NIGHT_ANNOTATION]: night },
  },
  spec: { targets: [{ name: 'db', type: 'rds' }] },
});

/** A player over a control plane that holds plans by their uids; `at` is called before each write. */
function playing(at: (write: number) => void = () => {}) {
  const there = new Set<string>();
  const writes: { readonly uid: string; readonly status: OperatorStatus }[] = [];
  const warnings: string[] = [];
  const player = new Player({
    api: {
      patchStatus: ({ metadata: { uid = '' } }, status) => {
        at(writes.length);
        if (!there.has(uid)) return Promise.resolve(undefined);
        writes.push({ uid, status: status as OperatorStatus });
        return Promise.resolve(String(writes.length));
      },
    },
    clock: systemClock,
    speed: 1e6,
    signal: new AbortController().signal,
    writing: () => {},
    warn: (message) => warnings.push(message),
  });
  return { player, there, writes, warnings };
}

it('a night answers with the last write of each plan', async () => {
  const { player, there, writes } = playing();
  there.add('one');
  const last = await player.night([plan('one')]);
  expect(last).toEqual([{ namespace: 'n', name: 'orders', resourceVersion: String(writes.length) }]);
  expect(writes.at(-1)?.status.phase).toBe('Active');
});

it('a plan that has failed is mended by day: its next night begins with no retries behind it', async () => {
  const { player, there, writes } = playing();
  there.add('one');
  await player.night([plan('one', 'exhausted')]);
  expect(writes.at(-1)?.status).toMatchObject({ phase: 'Error', retryCount: 3 });
  const before = writes.length;
  await player.night([plan('one', 'exhausted')]);
  const second = writes.slice(before).map(({ status }) => `${status.phase} ${status.retryCount}`);
  expect(second.slice(0, 2)).toEqual(['Active 0', 'Hibernating 0']);
  expect(second.at(-1)).toBe('Error 3');
});

it('a plan that is deleted in mid-night ends its part of the night alone', async () => {
  const { player, there, writes } = playing((write) => {
    if (write === 4) there.delete('one');
  });
  there.add('one').add('two');
  const last = await player.night([plan('one'), plan('two')]);
  expect(last).toHaveLength(1);
  expect(writes.at(-1)).toMatchObject({ uid: 'two', status: { phase: 'Active' } });
});

it('a plan that asks for no night is the user’s own and is left alone', async () => {
  const { player, there, writes } = playing();
  there.add('one');
  const { annotations: _, ...metadata } = plan('one').metadata;
  expect(await player.night([{ ...plan('one'), metadata }])).toEqual([]);
  expect(writes).toEqual([]);
});

it('a plan that is gone before it is met has no night', async () => {
  const { player, writes } = playing();
  expect(await player.night([plan('one')])).toEqual([]);
  expect(writes).toEqual([]);
});

it('another plan of the same name begins anew', async () => {
  const { player, there, writes } = playing();
  there.add('one');
  await player.night([plan('one', 'exhausted')]);
  expect(writes.at(-1)?.status.phase).toBe('Error');
  there.delete('one');
  there.add('two');
  const from = writes.length;
  await player.night([plan('two')]);
  expect(writes.slice(from).map(({ status }) => status.phase)).toEqual(expect.not.arrayContaining(['Error']));
  expect(writes[from]?.status).toEqual(writes[0]?.status);
});

it('a night of an unknown name is told once and played as steady', async () => {
  const { player, there, writes, warnings } = playing();
  there.add('one');
  await player.night([plan('one', 'stormy')]);
  await player.night([plan('one', 'stormy')]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /^plan n\/orders: .*night is "stormy", but must be one of steady, retry, .*played as steady$/,
  );
  expect(writes.at(-1)?.status.phase).toBe('Active');
});
