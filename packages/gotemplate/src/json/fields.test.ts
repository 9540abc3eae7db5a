import { describe, expect, test } from 'vitest';
import { ANY, BOOL, INT, STRING, STRING_SLICE, funcOf, pointerTo, structType } from '../value/type.ts';
import { type Value, Pointer, Slice, Struct, zero } from '../value/value.ts';
import { json } from '../testing/json.ts';

const POINT = structType('main.Point', [{ name: 'X', type: INT }]);
const point = new Pointer(pointerTo(POINT), new Struct(POINT, [1n]));

describe('structs, as Go writes them', () => {
  const TYPE = structType('main.Type', [
    { name: 'Name', type: STRING, json: 'name' },
    { name: 'Skip', type: STRING, json: '-' },
    { name: 'Zero', type: INT, omitEmpty: true },
    { name: 'hidden', type: INT },
    { name: 'List', type: STRING_SLICE, json: 'list', omitEmpty: true },
    { name: 'Pointer', type: point.type, json: 'pointer', omitEmpty: true },
    { name: 'Any', type: ANY, json: 'any', omitEmpty: true },
    { name: 'Struct', type: POINT, json: 'struct', omitEmpty: true },
    { name: 'One', type: INT, json: 'both' },
    { name: 'Two', type: INT, json: 'both' },
    { name: 'Tagged', type: INT, json: 'Plain' },
    { name: 'Plain', type: INT },
    { name: 'HTML', type: STRING, json: '<h&>' },
    { name: 'Odd', type: STRING, json: 'a"b' },
    { name: 'Ünder', type: BOOL, omitEmpty: true },
  ]);
  const make = (fields: Record<string, Value>): Struct =>
    new Struct(
      TYPE,
      TYPE.fields.map(({ name, type }) => (Object.hasOwn(fields, name) ? fields[name] : zero(type))),
    );

  test('with zero values', () => {
    expect(json(make({}))).toBe(
      '{"name":"","struct":{"X":0},"Plain":0,"\\u003ch\\u0026\\u003e":"","Odd":""}',
    );
  });

  test('with other values', () => {
    const fields = { Zero: 1n, List: new Slice(STRING_SLICE, ['']), Pointer: point, Any: 0n, Tagged: 5n };
    expect(json(make({ ...fields, Ünder: true }), { escapeHTML: false })).toBe(
      '{"name":"","Zero":1,"list":[""],"pointer":{"X":1},"any":0,"struct":{"X":0},"Plain":5,"<h&>":"","Odd":"","Ünder":true}',
    );
  });

  test('with a nil function', () => {
    const type = structType('main.F', [
      { name: 'F', type: funcOf({ params: [], variadic: false, results: [] }), omitEmpty: true },
    ]);
    expect(json(new Struct(type, [null]))).toBe('json: unsupported type: func()');
  });
});
