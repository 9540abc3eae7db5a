import { describe, expect, it } from 'vitest';
import { CaseError, parseCases } from '../conformance/case.ts';
import { decodeTyped } from '../conformance/typed.ts';
import { BOX } from '../conformance/sample.ts';
import { runCase } from '../conformance/run.ts';
import { FLOAT32, INT8, STRING } from '../src/value/type.ts';
import { GoMap, Pointer, Slice, Struct, Typed } from '../src/value/value.ts';

const file = (...cases: readonly unknown[]): string =>
  JSON.stringify({ fixtures: { some: { n: 1 } }, cases });

const good = { id: 'a/1', template: 'x', output: 'x' };

describe('a case file', () => {
  it('is parsed with defaults', () => {
    expect(parseCases('f.json', file(good)).cases).toEqual([
      { id: 'a/1', group: 'a', template: 'x', name: 'custom', builtin: false, expected: { output: 'x' } },
    ]);
  });

  it.each([
    ['{', /^f\.json: not JSON: /],
    ['[]', 'f.json: expected an object, found []'],
    ['{}', 'f.json: field "cases": expected a list, found nothing'],
    ['{"format": 2, "cases": []}', 'f.json: field "format": expected 1, found 2'],
    [
      file({ ...good, eror: 'x' }),
      'f.json: case "a/1": field "eror" is not known; known are id, group, template, name, data, funcs, missingkey, tags, output, outputBase64, error, stage',
    ],
    [
      file({ ...good, data: { kind: 'json', valeu: 1 } }),
      'f.json: case "a/1": data: field "valeu" is not known; known are kind, value, fixture',
    ],
    [file(1), 'f.json: case 0: expected an object, found 1'],
    [file({ ...good, id: 7 }), 'f.json: case 0: field "id": expected a string, found 7'],
    [file(good, good), 'f.json: case "a/1": another case has the same id'],
    [
      file({ ...good, template: null }),
      'f.json: case "a/1": field "template": expected a string, found null',
    ],
    [file({ ...good, funcs: 'all' }), 'f.json: case "a/1": field "funcs": expected "builtin", found "all"'],
    [
      file({ ...good, output: undefined }),
      'f.json: case "a/1": field "output": expected a string, or an error in its place, found nothing',
    ],
    [
      file({ ...good, error: 'no', stage: 'late' }),
      'f.json: case "a/1": field "stage": expected a stage, found "late"',
    ],
    [
      file({ ...good, data: { kind: 'xml', value: 1 } }),
      'f.json: case "a/1": data: field "kind": expected "json" or "notification" or "typed", found "xml"',
    ],
    [
      file({ ...good, data: { kind: 'json', fixture: 'other' } }),
      'f.json: case "a/1": data: field "fixture": expected the name of a fixture of the file, found "other"',
    ],
    [
      file({ ...good, data: { kind: 'json' } }),
      'f.json: case "a/1": data: field "value": expected a value, found nothing',
    ],
  ])('reports the place of an error: %s', (text, message) => {
    expect(() => parseCases('f.json', text)).toThrow(CaseError);
    expect(() => parseCases('f.json', text)).toThrow(message);
  });
});

it('has typed data', () => {
  const value = decodeTyped({
    type: 'map[string]*sample.Box',
    value: [
      ['nil', null],
      ['box', { Small: '-3', Single: '0.1', Any: { type: '[]float64', value: ['NaN', '-Inf'] } }],
    ],
  });
  const [none, box] = value instanceof GoMap ? [...value.entries.values()] : [];
  expect(none).toMatchObject({ target: undefined });
  expect(box).toBeInstanceOf(Pointer);
  const fields = box instanceof Pointer && box.target instanceof Struct ? box.target.fields : [];
  expect(fields[BOX.fieldIndex('Small') ?? 0]).toEqual(new Typed(INT8, -3n));
  expect(fields[BOX.fieldIndex('Single') ?? 0]).toEqual(new Typed(FLOAT32, Math.fround(0.1)));
  expect(fields[BOX.fieldIndex('Any') ?? 0]).toMatchObject({ items: [NaN, -Infinity] });
  expect(decodeTyped({ type: 'string', value: { base64: '/w==' } })).toBe('\udcff');
  expect(decodeTyped({ type: '[]string', value: null })).toEqual(new Slice(decodeType('[]string'), [], true));
  expect(() => decodeTyped({ type: 'int', value: 1 })).toThrow(
    'typed data: expected a number as text, found 1',
  );
});

const decodeType = (name: string) => {
  const value = decodeTyped({ type: name, value: [] });
  return value instanceof Slice ? value.type : STRING;
};

describe('a case', () => {
  const run = (fields: Readonly<Record<string, unknown>>) =>
    parseCases('f.json', file({ ...good, ...fields })).cases.map(runCase)[0];

  it('passes if all bytes of its output are as expected', () => {
    expect(run({ template: '{{trunc 1 "é"}}', output: '\ufffd', outputBase64: 'ww==' })).toBeUndefined();
    expect(run({ template: '{{trunc 1 "é"}}', output: '\ufffd' })).toEqual({
      expected: '"\ufffd"',
      actual: '"\ufffd" (bytes c3)',
    });
    expect(run({ output: 'x ' })).toEqual({ expected: '"x "', actual: '"x"' });
  });

  it('passes if its error and stage are as expected', () => {
    const error = 'template: custom:1: unclosed action';
    expect(run({ template: '{{', error, stage: 'parse' })).toBeUndefined();
    expect(run({ template: '{{', error, stage: 'exec' })).toEqual({
      expected: `exec error ${error}`,
      actual: `parse error ${error}`,
    });
    expect(run({ error, stage: 'parse' })?.actual).toBe('"x"');
  });

  it('has its own copy of the data', () => {
    const data = { kind: 'json', fixture: 'some' };
    const template = '{{set . "n" (add .n 1)}}';
    const cases = file(
      { id: 'a/1', template, data, output: 'map[n:2]' },
      { id: 'a/2', template, data, output: 'map[n:2]' },
    );
    expect(parseCases('f.json', cases).cases.map(runCase)).toEqual([undefined, undefined]);
  });
});
