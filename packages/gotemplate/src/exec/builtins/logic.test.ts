import { expect, test } from 'vitest';
import { parse } from '../../template.ts';
import type { FuncMap } from '../../value/func.ts';
import { logic } from './logic.ts';

// With other names the compiler does not treat them in a special way.
const { and, or } = logic;
const funcs = { all: and, any: or } as FuncMap;

test.each([
  ['all 1 0 2', '0'],
  ['all 1 2', '2'],
  ['any 0 1 2', '1'],
  ['any 0 ""', ''],
])('%s is %s', (call, result) => {
  expect(parse('t', `{{${call}}}`, { funcs }).execute()).toBe(result);
});
