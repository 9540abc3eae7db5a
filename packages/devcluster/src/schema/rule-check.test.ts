import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { parseSchema } from './parse.ts';
import { ruleCauses } from './rule-check.ts';

const text: JsonObject = { type: 'string', maxLength: 10 };
const fields: JsonObject = {
  s: text,
  n: { type: 'integer' },
  d: { type: 'number' },
  t: { type: 'string', format: 'date-time' },
  p: { type: 'string', format: 'duration' },
  either: { 'x-kubernetes-int-or-string': true, maxLength: 5 },
  'x-dash': text,
  untyped: { 'x-kubernetes-preserve-unknown-fields': true },
  list: { type: 'array', maxItems: 5, items: text },
  numbers: { type: 'array', maxItems: 5, items: { type: 'integer' } },
  keyed: {
    type: 'array',
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], properties: { name: text, n: { type: 'integer' } } },
  },
  map: { type: 'object', maxProperties: 5, additionalProperties: text },
  unbounded: { type: 'array', items: { type: 'string' } },
  nothing: { ...text, nullable: true },
};

function causes(schema: JsonObject): string[] {
  const { node } = parseSchema(schema, 'root');
  return ruleCauses(node, 'root').map(({ field, message }) => `${field}: ${message}`);
}

function check(rule: string, more: JsonObject = {}): string[] {
  const spec = { type: 'object', properties: fields, 'x-kubernetes-validations': [{ rule, ...more }] };
  const at = 'root.properties[spec].x-kubernetes-validations[0].';
  return causes({ type: 'object', properties: { spec } }).map((line) => line.replace(at, ''));
}

const accepted = [
  'self.n > 1 && self.d < 2.0',
  "has(self.s) && self.s.startsWith('a') && !self.s.endsWith('b') && self.s.contains('c')",
  "self.s.matches('^(?i)a+$')",
  "self.s.lowerAscii() == self.s.trim() && self.s.upperAscii() != ''",
  "self.s.split(',').join('-') == self.s.replace(',', '-')",
  "self.s.replace('a', 'b', 1).substring(1, 2).indexOf('x') == -1 && self.s.charAt(0) == 'a'",
  "self.s.find('[0-9]+') == '1' || self.s.findAll('a').size() > 1 || self.s.findAll('a', 1).size() == 1",
  "self.list.all(x, x != '') && self.list.exists(x, x == 'a') && self.list.exists_one(x, x == 'b')",
  "self.list.map(x, x + 'a').filter(x, x.size() > 1).isSorted()",
  'self.numbers.sum() == 3 && self.numbers.min() == 1 && self.numbers.max() == 2 && self.numbers.indexOf(1) == 0',
  'self.map.all(k, self.map[k].size() > 0) && "a" in self.map && size(self.map) < 3',
  "self.keyed.all(x, x.name in ['a', 'b'])",
  "self.t < timestamp('2030-01-01T00:00:00Z') && self.t.getFullYear() > 2000",
  "self.p <= duration('1h') && self.p.getSeconds() > 1",
  "type(self.either) == int ? self.either > 1 : self.either == '1%'",
  "self.x__dash__dash == 'a'",
  'self.nothing == null || self.nothing.size() > 1',
  "self.?s.orValue('') == '' && optional.of(1).hasValue()",
  "{'a': 1, 'b': 2}.all(k, k != '') && [1, 2][0] == 1",
  'string(self.n) == self.s || int(self.s) == self.n || double(self.n) > 1.0 || bool(self.s)',
  'self == oldSelf || self.s == oldSelf.s',
  '-self.n < 0 && !(self.n % 2 == 0)',
];

/** A rule and the compiler's message. */
const refused: [string, string][] = [
  ['self.typo == 1', "undefined field 'typo'"],
  ['has(self.typo)', "undefined field 'typo'"],
  ['self.untyped == 1', "undefined field 'untyped'"],
  ['self.constructor == 1', "undefined field 'constructor'"],
  ['self.keyed.all(x, x.typo == 1)', "undefined field 'typo'"],
  ['other == 1', "undeclared reference to 'other' (in container '')"],
  ["self.n > 'a'", 'no such overload: int > string'],
  ['self.n && true', "Logical operator requires bool operands, got 'int'"],
  ["self.s.matches('(')", 'error parsing regexp: missing closing ): `(`'],
  ["url(self.s).getHost() == 'a'", "undeclared reference to 'getHost' (in container '')"],
  ['quantity(self.s) == quantity(self.s)', "undeclared reference to 'quantity' (in container '')"],
  ['cel.bind(a, 1, a == 1)', "undeclared reference to 'bind' (in container '')"],
  ["self.s.format([1]) == ''", "undeclared reference to 'format' (in container '')"],
  ["b'a'.hex() == ''", "undeclared reference to 'hex' (in container '')"],
  [
    'self.keyed == oldSelf.keyed',
    "operator '==' on a list with x-kubernetes-list-type=map is not supported by this server",
  ],
  [
    '(self.keyed + oldSelf.keyed).size() > 1',
    "operator '+' on a list with x-kubernetes-list-type=map is not supported by this server",
  ],
  ['1 +', 'Syntax error: Unexpected token: EOF'],
];

