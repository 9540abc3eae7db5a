import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shardOf, simulate, spreadOver, type Costs } from './shards.ts';

const COSTS: Costs = { cpuMs: 2, writes: 1.5, writesPerSecond: 300, bytes: 1_000, bytesOfPlan: 10 };

it('a single shard has all plans, and its slower limit decides', () => {
  const plans = new Map([
    ['a', 600],
    ['b', 400],
  ]);
  expect(simulate(plans, 1, COSTS)).toEqual({
    ...{ plans: 1_000, seconds: 5, limit: 'API server' },
    ...{ bytes: 11_000, bytesOfAll: 11_000 },
  });
  expect(simulate(plans, 1, { ...COSTS, cpuMs: 10 })).toMatchObject({ seconds: 10, limit: 'CPU' });
});

it('shards divide the plans, never a namespace, and each process has its own base', () => {
  const plans = spreadOver(1_000, 100, 0);
  const four = simulate(plans, 4, COSTS);
  expect(four.plans).toBeGreaterThanOrEqual(250);
  expect(four.plans).toBeLessThan(400);
  expect(four.bytesOfAll).toBe(4 * 1_000 + 1_000 * 10);
  // All of them write to one API server.
  expect(four).toMatchObject({ seconds: 5, limit: 'API server' });
  expect(simulate(new Map([['a', 1_000]]), 4, COSTS).plans).toBe(1_000);
});

it('one shard more takes namespaces, and moves none between the others', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), (namespace, shards) => {
      const [before, after] = [shardOf(namespace, shards), shardOf(namespace, shards + 1)];
      expect(before).toBeLessThan(shards);
      expect([before, shards]).toContain(after);
    }),
    { seed: 17 },
  );
});

it('plans are spread evenly or by a power law, and none is left out', () => {
  expect([...spreadOver(10, 4, 0).values()]).toEqual([3, 2, 3, 2]);
  const skewed = [...spreadOver(50_000, 1_000, 1).values()];
  expect(skewed.reduce((a, b) => a + b, 0)).toBe(50_000);
  expect(skewed[0]).toBeGreaterThan(100 * (skewed[999] ?? 0));
});
