import { expect, test } from 'vitest';
import { startStorm } from '../../lab/src/scenarios/storm/storm.ts';

test('a storm of changes and of all kinds of faults: no change is missed, and all changes are reported in order', async () => {
  const storm = await startStorm(20_260_105);
  try {
    await storm.rage(300);
  } finally {
    await storm.close();
  }
  const { changes, thrown, troubles, counts, violations } = storm.figures();
  expect(violations).toEqual([]);
  expect(changes).toBeGreaterThanOrEqual(300);
  expect(thrown).toBeGreaterThan(0);
  expect([...troubles].filter(([, times]) => times === 0)).toEqual([]);
  expect([...counts.keys()]).toEqual(
    expect.arrayContaining(['watch ended', 'watch idle', 'watch expired', 'watch error']),
  );
});
