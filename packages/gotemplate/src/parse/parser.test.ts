import { describe, expect, it } from 'vitest';
import type { Node } from './ast.ts';
import { MAX_NESTING, type ParseOptions, parseTree } from './parser.ts';
import { print } from './print.ts';

const FUNCTIONS: ParseOptions = { hasFunction: (name) => name === 'f' };

/** Kinds and positions: `if@3(pipe@3(…) list@9(…))`. */
function outline(node: Node): string {
  const inner = childrenOf(node).map(outline).join(' ');
  return `${node.kind}@${node.pos}${inner && `(${inner})`}`;
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'list':
      return node.nodes;
    case 'action':
      return [node.pipe];
    case 'if':
    case 'range':
    case 'with':
      return [node.pipe, node.list, ...(node.elseList ? [node.elseList] : [])];
    case 'template':
      return node.pipe ? [node.pipe] : [];
    case 'pipe':
      return [...node.decl, ...node.cmds];
    case 'command':
      return node.args;
    case 'chain':
      return [node.node];
    default:
      return [];
  }
}

function definitions(text: string, options: Partial<ParseOptions> = {}): Record<string, string> {
  const trees = parseTree('t', text, { ...FUNCTIONS, ...options });
  return Object.fromEntries([...trees.values()].map(({ name, root }) => [name, print(root)]));
}

it.each([
  ['ab{{ .x }}c', 'list@0(text@0 action@5(pipe@5(command@5(field@5))) text@10)'],
  [
    '{{- $x := 1 | f .a }}{{ $x.b.c }}',
    'list@0(action@4(pipe@4(variable@4 command@10(number@10) command@14(identifier@14 field@16))) action@24(pipe@24(command@24(variable@26))))',
  ],
  [
    '{{ if  (f .x).y.z }}a{{ else if 2 }}b{{ else }}c{{ end }}',
    'list@0(if@7(pipe@7(command@7(chain@13(pipe@8(command@8(identifier@8 field@10))))) list@20(text@20) list@29(if@32(pipe@32(command@32(number@32)) list@36(text@36) list@47(text@47)))))',
  ],
  [
    '{{range $i, $v := .l -}} {{break}}{{else}} {{end}}',
    'list@0(range@8(pipe@8(variable@8 variable@12 command@18(field@18)) list@25(break@27) list@42(text@42)))',
  ],
  [
    '{{template  "a"  . }}{{block "b" $}}{{.}}{{end}}',
    'list@0(template@12(pipe@17(command@17(dot@17))) template@29(pipe@33(command@33(variable@33))))',
  ],
  [
    '{{with ( 1 ) }}é{{f "s" nil true . .a.b}}{{end}}',
    'list@0(with@7(pipe@7(command@7(pipe@9(command@9(number@9)))) list@15(text@15 action@18(pipe@18(command@18(identifier@18 string@20 nil@24 bool@28 dot@33 field@37))))))',
  ],
])('nodes have the positions of Go: %s', (text, expected) => {
  const tree = parseTree('t', text, FUNCTIONS).get('t');
  expect(tree && outline(tree.root)).toBe(expected);
});

describe('definitions, as Go finds them', () => {
  it.each<[text: string, expected: Record<string, string>]>([
    ['', { t: '' }],
    ['a{{define "b"}}c{{end}}d', { b: 'c', t: 'ad' }],
    [' {{define "a"}}x{{end}}\n', { a: 'x', t: ' \n' }],
    ['{{define "\\x41"}}x{{end}}', { A: 'x', t: '' }],
    [
      '{{block "a" .}}{{block "b" .}}{{.}}{{end}}{{end}}',
      { a: '{{template "b" .}}', b: '{{.}}', t: '{{template "a" .}}' },
    ],
    ['{{if .x}}{{block "a" .}}x{{end}}{{end}}', { a: 'x', t: '{{if .x}}{{template "a" .}}{{end}}' }],
    // If one of the two is empty, the other wins.
    ['{{define "a"}} {{end}}{{define "a"}}x{{end}}', { a: 'x', t: '' }],
    ['{{define "a"}}x{{end}}{{define "a"}} {{/* c */}}{{end}}', { a: 'x', t: '' }],
    ['{{define "a"}}\u0085\u00a0\u3000{{end}}{{define "a"}}x{{end}}', { a: 'x', t: '' }],
    ['{{define "t"}}x{{end}} \n', { t: 'x' }],
  ])('%j', (text, expected) => {
    expect(definitions(text)).toEqual(expected);
  });

  it('a definition with only comments is empty, also if comments are kept', () => {
    const text = '{{define "a"}}{{/* c */}}{{end}}{{define "a"}}x{{end}}';
    expect(definitions(text, { comments: true })).toEqual({ a: 'x', t: '' });
  });
});

