import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Time } from '../time/time.ts';
import { contextOf } from '../testing/context.ts';
import { deepCopy } from './copy.ts';
import { deepEqual } from './equal.ts';
import { ANY, ANY_MAP, ANY_SLICE, STRING, pointerTo, sliceOf, structType } from './type.ts';
import { type GoMap, Pointer, Slice, Struct, type Value, dict, list } from './value.ts';

const context = () => contextOf({ memory: 1 << 22 });

const copy = (value: Value): Value => deepCopy(context(), value);

const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Value>(null, true, 'a', '', 1n, 2.5, new Slice(ANY_SLICE, [], true)),
    fc.array(tie('value')).map(list),
    fc.array(fc.tuple(fc.string({ maxLength: 2 }), tie('value'))).map(dict),
  ),
}));

const NODE = structType('main.Node', [
  { name: 'Name', type: STRING },
  { name: 'Any', type: ANY },
  { name: 'Next', type: pointerTo(ANY_MAP) },
  { name: 'hidden', type: STRING },
]);

describe('deepCopy', () => {
  it('equals the value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(deepEqual(context(), value, copy(value))).toBe(true);
      }),
      { seed: 20 },
    );
  });

  it('shares nothing with the value, nor within itself', () => {
    const inner = dict([['k', 1n]]);
    const copied = copy(list([inner, inner])) as Slice;
    const [a, b] = copied.items as [GoMap, GoMap];
    a.entries.set('k', 2n);
    expect([inner.entries.get('k'), b.entries.get('k')]).toEqual([1n, 1n]);
  });

  it('copies targets of pointers; unexported fields and nil pointers become zero values', () => {
    const nilMap = new Pointer(pointerTo(ANY_MAP), undefined);
    const node = new Struct(NODE, ['n', nilMap, nilMap, 'secret']);
    const { target } = copy(new Pointer(pointerTo(NODE), node)) as Pointer;
    expect(target).not.toBe(node);
    expect((target as Struct).fields).toEqual(['n', null, nilMap, '']);
    expect(copy(list([nilMap]))).toEqual(list([null]));
    expect(copy(new Slice(sliceOf(nilMap.type), [nilMap]))).toEqual(
      new Slice(sliceOf(nilMap.type), [nilMap]),
    );
    expect(copy(nilMap)).toEqual(nilMap);
  });

  it('keeps times', () => {
    const time = Time.unix(5n);
    expect(copy(list([time]))).toEqual(list([time]));
  });

  it('handles very deep values', () => {
    const nested = Array.from({ length: 50_000 }).reduce<Value>((inner) => list([inner]), 1n);
    expect(deepEqual(context(), nested, copy(nested))).toBe(true);
  });

  it('ends if a value contains itself', () => {
    const map = dict();
    map.entries.set('self', map);
    expect(() => copy(map)).toThrow('memory limit');
  });
});
