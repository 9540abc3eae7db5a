import { expect, it } from 'vitest';
import { readYaml } from './yaml.ts';

it.each([1, 10_000])('what is read of a text with %i values is changed for its reader alone', (values) => {
  const text = `all: [${'1, '.repeat(values)}]\n`;
  const first = readYaml(text) as { all: number[] };
  first.all.push(2);
  expect(readYaml(text)).toEqual({ all: first.all.slice(0, -1) });
});
