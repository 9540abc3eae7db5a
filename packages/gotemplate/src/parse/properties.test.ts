import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TemplateError } from '../errors.ts';
import type { ListNode } from './ast.ts';
import { parseTree } from './parser.ts';
import { print } from './print.ts';

/** The pieces of templates, valid and invalid. */
const FRAGMENTS = [
  ...['{{if .x}}', '{{else}}', '{{else if f .y}}', '{{else with $}}', '{{end}}', '{{end}}', '{{range .l}}'],
  ...[
    '{{range $i, $v := .l}}',
    '{{with $x := 1}}',
    '{{break}}',
    '{{continue}}',
    '{{define "a"}}',
    '{{block "b" .}}',
  ],
  ...[
    '{{template "a" .}}',
    '{{$x := 1}}',
    '{{$x}}',
    '{{$x = f 2}}',
    '{{.x | f 1 | f}}',
    '{{(f .x).y.z}}',
    'text',
    '\n',
  ],
  ...[
    '{{- /* c */ -}}',
    '{{ -1.5e3 -}} ',
    '{{',
    '}}',
    '{',
    ' {{- ',
    ' -}} ',
    '"',
    '`',
    "'",
    '(',
    ')',
    '|',
    ':=',
    '=',
  ],
  ...[
    '.x',
    '$x',
    'f',
    'nope',
    '1+2i',
    '0x1p-2',
    "'\\n'",
    '"\\xff"',
    '`raw`',
    'nil',
    'true',
    ' ',
    '/*',
    '*/',
    'é😀',
    '\u0001',
  ],
];

const fragments = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 24 }).map((parts) => parts.join(''));
const actions = fragments.map((text) => `{{${text}}}`);
const texts = fc.oneof(fragments, actions, fc.string({ unit: 'grapheme' }));

function parse(text: string): ListNode | undefined {
  return parseTree('t', text, { hasFunction: (name) => name === 'f' }).get('t')?.root;
}

it('throws only a TemplateError of stage parse, for any text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parse(text);
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
        expect(error).toMatchObject({ stage: 'parse', template: 't', limit: undefined });
      }
    }),
    { seed: 20260501, numRuns: 2000 },
  );
});

it('the printed AST parses to the same AST, which prints the same', () => {
  let compared = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const tree = attempt(text);
      if (tree === undefined || shows(tree)) return;
      const again = parse(print(tree));
      expect(again && shape(again)).toEqual(shape(tree));
      expect(again && print(again)).toBe(print(tree));
      compared++;
    }),
    { seed: 20260502, numRuns: 2000 },
  );
  // Most texts are errors, but enough are valid.
  expect(compared).toBeGreaterThan(300);
});

function attempt(text: string): ListNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Whether separate texts of the source now form a delimiter, alone or with the next action. */
function shows(tree: ListNode): boolean {
  return /\{\{\{|\{\{(?!\w|[-+$.("'`])/.test(print(tree));
}

/** An AST without positions; adjacent texts are joined. */
function shape(tree: ListNode): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => {
      if (key === 'pos') return undefined;
      if (typeof value === 'bigint') return `${value}n`;
      return key === 'nodes' ? joinTexts(value as ListNode['nodes']) : value;
    }),
  );
}

function joinTexts(nodes: ListNode['nodes']): ListNode['nodes'] {
  return nodes.reduce<ListNode['nodes']>((joined, node) => {
    const last = joined.at(-1);
    if (node.kind !== 'text' || last?.kind !== 'text') return [...joined, node];
    return [...joined.slice(0, -1), { ...last, text: last.text + node.text }];
  }, []);
}
