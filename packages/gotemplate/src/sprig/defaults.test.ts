import { describe, expect, test } from 'vitest';
import { parse } from '../template.ts';
import { defaults } from './defaults.ts';

const data = { empty: '', zero: 0, list: ['a'], none: [], map: { k: '<' }, nil: null, nan: NaN };

/** The output of `{{call}}`, or its error text after the function's name. */
function evaluate(call: string): string {
  try {
    return parse('t', `{{${call}}}`, { funcs: defaults }).execute(data);
  } catch (error) {
    return String(error).replace(/^.*error calling \w+: /, '');
  }
}

describe('as in sprig', () => {
  test.each([
    ['default "d" .empty', 'd'],
    ['default "d" .zero', 'd'],
    ['default "d" .none', 'd'],
    ['default "d" .nil', 'd'],
    ['default "d" .absent', 'd'],
    ['default "d"', 'd'],
    ['default "d" false', 'd'],
    ['default "d" .nan', 'NaN'],
    ['default "d" "x" ""', 'x'],
    ['default "d" "" "x"', 'd'],
    ['.list | default "d"', '[a]'],
    ['empty .none', 'true'],
    ['empty .map', 'false'],
    ['empty 0i', 'true'],
    ['coalesce', '<no value>'],
    ['coalesce .empty .nil 0 .list 2', '[a]'],
    ['all', 'true'],
    ['all 1 .list', 'true'],
    ['all 1 .none', 'false'],
    ['any', 'false'],
    ['any 0 .list', 'true'],
    ['any 0 .none', 'false'],
    ['ternary "a" "b" true', 'a'],
    ['false | ternary "a" "b"', 'b'],
    ['toJson .map', '{"k":"\\u003c"}'],
    ['toRawJson .map', '{"k":"<"}'],
    ['toPrettyJson .map', '{\n  "k": "\\u003c"\n}'],
    ['toJson .nan', ''],
    ['toPrettyJson .nan', ''],
    ['mustToJson .nan', 'json: unsupported value: NaN'],
    ['mustToPrettyJson .nan', 'json: unsupported value: NaN'],
    ['toRawJson .nan', 'json: unsupported value: NaN'],
    ['mustToRawJson .nan', 'json: unsupported value: NaN'],
    ['toRawJson nil', 'null'],
    ['fromJson "{\\"a\\":[1]}"', 'map[a:[1]]'],
    ['fromJson "[1,1e400]"', '[1 <nil>]'],
    ['fromJson "["', '<no value>'],
    ['mustFromJson "[1]"', '[1]'],
    ['mustFromJson "["', 'unexpected end of JSON input'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });
});

test('an exceeded budget is not hidden as a JSON error', () => {
  const template = parse('t', '{{toJson .}}{{fromJson "[1,2,3]"}}', { funcs: defaults });
  expect(() => template.execute('x'.repeat(100), { limits: { memory: 50 } })).toThrow('memory limit');
  expect(() => template.execute('x', { limits: { memory: 40 } })).toThrow('memory limit');
});
