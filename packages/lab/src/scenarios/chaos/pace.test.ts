import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

it('keeps pauses as they are while states are stored soon, and makes them longer when states are stored late', () => {
  const pace = new Pace();
  const pauses: number[] = [];
  for (const lagMs of [500, 8_000, 100]) {
    for (let state = 0; state < 200; state++) pace.stored(lagMs);
    pauses.push(Math.round(pace.stretch(1_000)));
  }
  expect(pauses).toEqual([1_000, 4_000, 1_000]);
});
