import { expect, test } from 'vitest';
import { readManifests } from './manifests.ts';

test.each(['a: *nope\n', `a: &a [1, 2]\nb: &b [${'*a,'.repeat(99)}]\nc: [*b, *b, *b]\n`])(
  'aliases that cannot be resolved are a problem of the file (%#)',
  (content) => {
    const { manifests, problems } = readManifests('a.yaml', content);
    expect(manifests).toEqual([]);
    expect(problems).toMatchObject([{ line: 1, message: expect.stringMatching(/alias/) as string }]);
  },
);