describe('other delimiters', () => {
  it.each([
    ['<%', '%>', '<%.x%>{{.y}}', '{{.x}}{{.y}}'],
    ['<%', '%>', 'a <%- .x -%> b', 'a{{.x}}b'],
    ['<%', '%>', '<%/* c */%>x', 'x'],
    ['', '>>', '{{.x>>', '{{.x}}'],
    ['[[', '', '[[if .x}}a[[end}}', '{{if .x}}a{{end}}'],
    ['$', '$', '$.x$', '{{.x}}'],
    ['«', '»', '«.é»', '{{.é}}'],
  ])('%s and %s in %s', (leftDelim, rightDelim, text, expected) => {
    expect(definitions(text, { leftDelim, rightDelim })).toEqual({ t: expected });
  });
});

describe('break and continue', () => {
  it('are functions if functions have these names', () => {
    const hasFunction = (name: string): boolean => name === 'break' || name === 'continue';
    const tree = parseTree('t', '{{break}}{{range 1}}{{continue}}{{end}}', { hasFunction }).get('t');
    expect(tree && outline(tree.root)).toContain('action@2(pipe@2(command@2(identifier@2)))');
    expect(tree && outline(tree.root)).toContain('action@22(pipe@22(command@22(identifier@22)))');
  });

  it('work in an if inside a range', () => {
    expect(definitions('{{range 1}}{{if 1}}{{break}}{{else}}{{continue}}{{end}}{{end}}')).toEqual({
      t: '{{range 1}}{{if 1}}{{break}}{{else}}{{continue}}{{end}}{{end}}',
    });
  });
});

describe('a text cannot exhaust the stack', () => {
  it.each([
    ['(', '1', ')', 10_000],
    ['(', '1', ').x', 10_000],
    ['(f ', '1', ' | f)', 10_000],
  ])('with %s%s%s nested up to the limit of Go', (open, inner, close, bound) => {
    const text = (depth: number): string => `{{${open.repeat(depth)}${inner}${close.repeat(depth)}}}`;
    expect(definitions(text(bound))).toEqual({ t: text(bound) });
    expect(() => definitions(text(bound + 1))).toThrow('template: t:1: max expression depth exceeded');
  });

  it.each(['{{if 1}}', '{{with 1}}', '{{range 1}}', '{{if 1}}{{else}}', '{{block "#" .}}'])(
    'with %s nested',
    (open) => {
      const text = (depth: number): string =>
        Array.from({ length: depth }, (_, i) => open.replace('#', `b${i}`)).join('') +
        '{{end}}'.repeat(depth);
      expect(() => definitions(text(MAX_NESTING))).not.toThrow();
      expect(() => definitions(text(MAX_NESTING + 1))).toThrow(
        expect.objectContaining({
          message: 'template: t:1: exceeded maximum nesting depth (1000)',
          limit: 'depth',
        }),
      );
    },
  );

  it.each(['if', 'with'])('with a long chain of else %s', (word) => {
    const count = 20_000;
    const text = `{{${word} 1}}${`{{else ${word} 1}}`.repeat(count)}{{end}}`;
    const expected = `{{${word} 1}}${`{{else}}{{${word} 1}}`.repeat(count)}${'{{end}}'.repeat(count + 1)}`;
    // Not toEqual: to show a difference of such texts would take minutes.
    expect(definitions(text).t === expected).toBe(true);
  });
});
