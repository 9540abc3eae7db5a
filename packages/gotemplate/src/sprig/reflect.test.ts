import { describe, expect, test } from 'vitest';
import { parse } from '../template.ts';
import { INT, pointerTo } from '../value/type.ts';
import { Pointer, dict, list } from '../value/value.ts';
import { reflect } from './reflect.ts';

const data = dict([
  ['list', list([1n])],
  ['same', list([1n])],
  ['map', dict()],
  ['pointer', new Pointer(pointerTo(INT), 1n)],
  ['nil', null],
]);

describe('as in sprig', () => {
  test.each([
    ['typeOf nil', '<nil>'],
    ['typeOf .nil', '<nil>'],
    ['typeOf 1', 'int'],
    ['typeOf 1i', 'complex128'],
    ['typeOf .list', '[]interface {}'],
    ['typeOf .pointer', '*int'],
    ['typeIs "string" "x"', 'true'],
    ['typeIs "<nil>" nil', 'true'],
    ['typeIs "int" .pointer', 'false'],
    ['typeIsLike "int" .pointer', 'true'],
    ['typeIsLike "*int" .pointer', 'true'],
    ['typeIsLike "*int" 1', 'false'],
    ['kindOf nil', 'invalid'],
    ['kindOf .list', 'slice'],
    ['kindOf .map', 'map'],
    ['kindOf .pointer', 'ptr'],
    ['kindOf 1.5', 'float64'],
    ['kindIs "bool" true', 'true'],
    ['kindIs "int" 1.0', 'false'],
    ['deepEqual .list .same', 'true'],
    ['deepEqual 1 1.0', 'false'],
    ['deepEqual nil .nil', 'true'],
  ])('%s is %s', (call, result) => {
    expect(parse('t', `{{${call}}}`, { funcs: reflect }).execute(data)).toBe(result);
  });
});
