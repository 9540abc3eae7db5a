import { expect, it } from 'vitest';
import { ALL_MODES, takeModes } from './modes.ts';

it.each([
  [['5', '7'], [...ALL_MODES], ['5', '7']],
  [
    ['5', '--modes', 'late,churn', '7'],
    ['late', 'churn'],
    ['5', '7'],
  ],
  [['--modes=none', '5'], [], ['5']],
  [['5', '--modes=all'], [...ALL_MODES], ['5']],
])('%j is split into modes and other arguments', (given, modes, rest) => {
  const taken = takeModes(given);
  expect([...(taken.modes ?? ['?'])]).toEqual(modes);
  expect(taken.rest).toEqual(rest);
});

it.each([[['--modes', 'loud']], [['--modes']], [['--modes=late,']]])('%j is not valid', (given) => {
  expect(takeModes(given).modes).toBeUndefined();
});
