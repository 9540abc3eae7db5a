import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Schema } from '@hnotif/core/resources';
import { incompatibilities } from './crd-compatibility.ts';

type Definitions = Parameters<typeof incompatibilities>[0];

const root = join(import.meta.dirname, '..');
const read = async (file: string): Promise<Definitions> =>
  parseAllDocuments(await readFile(join(root, file), 'utf8')).map(
    (document) => document.toJS() as Definitions[number],
  );

it('the CRDs only add to those of the last release', async () => {
  expect(
    incompatibilities(await read('scripts/crds-released.yaml'), await read('deploy/crds/crds.yaml')),
  ).toEqual([]);
});

const crd = (openAPIV3Schema: Schema, { name = 'things', scope = 'Namespaced', served = true } = {}) => ({
  metadata: { name },
  spec: { scope, versions: [{ name: 'v1', served, schema: { openAPIV3Schema } }] },
});
const object = (spec: Schema, required?: readonly string[]): Schema => ({
  type: 'object',
  properties: { spec },
  ...(required && { required }),
});
const words: Schema = { type: 'string', enum: ['a', 'b'], maxLength: 5, pattern: '^a' };
const list: Schema = { type: 'array', items: words, minItems: 1 };
const rule = { rule: 'true', message: '', fieldPath: '' };

test.each<[string, Schema, Schema, string[]]>([
  ['a new field', object(words), { type: 'object', properties: { spec: words, more: words } }, []],
  [
    'a new value, a wider limit',
    object(words),
    object({ type: 'string', enum: ['a', 'b', 'c'], maxLength: 6 }),
    [],
  ],
  ['a removed field', object(words), { type: 'object', properties: {} }, ['.spec: was removed']],
  ['another type', object(words), object({ type: 'integer' }), ['.spec: is integer instead of string']],
  ['a removed value', object(words), object({ ...words, enum: ['a'] }), ['.spec: b was removed']],
  ['a narrower limit', object(words), object({ ...words, maxLength: 4 }), ['.spec: maxLength fell']],
  ['another pattern', object(words), object({ ...words, pattern: '^b' }), ['.spec: pattern is another']],
  ['a required field', object(words), object(words, ['spec']), ['.spec: is required']],
  ['a limit in a list', object(list), object({ ...list, minItems: 2 }), ['.spec: minItems rose']],
  [
    'in the items',
    object(list),
    object({ ...list, items: { ...words, maxLength: 1 } }),
    ['.spec[]: maxLength fell'],
  ],
  [
    'a new rule',
    object(words),
    object({ ...words, 'x-kubernetes-validations': [rule] }),
    ['.spec: has the new rule true'],
  ],
])('%s', (_, before, after, found) => {
  expect(incompatibilities([crd(before)], [crd(after)])).toEqual(found.map((text) => `things/v1${text}`));
});

test('a removed resource, version or another scope', () => {
  const before = [crd(words)];
  expect(incompatibilities(before, [])).toEqual(['things: was removed']);
  expect(incompatibilities(before, [crd(words, { served: false })])).toEqual(['things/v1: is not served']);
  expect(incompatibilities(before, [crd(words, { scope: 'Cluster' })])).toEqual([
    'things: has another scope',
  ]);
});
