import { describe, expect, it } from 'vitest';
import type { NumberNode } from './ast.ts';
import { parseTree } from './parser.ts';

function read(literal: string): NumberNode {
  const tree = parseTree('t', `{{f ${literal}}}`, { hasFunction: () => true }).get('t');
  const [node] = tree?.root.nodes ?? [];
  const argument = node?.kind === 'action' ? node.pipe.cmds[0]?.args[1] : undefined;
  if (argument?.kind !== 'number') throw new Error(`no number: ${literal}`);
  return argument;
}

/** Literals with all values that Go's parser finds for them. */
const NUMBERS: [literal: string, is: Partial<NumberNode>][] = [
  ['0', { int: 0n, uint: 0n, float: 0 }],
  ['1', { int: 1n, uint: 1n, float: 1 }],
  ['42', { int: 42n, uint: 42n, float: 42 }],
  ['-1', { int: -1n, float: -1 }],
  ['-0', { int: 0n, uint: 0n, float: 0 }],
  ['+5', { int: 5n, float: 5 }],
  ['+0', { int: 0n, uint: 0n, float: 0 }],
  ['1_000', { int: 1000n, uint: 1000n, float: 1000 }],
  ['0x1F', { int: 31n, uint: 31n, float: 31 }],
  ['0X_1f', { int: 31n, uint: 31n, float: 31 }],
  ['0b101', { int: 5n, uint: 5n, float: 5 }],
  ['0o17', { int: 15n, uint: 15n, float: 15 }],
  ['017', { int: 15n, uint: 15n, float: 15 }],
  ['0_7', { int: 7n, uint: 7n, float: 7 }],
  ['00', { int: 0n, uint: 0n, float: 0 }],
  [
    '9223372036854775807',
    { int: 9223372036854775807n, uint: 9223372036854775807n, float: 9.223372036854776e18 },
  ],
  ['9223372036854775808', { uint: 9223372036854775808n, float: 9.223372036854776e18 }],
  ['-9223372036854775808', { int: -9223372036854775808n, float: -9.223372036854776e18 }],
  ['18446744073709551615', { uint: 18446744073709551615n, float: 1.8446744073709552e19 }],
  ['1.5', { float: 1.5 }],
  ['.5', { float: 0.5 }],
  ['5.', { int: 5n, uint: 5n, float: 5 }],
  ['1e3', { int: 1000n, uint: 1000n, float: 1000 }],
  ['1E-3', { float: 0.001 }],
  ['1_0.5', { float: 10.5 }],
  ['-2.0', { int: -2n, float: -2 }],
  ['1e18', { int: 1000000000000000000n, uint: 1000000000000000000n, float: 1e18 }],
  ['1e19', { uint: 10000000000000000000n, float: 1e19 }],
  ['1e20', { float: 1e20 }],
  ['-1e19', { float: -1e19 }],
  ['1.7976931348623157e308', { float: 1.7976931348623157e308 }],
  ['1e-400', { int: 0n, uint: 0n, float: 0 }],
  ['0x1p4', { int: 16n, uint: 16n, float: 16 }],
  ['0x.8p1', { int: 1n, uint: 1n, float: 1 }],
  ['0x1.8p-1', { float: 0.75 }],
  ['-0x1p0', { int: -1n, float: -1 }],
  ['0.0', { int: 0n, uint: 0n, float: 0 }],
  ['-0.0', { int: 0n, uint: 0n, float: -0 }],
  ['1i', { complex: { re: 0, im: 1 } }],
  ['0i', { int: 0n, uint: 0n, float: 0, complex: { re: 0, im: 0 } }],
  ['1.5i', { complex: { re: 0, im: 1.5 } }],
  ['1e3i', { complex: { re: 0, im: 1000 } }],
  ['1+2i', { complex: { re: 1, im: 2 } }],
  ['-1-2i', { complex: { re: -1, im: -2 } }],
  ['1.5+0i', { float: 1.5, complex: { re: 1.5, im: 0 } }],
  ['-1+0i', { int: -1n, float: -1, complex: { re: -1, im: 0 } }],
  ['1e19+0i', { uint: 10000000000000000000n, float: 1e19, complex: { re: 1e19, im: 0 } }],
  ['0x1p2+1i', { complex: { re: 4, im: 1 } }],
  ["'a'", { int: 97n, uint: 97n, float: 97 }],
  ["'\\n'", { int: 10n, uint: 10n, float: 10 }],
  ["'\\''", { int: 39n, uint: 39n, float: 39 }],
  ["'\\x80'", { int: 128n, uint: 128n, float: 128 }],
  ["'\\377'", { int: 255n, uint: 255n, float: 255 }],
  ["'\\u00e9'", { int: 233n, uint: 233n, float: 233 }],
  ["'é'", { int: 233n, uint: 233n, float: 233 }],
  ["'😀'", { int: 128512n, uint: 128512n, float: 128512 }],
  ["'\\U0001F600'", { int: 128512n, uint: 128512n, float: 128512 }],
];

