import { expect, it } from 'vitest';
import { nextTurn } from '@hnotif/core/clock';
import { SLICE_MS } from '../slices.ts';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import type { KubeClient } from './client.ts';
import { watch } from './watch.ts';

/** Follows a watch of one chunk with these objects; returns in which turns of the event loop they were read and told, at `costMs` each. */
async function turnsOf(objects: readonly object[], costMs: number) {
  const text = objects.map((object) => `${JSON.stringify({ type: 'MODIFIED', object })}\n`).join('');
  let now = 0;
  class Clock extends ManualClock {
    override monotonic(): number {
      return now;
    }
  }
  const chunks = async function* () {
    await nextTurn();
    yield Buffer.from(text);
  };
  let turns = 0;
  const count = (): void => {
    turns++;
    setImmediate(count).unref();
  };
  count();
  const read: number[] = [];
  const told: number[] = [];
  const client = { watch: () => Promise.resolve(chunks()) } as unknown as KubeClient;
  await watch({
    ...{
      client,
      clock: new Clock(),
      type: { group: '', version: 'v1', plural: 'things' },
      namespace: undefined,
    },
    ...{ resourceVersion: '1', timeoutSeconds: 60, idleMs: 60_000, signal: new AbortController().signal },
    opened: () => undefined,
    read: () => read.push(turns),
    apply: () => {
      now += costMs;
      told.push(turns);
    },
  });
  return { read, told };
}

it('leaves turns of the event loop to others within one chunk of many events', async () => {
  const { read, told } = await turnsOf(
    Array.from({ length: 30 }, () => ({})),
    SLICE_MS / 4,
  );
  expect(told).toHaveLength(30);
  expect(new Set(told).size).toBe(8);
  expect(read).toEqual(told);
});

it('reads and tells a large object in a turn of its own each', async () => {
  const large = { text: 'x'.repeat(200_000) };
  const { read, told } = await turnsOf([large, large], 0);
  expect(new Set([...read, ...told]).size).toBe(4);
  expect([read[0], told[0], read[1], told[1]]).toEqual([...read, ...told].sort((a, b) => a - b));
});
