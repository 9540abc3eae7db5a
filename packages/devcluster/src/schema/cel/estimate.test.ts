import { parse } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { parseSchema } from '../parse.ts';
import { estimate } from './estimate.ts';
import { celType } from './types.ts';

const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const map = (values: JsonObject, more: JsonObject = {}): JsonObject => {
  return { type: 'object', additionalProperties: values, ...more };
};
const text: JsonObject = { type: 'string' };
const number: JsonObject = { type: 'number' };
const format = (name: string): JsonObject => ({ type: 'string', format: name });
const short = (maxLength: number): JsonObject => ({ type: 'string', maxLength });
const withText: JsonObject = { type: 'object', required: ['required'], properties: { required: text } };

/**
 * Schema of `self`, an expression, and the estimate of kube-apiserver: the numbers are those of its own tests
 * (k8s.io/apiextensions-apiserver, `pkg/apiserver/schema/cel/compilation_test.go`).
 */
const figures: [JsonObject, string, number][] = [
  [list(number), 'self.all(x, true)', 4718591],
  [list(number, { maxItems: 10 }), 'self.all(x, true)', 32],
  [list(text), 'self.all(x, true)', 3145727],
  [list({ type: 'boolean' }), 'self.all(x, true)', 1887437],
  [list(list(number)), 'self.all(x, true)', 3145727],
  [list(withText), 'self.all(x, true)', 555128],
  [list(format('duration')), 'self.all(x, true)', 2359295],
  [list(format('date')), 'self.all(x, true)', 725936],
  [list(format('date-time')), 'self.all(x, true)', 428963],
  [list({ 'x-kubernetes-int-or-string': true }), 'self.all(x, true)', 4718591],
  [map(number), 'self.all(x, true)', 1348169],
  [map(text), 'self.all(x, true)', 1179647],
  [map(withText), 'self.all(x, true)', 428963],
  [map(map(number)), 'self.all(x, true)', 1179647],
  [text, "self.contains('test')", 314574],
  [short(10), "self.contains('test')", 5],
  [text, "self.startsWith('test')", 2],
  [text, "self.endsWith('test')", 2],
  [text, 'size(self + "hello") > size("hello")', 314578],
  [short(4), 'size(self + "hello") > size("hello")', 7],
  [list(number), 'self[1] == 0.0', 2],
  [list(text), 'self[1] == self[1]', 314577],
  [list(number, { maxItems: 10 }), 'self.all(x, self.all(y, true))', 352],
  [list(number, { maxItems: 10 }), 'self.all(x, self.all(y, self.all(z, true)))', 3552],
  [text, 'self.matches("x")', 314574],
  [short(50), 'self.matches("x")', 22],
  [text, '"".matches("(((((((((())))))))))[0-9]")', 7],
  [text, 'self.matches("")', 1],
  [map(text), 'self.all(x, x.contains(self[x]))', 2752507],
  [short(0), 'self == "x"', 1],
  [list(number), 'self.all(x, x == 0.0)', 6291454],
  [list(map(withText)), 'self.all(x, x["y"].required == "z")', 7340027],
  [list({ 'x-kubernetes-int-or-string': true }), 'self[0] == 5', 3],
  [list(withText), 'self[0] == null', 2],
  [list(list(number)), 'self[0][0] == -1.0', 3],
  [list(map(number)), 'self.all(x, x.y == 25.2)', 6291452],
  [list(map(number)), 'self[0].x > 2.0', 4],
  [list(format('duration')), 'self[0].getHours() == 2', 4],
  [text, "self.find('[0-9]+') == ''", 629147],
  [list(text), "self.join(' ') == 'aa bb'", 329853068905],
  [list(short(10), { maxItems: 10 }), "self.join(' ') == 'aa bb'", 43],
  [list(text), 'self.isSorted() == true', 329854432052],
  [list(short(10), { maxItems: 10 }), 'self.isSorted() == true', 52],
  [
    { type: 'object', properties: { str: text, before: short(2), after: short(4) } },
    "self.str.replace(self.before, self.after) == 'does not matter'",
    629154,
  ],
  [
    { type: 'object', properties: { str: short(10), separator: short(10) } },
    'self.str.split(self.separator) == []',
    22,
  ],
  [text, "self.lowerAscii() == 'lower!'", 314575],
  [map({ type: 'integer' }), 'self.size() == self.size()', 5],
  [map(format('date-time')), 'self["a"] == self["b"]', 8],
  [{ type: 'string', enum: ['A', 'B', 'C', 'LongValue'] }, "self.contains('A')", 2],
];

describe('estimate', () => {
  it.each(figures)('of %j: %s costs %d at most', (schema, expression, cost) => {
    const self = celType(parseSchema(schema, '').node, false);
    const scope = new Map(self === undefined ? [] : [['self', self]]);
    expect(estimate(parse(expression).ast, scope).cost).toBe(cost);
  });

  /** Computed by hand from the expansion of each macro. The real server's tests have no numbers for them. */
  it.each([
    ['self.exists(x, true)', 1 + 1 + 10 * 4],
    ['self.exists_one(x, true)', 1 + 2 + 10 * 2],
    ['self.map(x, 1.0).size() > 0', 1 + 11 + 10 * 12 + 1 + 1],
    ['self.filter(x, true).size() > 0', 1 + 11 + 10 * 13 + 1 + 1],
    ['self.size() > 1 ? self[0] > 1.0 : true', 3 + 3],
  ])('takes %s on ten numbers for %d', (expression, cost) => {
    const self = celType(parseSchema(list(number, { maxItems: 10 }), '').node, false);
    const scope = new Map(self === undefined ? [] : [['self', self]]);
    expect(estimate(parse(expression).ast, scope).cost).toBe(cost);
  });

  it('never leaves 64 bits', () => {
    const self = celType(parseSchema(list(list(list(text))), '').node, false);
    const scope = new Map(self === undefined ? [] : [['self', self]]);
    const expression = 'self.all(a, self.all(b, self.all(c, self.all(d, a == b && c == d))))';
    expect(estimate(parse(expression).ast, scope).cost).toBe(2 ** 64);
  });
});
