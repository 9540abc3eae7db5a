import { expect, test } from 'vitest';
import type { Func } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { paths } from './paths.ts';

test.each([
  ['', '.', '.', '.', '', false],
  ['/', '/', '/', '/', '', true],
  ['//', '/', '/', '/', '', true],
  ['a', 'a', '.', 'a', '', false],
  ['a/b', 'b', 'a', 'a/b', '', false],
  ['a/b/', 'b', 'a/b', 'a/b', '', false],
  ['/a/../..', '..', '/', '/', '.', true],
  ['../..', '..', '..', '../..', '.', false],
  ['a/./b/../../..', '..', '.', '..', '.', false],
  ['/..', '..', '/', '/', '.', true],
  ['a.b/c', 'c', 'a.b', 'a.b/c', '', false],
  ['a/.x.y', '.x.y', 'a', 'a/.x.y', '.y', false],
  ['x.tar.gz', 'x.tar.gz', '.', 'x.tar.gz', '.gz', false],
  ['./a', 'a', '.', 'a', '', false],
  ['é.é/', 'é.é', 'é.é', 'é.é', '', false],
])('parts of %j, as in Go', (path, ...results) => {
  const call = (name: string) => (paths[name] as Func).call(contextOf(), [path]);
  expect(['base', 'dir', 'clean', 'ext', 'isAbs'].map(call)).toEqual(results);
  expect(['osBase', 'osDir', 'osClean', 'osExt', 'osIsAbs'].map(call)).toEqual(results);
});
