import { expect, test } from 'vitest';
import type { Func } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { crypto } from './crypto.ts';

test.each([
  ['sha1sum', 'é', 'bf15be717ac1b080b4f1c456692825891ff5073d'],
  ['sha256sum', 'é', '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
  [
    'sha512sum',
    'é',
    '9e2ad28633f24451bd4f3c1cb20586a21a44c3aeedbdc01b9cc8fa72917ea7bd689c82b8bf1fef89b911cf8cc46fa2c1ccc10087b2094fd4d3350ecd88526a2c',
  ],
  ['adler32sum', 'é', '36766061'],
  ['adler32sum', '', '1'],
  ['adler32sum', 'ÿ'.repeat(10_000), '705620359'],
])('%s of %.5s, as Go computes it', (name, text, digest) => {
  expect((crypto[name] as Func).call(contextOf(), [text])).toBe(digest);
});
