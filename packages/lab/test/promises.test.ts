import { expect, it } from 'vitest';
import { PROMISES } from '../src/scenarios/promises/index.ts';

it.each(PROMISES)('$about', async (scenario) => {
  const said: string[] = [];
  const { signal } = new AbortController();
  const given = {
    numbers: [],
    names: [],
    seed: 0,
    options: {},
    signal,
    say: (line: string) => said.push(line),
  };
  expect(await scenario.run(given), said.join('\n')).toBe(true);
});
