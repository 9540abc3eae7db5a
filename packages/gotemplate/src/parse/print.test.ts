import { describe, expect, it } from 'vitest';
import { parseTree } from './parser.ts';
import { print } from './print.ts';

function printed(text: string, comments = false): string | undefined {
  const tree = parseTree('t', text, { hasFunction: (name) => name === 'f', comments }).get('t');
  return tree && print(tree.root);
}

describe('prints the AST as Go does', () => {
  it.each([
    '{{$x := 1}}{{$x}}',
    '{{if .x}}a{{else}}b{{end}}',
    '{{range $i, $v := .l}}{{break}}{{continue}}{{end}}',
    '{{range $i, $v = .l}}{{end}}',
    '{{.é}}{{$é := 1}}{{$é}}',
  ])('%j stays the same', (text) => {
    expect(printed(text)).toBe(text);
  });

  it.each([
    ['{{f   1\t"a"\n`b`}}', '{{f 1 "a" `b`}}'],
    ['{{with .x}}a{{else with .y}}b{{end}}', '{{with .x}}a{{else}}{{with .y}}b{{end}}{{end}}'],
    ['{{.x \n -}} y', '{{.x}}y'],
  ])('%j becomes %j', (text, expected) => {
    expect(printed(text)).toBe(expected);
  });

  it('with kept comments', () => {
    expect(printed('a {{- /* b\n */ -}} c{{/**/}}', true)).toBe('a{{/* b\n */}}c{{/**/}}');
  });
});
