import { Reader } from './from-js/reader.ts';
import { typed } from './from-js/typed.ts';
import { untyped } from './from-js/untyped.ts';
import { checkType, type Type } from './type.ts';
import type { Value } from './value.ts';

/**
 * Converts plain JavaScript data to a Go value. Data may contain Go values: they stay as they are.
 *
 * Without a type: null and undefined become nil, a boolean `bool`, a number `float64`, a bigint `int`, a string `string`, a
 * Date `time.Time` in UTC, a Uint8Array `[]uint8`, an array `[]interface {}`, an object `map[string]interface {}`. A Map
 * becomes a map of `interface {}` with the type of its keys.
 *
 * With a type, the data must fit it. A struct is an object whose properties have the names of the fields; an absent or
 * undefined property gives the field's zero value. Integers are numbers or bigints. A nil pointer, slice or map is null.
 * For a pointer, give the data of its target. An interface accepts any data.
 *
 * Only own enumerable data properties of objects are read, also of class instances: no getter runs, prototypes are
 * ignored. Throws a TypeError that names the place of data that cannot be converted: functions, symbols, built-in objects
 * (Set, Promise, Error, RegExp, URL, Float64Array, `new Number(3)`, …), data that contains itself, is nested deeper than
 * 1000 levels, has more than 1 million elements, or does not fit the type.
 */
export function fromJS(data: unknown, type?: Type): Value {
  if (type !== undefined) checkType('fromJS', type);
  const reader = new Reader();
  return type === undefined ? untyped(reader, data, undefined) : typed(reader, data, type, undefined);
}
