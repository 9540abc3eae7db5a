import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { PatchError } from '../patch/error.ts';
import { jsonPatch } from '../patch/json.ts';
import { strategicMergePatch } from '../patch/strategic.ts';
import { compileVersion, validateCrd } from './crd.ts';

const seed = 20_261_121;

/** Random trees of the words of schemas, definitions and patches. */
const words = (
  'type properties items additionalProperties required enum anyOf allOf not default nullable object array string ' +
  'integer pattern ( maxLength format x-kubernetes-validations rule self==oldSelf self.a messageExpression fieldPath .a ' +
  'x-kubernetes-list-type x-kubernetes-list-map-keys map set x-kubernetes-int-or-string spec versions names plural ' +
  'schema openAPIV3Schema metadata name $patch replace delete $retainKeys $setElementOrder/finalizers finalizers ' +
  'ownerReferences uid $deleteFromPrimitiveList/finalizers op path /a /a/0 - value from add remove test move __proto__'
).split(' ');
const word = fc.constantFrom(...words);
const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(word, fc.integer({ min: -2, max: 9 }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(word, tie('value'), { maxKeys: 5 }),
}));

describe('from outside, anything may come:', () => {
  it('a definition is refused or accepted, never a crash, and so are the objects of an accepted schema', () => {
    fc.assert(
      fc.property(json.object, json.object, (fields, object) => {
        const schema = { type: 'object', properties: { spec: { ...fields, type: 'object' } } };
        const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
        const names = { plural: 'as', kind: 'A' };
        const spec = { group: 'x.dev', scope: 'Cluster', names, versions: [version] };
        if (validateCrd({ metadata: { name: 'as.x.dev' }, spec }).length > 0) return;
        const compiled = compileVersion(schema);
        compiled.prune(object);
        compiled.applyDefaults(object);
        expect(compiled.validate(object, object)).toEqual(expect.any(Array));
      }),
      { seed, numRuns: 500 },
    );
  });

  it('a definition need not look like one', () => {
    fc.assert(
      fc.property(json.object, (crd) => {
        expect(validateCrd(crd)).not.toEqual([]);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('a patch applies, or is refused as one', () => {
    const { shape } = compileVersion({});
    const attempt = (patch: () => unknown): void => {
      try {
        patch();
      } catch (error) {
        expect(error).toBeInstanceOf(PatchError);
      }
    };
    fc.assert(
      fc.property(json.object, json.value, json.object, (target, operations, metadata) => {
        attempt(() => jsonPatch(target, operations));
        attempt(() => jsonPatch(target, [operations]));
        attempt(() => strategicMergePatch({ metadata: target }, { metadata }, shape));
      }),
      { seed, numRuns: 500 },
    );
  });
});
