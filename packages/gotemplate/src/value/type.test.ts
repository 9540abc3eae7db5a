import { expect, test } from 'vitest';
import { STRING, structType } from './type.ts';

const SHAPE = "[{ name: 'Total', type: FLOAT64 }]";

test.each<[string, unknown, string]>([
  [
    'an object',
    { Name: STRING },
    `structType "x.P": the fields are an object; wanted a list, such as ${SHAPE}`,
  ],
  ['a type', STRING, `structType "x.P": the fields are an object; wanted a list, such as ${SHAPE}`],
  ['names', ['Name'], `structType "x.P": field 0 has no valid name; wanted ${SHAPE}`],
  ['null', [null], `structType "x.P": field 0 has no valid name; wanted ${SHAPE}`],
  [
    'a type by its name',
    [{ name: 'Name', type: 'string' }],
    `structType "x.P": field "Name": the type is a string; wanted a Type, such as STRING or parseType('[]string')`,
  ],
  [
    'a field without a type',
    [{ name: 'Name' }],
    `structType "x.P": field "Name": the type is undefined; wanted a Type, such as STRING or parseType('[]string')`,
  ],
  [
    'a field twice',
    [
      { name: 'Name', type: STRING },
      { name: 'Name', type: STRING },
    ],
    'structType "x.P": field "Name" is declared twice',
  ],
])('a struct of %s is refused', (_, fields, message) => {
  expect(() => structType('x.P', fields as never)).toThrow(new TypeError(message));
});

test('a struct without a name is refused', () => {
  expect(() => structType([] as never, [])).toThrow(
    new TypeError("structType: the name is an array; wanted a string, such as 'shop.Order'"),
  );
});
