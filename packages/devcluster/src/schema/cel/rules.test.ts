import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../json.ts';
import { compileVersion } from '../crd.ts';

const text: JsonObject = { type: 'string', maxLength: 20 };

/** The errors of an object, and of its change if `old` is given: field, message. */
function check(schema: JsonObject, object: JsonObject, old?: JsonObject): string[] {
  const causes = compileVersion(schema).validate(object, old);
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

/** Whether `rule` on `{ x: … }` holds for a value of `x`. */
function holds(x: JsonObject, rule: string, value?: Json): boolean {
  const schema = { type: 'object', properties: { x }, 'x-kubernetes-validations': [{ rule }] };
  return check(schema, value === undefined ? {} : { x: value }).length === 0;
}

const pair: JsonObject = { type: 'object', properties: { a: text } };
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

/** Schema of `x`, a rule, a value that satisfies it, and one that does not. */
const pairs: [JsonObject, string, Json, Json][] = [
  [text, "self.x.matches('^a(?i)B$')", 'ab', 'AB'],
  [text, "self.x.find('[0-9]+') == '12'", 'a12b3', 'a3'],
  [text, "self.x.findAll('[0-9]', 2) == ['1', '2']", '1a2b3', '3'],
  [text, "self.x.replace('a', 'b', 1) == 'ba'", 'aa', 'ab'],
  [text, "self.x.charAt(1) == 'b'", 'ab', 'ba'],
  [text, "self.x.split(',').map(s, s.trim()) == ['a', 'b']", 'a, b', 'a'],
  [text, 'self.x.size() == 1', '😀', 'ab'],
  [{ ...text, format: 'byte' }, 'self.x.size() == 2', 'aGk=', 'aA=='],
  [{ type: 'integer' }, 'self.x / 2 == 1', 3, 4],
  [{ type: 'number' }, 'self.x / 2.0 == 1.5', 3, 4],
  [{ 'x-kubernetes-int-or-string': true }, "type(self.x) == int ? self.x < 5 : self.x == '5%'", '5%', 6],
  [
    { type: 'string', format: 'date-time' },
    'self.x.getFullYear() == 2024',
    '2024-05-01T00:00:00Z',
    '2023-01-01T00:00:00Z',
  ],
  [{ type: 'string', format: 'duration' }, "self.x >= duration('90s')", '2 minutes', '1m'],
  [
    { type: 'array', items: { type: 'integer' } },
    'self.x.isSorted() && self.x.sum() == 6',
    [1, 2, 3],
    [3, 2, 1],
  ],
  [{ type: 'array', items: { type: 'integer' } }, 'self.x.min() == 1 && self.x.max() == 3', [2, 1, 3], [2]],
  [
    { type: 'array', items: text },
    "self.x.indexOf('b') == 1 && self.x.lastIndexOf('b') == 2",
    ['a', 'b', 'b'],
    ['b'],
  ],
  [
    { type: 'object', additionalProperties: text },
    "self.x.all(k, self.x[k] == 'v')",
    { a: 'v' },
    { a: 'v', b: 'w' },
  ],
  [
    { type: 'object', properties: { 'a-b': text } },
    "self.x.a__dash__b == 'c'",
    { 'a-b': 'c' },
    { 'a-b': 'd' },
  ],
  [
    list(pair),
    'self.x[0] != null && self.x[0] == self.x[1]',
    [{ a: 'b' }, { a: 'b' }],
    [{ a: 'b' }, { a: 'c' }],
  ],
  [list(pair), 'self.x[0] in [self.x[1]]', [{ a: 'b' }, { a: 'b' }], [{ a: 'b' }, { a: 'c' }]],
  [{ type: 'object', properties: { a: text } }, 'has(self.x.a)', { a: '' }, {}],
  [
    { type: 'object', properties: { a: { ...text, nullable: true } } },
    'self.x.a == null',
    { a: null },
    { a: 'x' },
  ],
];

describe('rules', () => {
  it.each(pairs)('of %j: %s holds for %j and not for %j', (schema, rule, good, bad) => {
    expect([holds(schema, rule, good), holds(schema, rule, bad)]).toEqual([true, false]);
  });

  const withRule = (rule: JsonObject): JsonObject => ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { n: { type: 'integer' }, s: text },
        'x-kubernetes-validations': [rule],
      },
    },
  });
  const object = { spec: { n: 1, s: 'a' } };

  it('fail with the message, the message of an expression, or themselves', () => {
    expect(check(withRule({ rule: 'self.n > 1' }), object)).toEqual([
      'spec: Invalid value: failed rule: self.n > 1',
    ]);
    expect(check(withRule({ rule: 'self.n > 1', message: ' more! ' }), object)).toEqual([
      'spec: Invalid value: more!',
    ]);
    const messageExpression = "'not ' + self.s";
    expect(check(withRule({ rule: 'self.n > 1', message: 'm', messageExpression }), object)).toEqual([
      'spec: Invalid value: not a',
    ]);
  });

  it('fall back to the message when the expression for it fails, is empty or has several lines', () => {
    for (const messageExpression of ['self.s.substring(9)', "''", "'a\\nb'"]) {
      expect(check(withRule({ rule: 'self.n > 1', message: 'm', messageExpression }), object)).toEqual([
        'spec: Invalid value: m',
      ]);
    }
  });

  it('fail with their reason and at their field', () => {
    const rule = { rule: 'self.n > 1', message: 'm', fieldPath: '.n' };
    const causeOf = (reason: string): unknown =>
      compileVersion(withRule({ ...rule, reason })).validate(object)[0];
    const field = 'spec.n';
    expect(causeOf('FieldValueForbidden')).toEqual({
      reason: 'FieldValueForbidden',
      message: 'Forbidden: m',
      field,
    });
    expect(causeOf('FieldValueRequired')).toEqual({
      reason: 'FieldValueRequired',
      message: 'Required value: m',
      field,
    });
    expect(causeOf('FieldValueInvalid')).toMatchObject({ message: 'Invalid value: m', field });
    expect(causeOf('FieldValueDuplicate')).toMatchObject({ message: 'Duplicate value', field });
  });

  it('that cannot be evaluated say why', () => {
    const at = (rule: string): string => check(withRule({ rule }), { spec: { n: 0 } })[0] ?? '';
    expect(at("self.s == 'a'")).toBe(
      `spec: Invalid value: "object": no such key: s evaluating rule: self.s == 'a'`,
    );
    expect(at('1 / self.n == 1')).toContain('division by zero evaluating rule: ');
    expect(at('[1][self.n + 1] == 1')).toContain('index out of bounds: 1 evaluating rule: ');
    expect(at('dyn(self.n).size() == 1')).toContain('evaluating rule: ');
  });

  it('are left out, and this is said, when the object has not the shape they are for', () => {
    expect(check(withRule({ rule: 'self.n > 1' }), { spec: { n: 'x' } })).toEqual([
      'spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ' +
        'correct the existing errors to complete validation',
    ]);
  });

  it.each<[JsonObject, Json, boolean]>([
    [{ ...text, enum: ['a'] }, 'b', false],
    [{ ...text, maxLength: 1 }, 'bb', false],
    [{ type: 'array', items: text, maxItems: 1 }, ['a', 'b'], false],
    [{ type: 'object', required: ['a'] }, {}, false],
    [{ type: 'integer', minimum: 5 }, 1, true],
    [{ ...text, pattern: '^a' }, 'b', true],
  ])('beside a violation of %j by %j: checked %s', (x, value, checked) => {
    const schema = {
      type: 'object',
      properties: { x },
      'x-kubernetes-validations': [{ rule: 'false', message: 'no' }],
    };
    const lines = check(schema, { x: value });
    expect(lines).toHaveLength(2);
    expect(lines.includes('<nil>: Invalid value: no')).toBe(checked);
  });

  it('see the names of a resource, whether or not the schema has them', () => {
    const rule = { rule: "self.metadata.name.startsWith('a') && self.kind == 'K'" };
    const schema = { type: 'object', 'x-kubernetes-validations': [rule] };
    expect(check(schema, { apiVersion: 'v1', kind: 'K', metadata: { name: 'ab', labels: {} } })).toEqual([]);
    expect(check(schema, { apiVersion: 'v1', kind: 'K', metadata: { name: 'b' } })).toHaveLength(1);
  });

  it('are checked in lists and maps, and named by position and key', () => {
    const item = { ...text, 'x-kubernetes-validations': [{ rule: "self != 'bad'" }] };
    const schema = {
      type: 'object',
      properties: { l: { type: 'array', items: item }, m: { type: 'object', additionalProperties: item } },
    };
    const fields = compileVersion(schema).validate({ l: ['ok', 'bad'], m: { k: 'bad' } });
    expect(fields.map(({ field }) => field)).toEqual(['l[1]', 'm[k]']);
  });

  it('do not apply to null', () => {
    const x = { ...text, nullable: true, 'x-kubernetes-validations': [{ rule: 'false' }] };
    expect(check({ type: 'object', properties: { x } }, { x: null })).toEqual([]);
  });
});

