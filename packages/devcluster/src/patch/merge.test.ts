import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { copyJson, equalJson, getOwn, setOwn } from '../schema/json-values.ts';
import { mergePatch } from './merge.ts';

const seed = 20_261_121;
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const object = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
  json,
) as fc.Arbitrary<JsonObject>;

/** The examples of RFC 7386, appendix A: original, patch, result. */
const examples: [Json, Json, Json][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('mergePatch', () => {
  it.each(examples)('merges %j with %j into %j, as RFC 7386 shows', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it('gives the same when a patch is applied twice', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(equalJson(mergePatch(once, patch), once)).toBe(true);
      }),
      { seed },
    );
  });

  it('reaches any object without nulls by the difference to it', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const target = withoutNulls(from);
        const goal = withoutNulls(to);
        expect(equalJson(mergePatch(target, difference(target, goal)), goal)).toBe(true);
      }),
      { seed },
    );
  });

  it('changes neither the target nor the patch', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = [copyJson(target), copyJson(patch)];
        mergePatch(target, patch);
        expect([target, patch]).toEqual(before);
      }),
      { seed },
    );
  });

  it('takes a field called __proto__ for a field', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject;
    const result = mergePatch({}, patch);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

function difference(from: Json, to: Json): Json {
  if (!isObject(from) || !isObject(to)) return to;
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) setOwn(patch, key, null);
  for (const key of Object.keys(to)) {
    const before = getOwn(from, key);
    const after = to[key] ?? null;
    if (before === undefined) setOwn(patch, key, after);
    else if (!equalJson(before, after)) setOwn(patch, key, difference(before, after));
  }
  return patch;
}

function withoutNulls<T extends Json>(value: T): T;
function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const field = value[key] ?? null;
    if (field !== null) setOwn(result, key, withoutNulls(field));
  }
  return result;
}
