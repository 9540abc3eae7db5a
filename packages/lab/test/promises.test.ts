import { expect, it } from 'vitest';
import { ran } from '../src/scenario.ts';
import { PROMISES } from '../src/scenarios/promises/index.ts';

it.each(PROMISES)('$about', async (scenario) => {
  expect(await ran(scenario)).toEqual([]);
});
