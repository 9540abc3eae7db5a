import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { compileVersion } from './crd.ts';

function check(list: JsonObject, value: Json): string[] {
  const schema = { type: 'object', properties: { l: { type: 'array', ...list } } };
  return compileVersion(schema)
    .validate({ l: value })
    .map(({ field, message }) => `${field}: ${message}`);
}

const keyed = (...keys: string[]): JsonObject => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
});
const set: JsonObject = { 'x-kubernetes-list-type': 'set', items: { type: 'string' } };

describe('lists which are sets or maps', () => {
  it('have no item twice, said once for each', () => {
    expect(check(set, ['a', 'b', 'a', 'a', 'b'])).toEqual([
      'l[2]: Duplicate value: "a"',
      'l[4]: Duplicate value: "b"',
    ]);
  });

  it('have no key twice, and show the key alone', () => {
    expect(check(keyed('name'), [{ name: 'a', x: 1 }, { name: 'b' }, { name: 'a', x: 2 }])).toEqual([
      'l[2]: Duplicate value: {"name":"a"}',
    ]);
  });

  it('take all their keys together', () => {
    const list = [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { b: 1, a: 1 },
    ];
    expect(check(keyed('a', 'b'), list)).toEqual(['l[2]: Duplicate value: {"a":1,"b":1}']);
  });

  it('tell an absent key from any value', () => {
    expect(check(keyed('name'), [{}, { name: '' }])).toEqual([]);
    expect(check(keyed('name'), [{}, {}])).toEqual(['l[1]: Duplicate value: {}']);
  });

  it('may repeat items when they are neither', () => {
    expect(check({ items: { type: 'string' } }, ['a', 'a'])).toEqual([]);
  });

  it('are found within lists and maps', () => {
    const schema = {
      type: 'object',
      properties: {
        m: { type: 'object', additionalProperties: { type: 'array', items: { type: 'array', ...set } } },
      },
    };
    expect(compileVersion(schema).validate({ m: { k: [['a'], ['b', 'b']] } })).toEqual([
      { reason: 'FieldValueDuplicate', message: 'Duplicate value: "b"', field: 'm[k][1][1]' },
    ]);
  });
});

describe('embedded resources', () => {
  const schema = {
    type: 'object',
    properties: {
      t: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  };

  it('say what they are', () => {
    expect(compileVersion(schema).validate({ t: { apiVersion: 'v1', kind: 'K' } })).toEqual([]);
    expect(compileVersion(schema).validate({ t: { kind: 1, metadata: 'x' } })).toEqual([
      { reason: 'FieldValueRequired', message: 'Required value: must not be empty', field: 't.apiVersion' },
      { reason: 'FieldValueInvalid', message: 'Invalid value: 1: must be a string', field: 't.kind' },
      { reason: 'FieldValueInvalid', message: 'Invalid value: "x": must be an object', field: 't.metadata' },
    ]);
  });
});
