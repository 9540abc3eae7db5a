import { Reader } from './from-js/reader.ts';
import { typed } from './from-js/typed.ts';
import { untyped } from './from-js/untyped.ts';
import { checkType, type Type } from './type.ts';
import type { Value } from './value.ts';

/**
 * Makes a value of plain JavaScript data. Values stay what they are, and may stand within plain data.
 *
 * Without a type: null and undefined become nil, a boolean `bool`, a number `float64`, a bigint `int`, a string `string`, a
 * Date `time.Time` in UTC, a Uint8Array `[]uint8`, an array `[]interface {}`, an object `map[string]interface {}`, a Map a
 * map of `interface {}` whose key type is that of its keys.
 *
 * With a type: what the type says, checked. A struct is an object whose properties have the names of the fields; one that
 * is absent or undefined is the field's zero value. Whole numbers may be numbers or bigints, a nil pointer, slice or map is
 * null, what a pointer points to stands in its place, an interface takes anything.
 *
 * Of objects, instances of classes among them, only own enumerable data properties are read: no getter runs, no prototype is asked. Throws a TypeError that
 * names the place for what no value stands for: functions, symbols, what
 * JavaScript makes itself (a Set, Promise, Error, RegExp, URL, Float64Array, `new Number(3)`, …), data that is part of itself, is nested deeper than 1000
 * or has more than 1 million elements, and what is not of the wanted type.
 */
export function fromJS(data: unknown, type?: Type): Value {
  if (type !== undefined) checkType('fromJS', type);
  const reader = new Reader();
  return type === undefined ? untyped(reader, data, undefined) : typed(reader, data, type, undefined);
}
