import { describe, expect, it } from 'vitest';
import { namespaceSchema } from '../builtin-schemas.ts';
import type { JsonObject } from '../json.ts';
import { compileVersion } from '../schema/crd.ts';
import { PatchError } from './error.ts';
import { strategicMergePatch } from './strategic.ts';

function patched(target: JsonObject, patch: JsonObject, schema: JsonObject = {}): JsonObject {
  return strategicMergePatch(target, patch, compileVersion(schema).shape);
}

const owned: JsonObject = {
  metadata: {
    ownerReferences: [
      { uid: '1', name: 'a' },
      { uid: '2', name: 'b' },
    ],
    finalizers: ['x', 'y'],
  },
};

describe('strategicMergePatch', () => {
  it('merges objects and drops what a null names', () => {
    expect(patched({ data: { a: '1', b: '2' } }, { data: { a: null, c: '3' } })).toEqual({
      data: { b: '2', c: '3' },
    });
  });

  it('merges owner references by uid', () => {
    expect(
      patched(owned, { metadata: { ownerReferences: [{ uid: '2', controller: true }, { uid: '3' }] } }),
    ).toEqual({
      metadata: {
        ownerReferences: [{ uid: '1', name: 'a' }, { uid: '2', name: 'b', controller: true }, { uid: '3' }],
        finalizers: ['x', 'y'],
      },
    });
  });

  it('merges finalizers as a set', () => {
    const result = patched(owned, { metadata: { finalizers: ['z', 'x'] } });
    expect(result).toMatchObject({ metadata: { finalizers: ['z', 'x', 'y'] } });
  });

  it('replaces a list which no kind says how to merge', () => {
    expect(patched({ status: { things: ['a', 'b'] } }, { status: { things: ['c'] } })).toEqual({
      status: { things: ['c'] },
    });
  });

  it('merges the conditions of a namespace by type', () => {
    const target = { status: { conditions: [{ type: 'A', status: 'False', reason: 'r' }] } };
    const patch = { status: { conditions: [{ type: 'A', status: 'True' }] } };
    expect(patched(target, patch, namespaceSchema)).toEqual({
      status: { conditions: [{ type: 'A', status: 'True', reason: 'r' }] },
    });
  });

  it('replaces or deletes an object by $patch', () => {
    expect(patched({ data: { a: '1' } }, { data: { $patch: 'replace', b: '2' } })).toEqual({
      data: { b: '2' },
    });
    expect(patched({ data: { a: '1' } }, { data: { $patch: 'delete' } })).toEqual({ data: {} });
    expect(patched({ data: { a: '1' } }, { data: { $patch: 'merge', b: '2' } })).toEqual({
      data: { a: '1', b: '2' },
    });
  });

  it('deletes an item of a list by $patch, and replaces a list by it', () => {
    const gone = patched(owned, { metadata: { ownerReferences: [{ $patch: 'delete', uid: '1' }] } });
    expect(gone).toMatchObject({ metadata: { ownerReferences: [{ uid: '2', name: 'b' }] } });
    const replaced = patched(owned, { metadata: { ownerReferences: [{ uid: '9' }, { $patch: 'replace' }] } });
    expect(replaced).toMatchObject({ metadata: { ownerReferences: [{ uid: '9' }] } });
  });

  it('deletes from a set by $deleteFromPrimitiveList, with and without the list itself', () => {
    const alone = patched(owned, { metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] } });
    expect(alone).toMatchObject({ metadata: { finalizers: ['y'] } });
    const both = patched(owned, {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['x'], finalizers: ['z'] },
    });
    expect(both).toMatchObject({ metadata: { finalizers: ['z', 'y'] } });
  });

  it('orders a list by $setElementOrder, keeping what only the server knows in its place', () => {
    const target = { metadata: { finalizers: ['a', 'server', 'b'] } };
    const patch = { metadata: { '$setElementOrder/finalizers': ['b', 'a'] } };
    expect(patched(target, patch)).toEqual({ metadata: { finalizers: ['server', 'b', 'a'] } });
    const objects = patched(owned, {
      metadata: { '$setElementOrder/ownerReferences': [{ uid: '2' }, { uid: '1' }] },
    });
    expect(objects).toMatchObject({ metadata: { ownerReferences: [{ uid: '2' }, { uid: '1' }] } });
  });

  it('keeps only what $retainKeys names', () => {
    expect(patched({ data: { a: '1', b: '2' } }, { data: { $retainKeys: ['b', 'c'], c: '3' } })).toEqual({
      data: { b: '2', c: '3' },
    });
    expect(() => patched({}, { data: { $retainKeys: ['b'], c: '3' } })).toThrow(
      new PatchError("patch content doesn't match retainKeys list"),
    );
  });

  it('leaves no directive and no null in what is new', () => {
    const patch = {
      data: { $retainKeys: ['a'], a: '1' },
      more: { x: null, deep: { $patch: 'merge', y: null } },
    };
    expect(patched({}, patch)).toEqual({ data: { a: '1' }, more: { deep: {} } });
  });

  it('refuses an unknown directive, and a missing merge key', () => {
    expect(() => patched({}, { data: { $patch: 'upsert' } })).toThrow(PatchError);
    expect(() => patched({}, { metadata: { ownerReferences: [{ name: 'a' }] } })).toThrow(
      'map: {"name":"a"} does not contain declared merge key: uid',
    );
  });

  it('changes neither of its arguments', () => {
    const target = structuredClone(owned);
    const patch: JsonObject = { metadata: { finalizers: ['z'], ownerReferences: [{ uid: '1', name: 'c' }] } };
    const before = structuredClone(patch);
    patched(target, patch);
    expect([target, patch]).toEqual([owned, before]);
  });
});
