import { expect, it } from 'vitest';
import { readYaml } from './yaml.ts';

it.each([1, 10_000])(
  'a change of the result does not change later results (a text with %i values)',
  (values) => {
    const text = `all: [${'1, '.repeat(values)}]\n`;
    const first = readYaml(text) as { all: number[] };
    first.all.push(2);
    expect(readYaml(text)).toEqual({ all: first.all.slice(0, -1) });
  },
);
