import { expect, it } from 'vitest';
import { nextTurn } from '../clock.ts';
import { ManualClock } from '../testing/clock.ts';
import type { KubeClient } from './client.ts';
import { watch } from './watch.ts';

it('leaves turns of the event loop to others within one chunk of many events', async () => {
  const line = `${JSON.stringify({ type: 'MODIFIED', object: {} })}\n`;
  let now = 0;
  class Clock extends ManualClock {
    override monotonic(): number {
      return now;
    }
  }
  const chunks = async function* () {
    await nextTurn();
    yield Buffer.from(line.repeat(30));
  };
  let turns = 0;
  const count = (): void => {
    turns++;
    setImmediate(count).unref();
  };
  count();
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
    event: () => {
      // Each event costs a millisecond.
      now++;
      told.push(turns);
    },
  });
  expect(told).toHaveLength(30);
  expect(new Set(told).size).toBe(8);
});
