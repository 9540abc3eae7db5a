import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { compileVersion } from './crd.ts';
import { copyJson, getOwn } from './json-values.ts';

const seed = 20_261_121;
const names = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__');

/** Structural schemas of a few levels, with some defaults and nullable fields. */
const schemas = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ type: fc.constant('string'), nullable: fc.boolean() }),
    fc.record({ type: fc.constant('string'), default: fc.constantFrom('d', 'e') }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    tie('object'),
  ),
  object: fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
    default: fc.option(fc.constant({}), { nil: null }),
  }),
}));
const values = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<Json>(null, 'x', 1, true),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
}));

describe('prune', () => {
  it('leaves nothing that the schema does not name', () => {
    fc.assert(
      fc.property(schemas.object, values.object, (schema, object) => {
        compileVersion(schema).prune(object);
        expect(strangers(object, schema)).toEqual([]);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('returns a path for all it removed, and nothing when there is nothing to remove', () => {
    fc.assert(
      fc.property(schemas.object, values.object, (schema, object) => {
        const before = JSON.stringify(object);
        const compiled = compileVersion(schema);
        expect(compiled.prune(object).length > 0).toBe(JSON.stringify(object) !== before);
        expect(compiled.prune(object)).toEqual([]);
      }),
      { seed, numRuns: 500 },
    );
  });

  const schema: JsonObject = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
          map: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { a: { type: 'string' } } },
          },
          any: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
          },
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
          open: { type: 'object', additionalProperties: true },
        },
      },
    },
  };

  it('names the paths as the server does', () => {
    const object: JsonObject = {
      apiVersion: 'v1',
      kind: 'K',
      metadata: { anything: 1 },
      spec: {
        list: [{ a: 'x' }, { b: 1, kind: 'K' }],
        map: { k: { b: 1 } },
        any: { unknown: { x: 1 }, known: { b: 1 } },
        template: { apiVersion: 'v1', kind: 'K', metadata: { x: 1 }, spec: { y: 1 }, z: 1 },
        open: { k: { deep: 1 }, n: 1 },
      },
      status: {},
    };
    expect(compileVersion(schema).prune(object)).toEqual([
      'spec.list[1].b',
      'spec.list[1].kind',
      'spec.map.k.b',
      'spec.any.known.b',
      'spec.template.spec.y',
      'spec.template.z',
      'spec.open.k.deep',
      'status',
    ]);
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: { anything: 1 },
      spec: {
        list: [{ a: 'x' }, {}],
        map: { k: {} },
        any: { unknown: { x: 1 }, known: {} },
        template: { apiVersion: 'v1', kind: 'K', metadata: { x: 1 }, spec: {} },
        open: { k: {}, n: 1 },
      },
    });
  });
});

describe('applyDefaults', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(schemas.object, values.object, (schema, object) => {
        const compiled = compileVersion(schema);
        compiled.applyDefaults(object);
        const once = copyJson(object);
        compiled.applyDefaults(object);
        expect(object).toEqual(once);
      }),
      { seed, numRuns: 500 },
    );
  });

  const field = (rest: JsonObject): JsonObject => ({
    type: 'object',
    properties: { x: { type: 'string', ...rest } },
  });
  /** The field `x`, an object, and the result. */
  const cases: [JsonObject, JsonObject, JsonObject][] = [
    [{ default: 'd' }, {}, { x: 'd' }],
    [{ default: 'd' }, { x: 'own' }, { x: 'own' }],
    [{ default: 'd' }, { x: null }, { x: 'd' }],
    [{ default: 'd', nullable: true }, { x: null }, { x: null }],
    [{ nullable: true }, { x: null }, { x: null }],
    [{}, { x: null }, {}],
    [{}, {}, {}],
  ];

  it.each(cases)('with %j makes %j into %j', (rest, object, result) => {
    compileVersion(field(rest)).applyDefaults(object);
    expect(object).toEqual(result);
  });

  it('goes on into what a default has put there, and into lists and maps', () => {
    const inner = { type: 'object', default: {}, properties: { y: { type: 'integer', default: 1 } } };
    const schema = {
      type: 'object',
      properties: {
        a: inner,
        list: { type: 'array', items: inner },
        map: { type: 'object', additionalProperties: inner },
      },
    };
    const object: JsonObject = { list: [{}, null], map: { k: {}, n: null } };
    compileVersion(schema).applyDefaults(object);
    expect(object).toEqual({ a: { y: 1 }, list: [{ y: 1 }, { y: 1 }], map: { k: { y: 1 }, n: { y: 1 } } });
  });

  it('gives each object a default of its own', () => {
    const compiled = compileVersion({
      type: 'object',
      properties: {
        a: { type: 'object', default: { list: [] }, 'x-kubernetes-preserve-unknown-fields': true },
      },
    });
    const [one, other]: [JsonObject, JsonObject] = [{}, {}];
    compiled.applyDefaults(one);
    compiled.applyDefaults(other);
    expect(one.a).not.toBe(other.a);
  });
});

/** The fields of a value that a schema does not know, outside of parts that preserve unknown fields. */
function strangers(value: Json, schema: JsonObject | undefined, isRoot = true): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => strangers(item, objectOf(schema, 'items'), false));
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    if (isRoot && ['apiVersion', 'kind', 'metadata'].includes(name)) return [];
    const known = objectOf(objectOf(schema, 'properties'), name) ?? objectOf(schema, 'additionalProperties');
    return known === undefined ? [name] : strangers(getOwn(value, name) ?? null, known, false);
  });
}

function objectOf(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = schema === undefined ? undefined : getOwn(schema, name);
  return isObject(value) ? value : undefined;
}
