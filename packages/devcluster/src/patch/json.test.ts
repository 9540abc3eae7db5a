import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { copyJson } from '../schema/json-values.ts';
import { jsonPatch, PatchError } from './json.ts';

const seed = 20_261_121;

/** Document, operations, result: the examples of RFC 6902, appendix A, and the corners of lists. */
const examples: [Json, Json, Json][] = [
  [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
  [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['x'] }], { foo: ['bar', ['x']] }],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/1', value: 1 }], { foo: ['bar', 1] }],
  [{ baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  [{ baz: 'qux' }, [{ op: 'replace', path: '/baz', value: null }], { baz: null }],
  [{ a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
  [{ foo: [1, 2, 3] }, [{ op: 'move', from: '/foo/0', path: '/foo/2' }], { foo: [2, 3, 1] }],
  [{ a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
  [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
  [{ a: 1 }, [{ op: 'test', path: '/gone', value: null }], { a: 1 }],
  [{ a: 1 }, [{ op: 'add', path: '', value: { b: 2 } }], { b: 2 }],
];

/** Operations, and the words they are refused with, on `{"a":{"b":1},"list":["x"]}`. */
const refusals: [Json, string][] = [
  [
    [{ op: 'add', path: '/no/where', value: 1 }],
    'add operation does not apply: doc is missing path: "/no/where": missing value',
  ],
  [
    [{ op: 'add', path: '/list/2', value: 1 }],
    "error in add for path: '/list/2': Unable to access invalid index: 2: invalid index referenced",
  ],
  [
    [{ op: 'add', path: '/list/01', value: 1 }],
    "error in add for path: '/list/01': Unable to access invalid index: 01: invalid index referenced",
  ],
  [
    [{ op: 'remove', path: '/c' }],
    "error in remove for path: '/c': Unable to remove nonexistent key: c: missing value",
  ],
  [
    [{ op: 'replace', path: '/c', value: 1 }],
    'replace operation does not apply: doc is missing key: /c: missing value',
  ],
  [
    [{ op: 'replace', path: '/a/toString', value: 1 }],
    'replace operation does not apply: doc is missing key: /a/toString: missing value',
  ],
  [[{ op: 'test', path: '/a/b', value: 2 }], 'testing value /a/b failed: test failed'],
  [[{ op: 'move', from: '/a', path: '/a/b' }], 'move operation does not apply: /a/b is inside of /a'],
  [[{ op: 'copy', from: '/c', path: '/d' }], "error in copy for path: '/c': missing value"],
  [[{ op: 'add', path: '/c' }], 'add operation failed to decode value: missing value'],
  [[{ op: 'move', path: '/c' }], 'move operation failed to decode from: missing value'],
  [[{ op: 'add', value: 1 }], 'add operation failed to decode path: missing value'],
  [[{ op: 'spin', path: '/a' }], 'Unexpected kind: spin'],
  [[{ op: 'remove', path: 'a' }], 'invalid JSON pointer: "a"'],
  [{ op: 'remove' }, 'json: cannot unmarshal into Go value of type jsonpatch.Patch'],
  [['x'], 'json: cannot unmarshal into Go value of type jsonpatch.Operation'],
];

describe('jsonPatch', () => {
  it.each(examples)('turns %j by %j into %j', (document, patch, result) => {
    expect(jsonPatch(document, patch)).toEqual(result);
  });

  it.each(refusals)('refuses %j: %s', (patch, message) => {
    expect(() => jsonPatch({ a: { b: 1 }, list: ['x'] }, patch)).toThrow(new PatchError(message));
  });

  it('refuses more than 10,000 operations', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: null }));
    expect(() => jsonPatch({}, patch)).toThrow(
      /allowed maximum operations in a JSON patch is 10000, got 10001/,
    );
  });

  it('leaves the target as it was, also when an operation fails', () => {
    const target = { a: { b: [1] } };
    expect(() =>
      jsonPatch(target, [
        { op: 'add', path: '/a/b/-', value: 2 },
        { op: 'remove', path: '/x' },
      ]),
    ).toThrow();
    expect(target).toEqual({ a: { b: [1] } });
  });

  it('copies what it is given, so that a later operation cannot reach back', () => {
    const patch: Json[] = [
      { op: 'add', path: '/a', value: { n: 1 } },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/n', value: 2 },
    ];
    expect(jsonPatch({}, patch)).toEqual({ a: { n: 1 }, b: { n: 2 } });
    expect(patch[0]).toEqual({ op: 'add', path: '/a', value: { n: 1 } });
  });

  it('undoes an add by a remove, whatever the value', () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
    fc.assert(
      fc.property(json, fc.string(), (value, name) => {
        const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const document = { other: copyJson(value) };
        fc.pre(name !== 'other');
        const added = jsonPatch(document, [{ op: 'add', path, value }]);
        expect(Object.keys(added as object)).toContain(name);
        expect(
          jsonPatch(added, [
            { op: 'test', path, value },
            { op: 'remove', path },
          ]),
        ).toEqual(document);
      }),
      { seed },
    );
  });
});
