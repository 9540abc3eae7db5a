import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runChaos } from '../../lab/src/scenarios/chaos/chaos.ts';
import { check, strictShare } from '../../lab/src/checker/checker.ts';

it('after many kills nothing is lost, out of order, sent twice without need or in two threads, and no card goes back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-chaos-'));
  const { record, pending, exit, faults } = await runChaos({
    ...{
      kills: 3,
      plans: 12,
      seed: 20_260_105,
      folder,
      modes: new Set(['lockstep', 'replicas', 'removals', 'refusals'] as const),
    },
    ...{ writesPerSecond: 20, paceMs: 500, leaseMs: 10_000, drainMs: 200_000, cardsMs: 5_000 },
  });
  const verdict = check(record);
  const { violations, expected, received, events, written } = verdict;
  expect({ violations, pending, exit, faults }, `the record is ${folder}`).toEqual({
    violations: [],
    pending: 0,
    exit: 0,
    faults: [],
  });
  expect(record.kills.length).toBeGreaterThanOrEqual(3);
  expect(received).toBe(expected);
  expect(events).toBeGreaterThan(written / 2);
  // The busier the machine, the longer the gaps.
  expect(strictShare(verdict)).toBeGreaterThan(0);
  await rm(folder, { recursive: true });
});
