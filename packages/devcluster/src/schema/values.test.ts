import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { parseSchema } from './parse.ts';
import { compileValueCheck } from './values.ts';

/** The causes for `spec.x` of a schema, each as the server prints it: field, then message; @ stands for `spec.x`. */
function check(schema: JsonObject, value: Json): string[] {
  const spec = { type: 'object', properties: { x: schema } };
  const { node } = parseSchema({ type: 'object', properties: { spec } }, '');
  const causes: Cause[] = [];
  compileValueCheck(node)({ spec: { x: value } }, '', causes);
  return causes.map(({ field, message }) => `${field}: ${message}`.replaceAll('spec.x', '@'));
}

/** Schema of `spec.x`, an invalid value, and the message, with @ for `spec.x`. */
const refusals: [schema: JsonObject, value: Json, ...causes: string[]][] = [
  [{ type: 'string' }, 5, '@: Invalid value: "integer": @ in body must be of type string: "integer"'],
  [{ type: 'string' }, null, '@: Invalid value: "null": @ in body must be of type string: "null"'],
  [{ type: 'integer' }, 1.5, '@: Invalid value: "number": @ in body must be of type integer: "number"'],
  [{ type: 'array' }, {}, '@: Invalid value: "object": @ in body must be of type array: "object"'],
  [{ type: 'object' }, [], '@: Invalid value: "array": @ in body must be of type object: "array"'],
  [{ type: 'boolean' }, 'true', '@: Invalid value: "string": @ in body must be of type boolean: "string"'],
  [
    { 'x-kubernetes-int-or-string': true },
    true,
    '@: Invalid value: "boolean": @ in body must be of type integer,string: "boolean"',
  ],
  [
    { type: 'string', format: 'date-time' },
    5,
    '@: Invalid value: "int64": @ in body must be of type date-time: "int64"',
  ],
  [
    { type: 'string', format: 'date-time' },
    'soon',
    '@: Invalid value: "soon": @ in body must be of type date-time: "soon"',
  ],
  [{ type: 'string', enum: ['a', 'b'] }, 'c', '@: Unsupported value: "c": supported values: "a", "b"'],
  [{ type: 'integer', enum: [1, 2] }, 3, '@: Unsupported value: 3: supported values: "1", "2"'],
  [
    { type: 'string', nullable: true, enum: ['a'] },
    null,
    '@: Unsupported value: null: supported values: "a"',
  ],
  [{ type: 'string', maxLength: 3 }, 'abcd', '@: Too long: may not be more than 3 bytes'],
  [{ type: 'string', maxLength: 1 }, 'ab', '@: Too long: may not be more than 1 byte'],
  [{ type: 'string', minLength: 2 }, 'é', '@: Invalid value: "é": @ in body should be at least 2 chars long'],
  [{ type: 'string', pattern: '^a+$' }, 'b', '@: Invalid value: "b": @ in body should match \'^a+$\''],
  [{ type: 'integer', maximum: 5 }, 7, '@: Invalid value: 7: @ in body should be less than or equal to 5'],
  [
    { type: 'number', maximum: 5, exclusiveMaximum: true },
    5,
    '@: Invalid value: 5: @ in body should be less than 5',
  ],
  [
    { type: 'number', minimum: 0.5 },
    0.25,
    '@: Invalid value: 0.25: @ in body should be greater than or equal to 0.5',
  ],
  [
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    0,
    '@: Invalid value: 0: @ in body should be greater than 0',
  ],
  [
    { type: 'number', multipleOf: 0.1 },
    0.25,
    '@: Invalid value: 0.25: @ in body should be a multiple of 0.1',
  ],
  [{ type: 'array', maxItems: 1 }, [1, 2], '@: Too many: 2: must have at most 1 item'],
  [{ type: 'array', minItems: 1 }, [], '@: Invalid value: 0: @ in body should have at least 1 items'],
  [{ type: 'object', maxProperties: 0 }, { a: 1 }, '@: Too many: 1: must have at most 0 items'],
  [
    { type: 'object', minProperties: 2 },
    { a: 1 },
    '@: Invalid value: 1: @ in body should have at least 2 properties',
  ],
  [{ type: 'object', required: ['a', 'b'] }, { b: 1 }, '@.a: Required value'],
  [
    { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
    [{ a: 'b' }, { a: 1 }],
    '@[1].a: Invalid value: "integer": @[1].a in body must be of type string: "integer"',
  ],
  [
    { type: 'object', additionalProperties: { type: 'string' } },
    { a: 1 },
    '@.a: Invalid value: "integer": @.a in body must be of type string: "integer"',
  ],
  [
    { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    '<nil>: Invalid value: "": "@" must validate at least one schema (anyOf)',
    '@.a: Required value',
  ],
  [
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    { a: 1, b: 1 },
    '<nil>: Invalid value: "": "@" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ],
  [
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    '<nil>: Invalid value: "": "@" must validate one and only one schema (oneOf). Found none valid',
    '@.a: Required value',
  ],
  [
    { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 9 }] },
    4,
    '@: Invalid value: 4: @ in body should be greater than or equal to 5',
    '<nil>: Invalid value: "": "@" must validate all the schemas (allOf)',
  ],
  [
    { type: 'string', not: { enum: ['a'] } },
    'a',
    '<nil>: Invalid value: "": "@" must not validate the schema (not)',
  ],
];

/** Schema of `spec.x` and a valid value. */
const acceptances: [JsonObject, Json][] = [
  [{ type: 'number' }, 1],
  [{ type: 'integer' }, 1.0],
  [{ type: 'string', nullable: true }, null],
  [{ type: 'string', maxLength: 2, minLength: 2 }, '😀😀'],
  [{ type: 'string', pattern: '(?i)B' }, 'abc'],
  [{ type: 'string', format: 'int-or-string' }, 'anything'],
  [{ type: 'number', multipleOf: 0.1 }, 0.3],
  [{ 'x-kubernetes-int-or-string': true }, '80%'],
  [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, 80],
  [{ type: 'object', enum: [{ a: [1] }] }, { a: [1] }],
  [
    { type: 'object', required: ['a'], properties: {} },
    { a: 1, more: 2 },
  ],
  [{ 'x-kubernetes-preserve-unknown-fields': true }, { any: ['thing'] }],
];

describe('compileValueCheck', () => {
  it.each(refusals)('of %j refuses %j with %j', (schema, value, ...causes) => {
    expect(check(schema, value)).toEqual(causes);
  });

  it.each(acceptances)('of %j takes %j', (schema, value) => {
    expect(check(schema, value)).toEqual([]);
  });

  it('does not take what every object inherits for a required field', () => {
    expect(check({ type: 'object', required: ['constructor'] }, {})).toEqual([
      '@.constructor: Required value',
    ]);
  });
});