describe('rules of a CRD', () => {
  it.each(accepted)('may say %s', (rule) => {
    expect(check(rule)).toEqual([]);
  });

  it.each(refused)('may not say %s: %s', (rule, message) => {
    const [cause, ...others] = check(rule);
    expect(cause).toMatch(/^rule: Invalid value: \{.*\}: compilation failed: ERROR: <input>:1:\d+: /);
    expect(cause).toContain(`: ${message}\n | ${rule}\n | `);
    expect(others).toEqual([]);
  });

  it('give a bool, and messages a string', () => {
    expect(check('self.n')).toEqual([
      'rule: Invalid value: {"rule":"self.n"}: cel expression must evaluate to a bool',
    ]);
    const [cause] = check('true', { messageExpression: '1' });
    expect(cause).toContain('messageExpression must evaluate to a string');
  });

  it('point at the place of an error, also in a later line', () => {
    expect(check('true &&\n  self.typo').join()).toContain(
      "<input>:2:3: undefined field 'typo'\n |   self.typo\n | ..^",
    );
  });

  it('use oldSelf only where old and new belong together', () => {
    const rule = { rule: 'self == oldSelf' };
    const list = (more: JsonObject): JsonObject => ({
      type: 'object',
      properties: {
        l: { type: 'array', maxItems: 2, items: { ...text, 'x-kubernetes-validations': [rule] }, ...more },
      },
    });
    expect(causes(list({}))).toEqual([
      'root.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": ' +
        'oldSelf cannot be used on the uncorrelatable portion of the schema within root.properties[l]',
    ]);
    expect(causes(list({ 'x-kubernetes-list-type': 'map' }))).toEqual([]);
  });

  it('say optionalOldSelf only when they use oldSelf', () => {
    expect(check('oldSelf.hasValue() || self.n == 1', { optionalOldSelf: true })).toEqual([]);
    expect(check('self.n == 1', { optionalOldSelf: true })).toEqual([
      'optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
    ]);
  });
});

describe('the estimated cost of rules', () => {
  const tooMuch =
    'estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, ' +
    'maxProperties, and maxLength where arrays, maps, and strings are declared)';

  it('is too high for going through an unbounded list of texts twice', () => {
    expect(check('self.unbounded.all(x, self.unbounded.exists_one(y, y == x))')).toEqual([
      `rule: Forbidden: ${tooMuch}`,
      'rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      `root: Forbidden: x-kubernetes-validations ${tooMuch.replace('cost', 'cost total for entire OpenAPIv3 schema')}`,
    ]);
  });

  it('is within bounds when the list and its items have limits', () => {
    expect(check('self.list.all(x, self.list.exists_one(y, y == x))')).toEqual([]);
  });

  it('counts a rule as often as lists and maps around it can hold it', () => {
    const item = { ...text, 'x-kubernetes-validations': [{ rule: "self.matches('^[a-z]+$')" }] };
    const within = (limits: JsonObject): number =>
      causes({ type: 'object', properties: { l: { type: 'array', items: item, ...limits } } }).length;
    expect(within({ maxItems: 100 })).toBe(0);
    expect(within({})).toBeGreaterThan(0);
    const nested = (maxItems: number): number => {
      const inner = { type: 'array', maxItems, items: item };
      const outer = { type: 'object', maxProperties: maxItems, additionalProperties: inner };
      return causes({ type: 'object', properties: { m: outer } }).length;
    };
    expect(nested(100)).toBe(0);
    expect(nested(1_000)).toBeGreaterThan(0);
  });

  it('takes the text of an enum for as long as its longest value', () => {
    const rules = [{ rule: "self.x.matches('" + 'a'.repeat(200) + "')" }];
    const schema = (x: JsonObject): JsonObject => ({
      type: 'object',
      properties: { x },
      'x-kubernetes-validations': rules,
    });
    expect(causes(schema({ type: 'string', enum: ['a', 'bb'] }))).toEqual([]);
    expect(causes(schema({ type: 'string' }))).not.toEqual([]);
  });

  it('is unlimited for a text made from a number, as on the real server', () => {
    const [cause] = check('true', { messageExpression: "'at most ' + string(self.n)" });
    expect(cause).toMatch(/^messageExpression: Forbidden: estimated messageExpression cost exceeds budget/);
    expect(check('true', { messageExpression: "'at most ' + self.s" })).toEqual([]);
  });

  it('adds up over the schema', () => {
    const rules = Array.from({ length: 30 }, () => ({ rule: "self.unbounded.all(x, x == '')" }));
    const lines = causes({ type: 'object', properties: fields, 'x-kubernetes-validations': rules });
    expect(lines.at(-1)).toMatch(
      /^root: Forbidden: .* total for entire OpenAPIv3 schema exceeds budget by factor of /,
    );
    expect(lines.filter((line) => line.includes('contributed to'))).toHaveLength(4);
  });
});
