import { expect, test } from 'vitest';
import type { Func } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { crypto } from './crypto.ts';

test('the Adler-32 sum of a long text stays within 32 bits, as in Go', () => {
  expect((crypto.adler32sum as Func).call(contextOf(), ['ÿ'.repeat(10_000)])).toBe('705620359');
});
