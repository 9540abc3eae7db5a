import { expect, it } from 'vitest';
import { anEvent } from '../testing/events.ts';
import { BacklogSize, sizeOfEvent } from './size.ts';

const table = [{ name: 'db', executor: 'rds', state: 'Pending', message: 'x'.repeat(10_000) }];

it('counts a target table once, however many events and streams share it, and gives all of it back', () => {
  const size = new BacklogSize();
  const one = anEvent('Start', 1, { targets: table });
  const two = anEvent('PhaseChange', 2, { targets: table });
  size.add(one, sizeOfEvent(one));
  const alone = size.bytes;
  expect(alone).toBeGreaterThan(20_000);
  size.add(two, sizeOfEvent(two));
  expect(size.bytes).toBeLessThan(alone + 2_000);
  size.remove(one, sizeOfEvent(one));
  expect(size.bytes).toBeGreaterThan(20_000);
  size.remove(two, sizeOfEvent(two));
  expect(size.bytes).toBe(0);
});