describe('a number has the values of Go', () => {
  it.each(NUMBERS)('%s', (literal, is) => {
    const { int, uint, float, complex, text } = read(literal);
    const nothing = { int: undefined, uint: undefined, float: undefined, complex: undefined };
    expect({ int, uint, float, complex }).toEqual({ ...nothing, ...is });
    expect(text).toBe(literal);
  });
});

describe("an invalid number is refused with Go's text", () => {
  it.each([
    ['08', 'integer overflow: "08"'],
    ['1__0', 'illegal number syntax: "1__0"'],
    ['1_', 'illegal number syntax: "1_"'],
    ['0x', 'illegal number syntax: "0x"'],
    ['0x_', 'illegal number syntax: "0x_"'],
    ['0b2', 'bad number syntax: "0b2"'],
    ['0o8', 'bad number syntax: "0o8"'],
    ['18446744073709551616', 'integer overflow: "18446744073709551616"'],
    ['-9223372036854775809', 'integer overflow: "-9223372036854775809"'],
    ['99999999999999999999', 'integer overflow: "99999999999999999999"'],
    ['0x1FFFFFFFFFFFFFFFF', 'illegal number syntax: "0x1FFFFFFFFFFFFFFFF"'],
    ['1e999', 'illegal number syntax: "1e999"'],
    ['+', 'illegal number syntax: "+"'],
    ['-.', 'illegal number syntax: "-."'],
    ['1e', 'illegal number syntax: "1e"'],
    ['1e+', 'illegal number syntax: "1e+"'],
    ['0x1.8', 'illegal number syntax: "0x1.8"'],
    ['0x1e+2i', 'strconv.ParseFloat: parsing "0x1e": invalid syntax'],
    ['0b1+1i', 'syntax error scanning complex number'],
    ['1+i', 'syntax error scanning complex number'],
    ['1i+2i', 'syntax error scanning complex number'],
    ['+i', 'illegal number syntax: "+i"'],
    ['-+2i', 'strconv.ParseFloat: parsing "-": invalid syntax'],
    ['1e999+1i', 'strconv.ParseFloat: parsing "1e999": value out of range'],
    ['1_0__+1i', 'strconv.ParseFloat: parsing "1_0__": invalid syntax'],
    ['1+0x2i', 'strconv.ParseFloat: parsing "+0x2": invalid syntax'],
    ["''", 'invalid syntax'],
    ["'ab'", "malformed character constant: 'ab'"],
    ["'\\q'", 'invalid syntax'],
    ["'\\\"'", 'invalid syntax'],
    ["'\\400'", 'invalid syntax'],
    ["'\\ud800'", 'invalid syntax'],
  ])('%s: %s', (literal, error) => {
    expect(() => read(literal)).toThrow(expect.objectContaining({ message: `template: t:1: ${error}` }));
  });
});
