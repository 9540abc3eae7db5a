import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, twinFieldIn } from './json.ts';

test('JSON is parsed', () => {
  expect(parseJson(' {"a": [1, "b", null]}\n')).toEqual({ ok: true, value: { a: [1, 'b', null] } });
});

test.each([
  ['', 1, 1],
  ['{', 1, 2],
  ['{"a": 1', 1, 8],
  ['{"a": 1,}', 1, 9],
  ['{"a" 1}', 1, 6],
  ["{'a': 1}", 1, 2],
  ['{"a": tru}', 1, 7],
  ['{"a": 1}}', 1, 9],
  ['[1, ]', 1, 5],
  ['[1 2]', 1, 4],
  ['[}', 1, 2],
  ['{"a": 01}', 1, 8],
  ['{\n  "a": "secret\n"\n}', 2, 8],
  ['{\r\n\r\n  "a": "\\x"}', 3, 8],
  ['url: https://example.com', 1, 1],
  ['{"a": "unterminated', 1, 7],
  ['{"a": 1} // no', 1, 10],
])('the fault in %j is at line %i, column %i', (text, line, column) => {
  expect(parseJson(text)).toEqual({ ok: false, line, column });
});

test('the text before a fault is the beginning of valid JSON, or all of it', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', 'x', '{', '\u0000'))
    .map(([json, at, insert]) => {
      const cut = at % (json.length + 1);
      return insert === '' ? json.slice(0, cut) : json.slice(0, cut) + insert + json.slice(cut);
    });
  fc.assert(
    fc.property(broken, (text) => {
      const reading = parseJson(text);
      if (reading.ok) return;
      // fc.json() writes no line breaks: the column is the offset.
      expect(reading.line).toBe(1);
      const before = parseJson(text.slice(0, reading.column - 1));
      if (!before.ok) expect(before.column).toBe(reading.column);
    }),
    { seed: 20260105, numRuns: 500 },
  );
});

test('deep nesting does not overflow the stack', () => {
  expect(parseJson('['.repeat(200_000))).toEqual({ ok: false, line: 1, column: 200_001 });
});

test.each([
  ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":"a"}]}', undefined],
  ['{"a":"\\"a\\":","b":"{\\"a\\":1"}', undefined],
  ['{"a":1,"\\u0061" : 2}', 'a'],
  ['{"x":[{"b":1,"c":{},"b":"}"}]}', 'b'],
])('a field that is there twice in %s: %s', (text, field) => {
  expect(twinFieldIn(text)).toBe(field);
});
