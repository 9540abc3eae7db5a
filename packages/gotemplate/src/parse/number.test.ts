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
  ['-0', { int: 0n, uint: 0n, float: 0 }],
  ['+0', { int: 0n, uint: 0n, float: 0 }],
  ['5.', { int: 5n, uint: 5n, float: 5 }],
  ['1e3', { int: 1000n, uint: 1000n, float: 1000 }],
  ['1e18', { int: 1000000000000000000n, uint: 1000000000000000000n, float: 1e18 }],
  ['1e19', { uint: 10000000000000000000n, float: 1e19 }],
  ['1e20', { float: 1e20 }],
  ['-1e19', { float: -1e19 }],
  ['-2.0', { int: -2n, float: -2 }],
  ['0i', { int: 0n, uint: 0n, float: 0, complex: { re: 0, im: 0 } }],
  ['1e19+0i', { uint: 10000000000000000000n, float: 1e19, complex: { re: 1e19, im: 0 } }],
  ['0x1p2+1i', { complex: { re: 4, im: 1 } }],
  ['1i', { complex: { re: 0, im: 1 } }],
  ['1.5i', { complex: { re: 0, im: 1.5 } }],
  ['1e3i', { complex: { re: 0, im: 1000 } }],
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
    ['18446744073709551616', 'integer overflow: "18446744073709551616"'],
    ['0b1+1i', 'syntax error scanning complex number'],
    ['1+i', 'syntax error scanning complex number'],
    ['+i', 'illegal number syntax: "+i"'],
  ])('%s: %s', (literal, error) => {
    expect(() => read(literal)).toThrow(expect.objectContaining({ message: `template: t:1: ${error}` }));
  });
});