describe('transition rules', () => {
  const fixed = (more: JsonObject = {}): JsonObject => ({
    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed', ...more }],
  });
  const field = (x: JsonObject): JsonObject => ({ type: 'object', properties: { x } });

  it('compare with the old value, where there is one', () => {
    const schema = field({ ...text, ...fixed() });
    expect(check(schema, { x: 'a' })).toEqual([]);
    expect(check(schema, { x: 'a' }, {})).toEqual([]);
    expect(check(schema, { x: 'a' }, { x: 'a' })).toEqual([]);
    expect(check(schema, { x: 'b' }, { x: 'a' })).toEqual(['x: Invalid value: "b": fixed']);
    expect(check(schema, {}, { x: 'a' })).toEqual([]);
  });

  it('with optionalOldSelf also see that there was none', () => {
    const rule = { rule: "oldSelf.hasValue() || self == 'new'", optionalOldSelf: true };
    const schema = field({ ...text, 'x-kubernetes-validations': [rule] });
    expect(check(schema, { x: 'b' })).toHaveLength(1);
    expect(check(schema, { x: 'new' })).toEqual([]);
    expect(check(schema, { x: 'b' }, { x: 'a' })).toEqual([]);
  });

  it('find the items of a map by key, wherever they stand', () => {
    const list = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: text, v: { ...text, ...fixed() } } },
    };
    const old = {
      x: [
        { name: 'a', v: '1' },
        { name: 'b', v: '2' },
      ],
    };
    expect(
      check(
        field(list),
        {
          x: [
            { name: 'b', v: '2' },
            { name: 'c', v: '3' },
            { name: 'a', v: '1' },
          ],
        },
        old,
      ),
    ).toEqual([]);
    expect(check(field(list), { x: [{ name: 'b', v: '1' }] }, old)).toEqual([
      'x[0].v: Invalid value: "1": fixed',
    ]);
  });

  it('do not take items of a set or a plain list for the same', () => {
    const list = (type: string): JsonObject => {
      return field({ type: 'array', 'x-kubernetes-list-type': type, items: { ...text, ...fixed() } });
    };
    for (const type of ['atomic', 'set']) expect(check(list(type), { x: ['b'] }, { x: ['a'] })).toEqual([]);
    const items = { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { v: text }, ...fixed() };
    const set = field({ type: 'array', 'x-kubernetes-list-type': 'set', items });
    expect(check(set, { x: [{ v: '2' }] }, { x: [{ v: '1' }] })).toEqual([]);
  });

  it('do not take the fields of an atomic map for the same', () => {
    const atomic = (mapType: string): JsonObject => {
      return field({
        type: 'object',
        'x-kubernetes-map-type': mapType,
        properties: { a: { ...text, ...fixed() } },
      });
    };
    expect(check(atomic('atomic'), { x: { a: '2' } }, { x: { a: '1' } })).toEqual([]);
    expect(check(atomic('granular'), { x: { a: '2' } }, { x: { a: '1' } })).toHaveLength(1);
  });

  it('hold objects for equal whose sets and maps have the same items in another order', () => {
    const object = {
      type: 'object',
      properties: {
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        list: { type: 'array', items: text },
      },
      ...fixed(),
    };
    const old = { x: { set: ['a', 'b'], list: ['a', 'b'] } };
    expect(check(field(object), { x: { list: ['a', 'b'], set: ['b', 'a'] } }, old)).toEqual([]);
    expect(check(field(object), { x: { list: ['b', 'a'], set: ['a', 'b'] } }, old)).toHaveLength(1);
  });
});
