import { expect, it } from 'vitest';

import { compilePath } from './jsonpath.ts';

const object = {
  spec: { list: [{ n: 1 }, { n: 2 }, { n: 3 }], 'a.b': 'dotted' },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
};

it.each([
  ['.spec.list[0].n', [1]],
  ['.spec.list[-1].n', [3]],
  ['.spec.list[*].n', [1, 2, 3]],
  ['{.spec.list[1].n}', [2]],
  ['.spec.a\\.b', ['dotted']],
  [".spec['a.b']", ['dotted']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type!='Ready')].status", ['False']],
  ['.spec.list[?(@.n==2)].n', [2]],
  ['.spec.missing.deeper', []],
  ['.spec.list[9]', []],
  ['.constructor', []],
  ['.spec.list.length', []],
])('%s finds %j', (path, found) => {
  expect(compilePath(path)(object)).toEqual(found);
});

it.each(['spec', '.spec..n', '.a[1:2]', '.a[', '.a[?(@.n>1)]', '', '.a[0,1]'])(
  '%j cannot be read',
  (path) => {
    expect(() => compilePath(path)).toThrow();
  },
);
