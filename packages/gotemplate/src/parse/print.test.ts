import { describe, expect, it } from 'vitest';
import { parseTree } from './parser.ts';
import { print } from './print.ts';

function printed(text: string, comments = false): string | undefined {
  const tree = parseTree('t', text, { hasFunction: (name) => name === 'f', comments }).get('t');
  return tree && print(tree.root);
}

describe('prints the AST as Go does', () => {
  it.each([
    '',
    'text',
    '{{.}}',
    '{{.x.y.z}}',
    '{{$}}',
    '{{$.x}}',
    '{{$x := 1}}{{$x}}',
    '{{$x = 1}}',
    '{{$x := 1}}{{if 1}}{{$x := 2}}{{end}}{{$x}}',
    '{{(1)}}',
    '{{f (.x | f) (f)}}',
    '{{(f .x).y.z}}',
    '{{((f))}}',
    '{{f.x}}',
    '{{f nil}}',
    '{{nil}}',
    '{{true}}',
    '{{-3}}',
    '{{0x_1F}}',
    "{{'a'}}",
    '{{1+2i}}',
    '{{.0}}',
    '{{if .x}}a{{end}}',
    '{{if .x}}a{{else}}b{{end}}',
    '{{range .l}}a{{else}}b{{end}}',
    '{{range $i := .l}}{{$i}}{{end}}',
    '{{range $i, $v := .l}}{{break}}{{continue}}{{end}}',
    '{{range $i, $v = .l}}{{end}}',
    '{{template "a"}}',
    '{{template "a\\tb" $x := 1}}{{$x}}',
    '{{.é}}{{$é := 1}}{{$é}}',
    '{{f . .x}}',
    '{{f .x.y .z}}',
    '{{(1).x}}',
    '{{"{{"}}',
    '{{`}}`}}',
    '{{$x := 1 | f}}',
    '{{if $x := .a}}{{$x}}{{end}}',
  ])('%j stays the same', (text) => {
    expect(printed(text)).toBe(text);
  });

  it.each([
    ['{{ .x }}', '{{.x}}'],
    ['{{f   1\t"a"\n`b`}}', '{{f 1 "a" `b`}}'],
    ['{{.x|f|f 1}}', '{{.x | f | f 1}}'],
    ['{{.x | f | }}', '{{.x | f}}'],
    ['{{ .5 }}', '{{.5}}'],
    ['{{if .x}}a{{else if .y}}b{{else}}c{{end}}', '{{if .x}}a{{else}}{{if .y}}b{{else}}c{{end}}{{end}}'],
    ['{{with .x}}a{{else with .y}}b{{end}}', '{{with .x}}a{{else}}{{with .y}}b{{end}}{{end}}'],
    ['{{$x := .l}}{{range $i, $x}}{{end}}', '{{$x := .l}}{{range $i := $x}}{{end}}'],
    ['{{template `a` .x}}', '{{template "a" .x}}'],
    ['{{block "a" .x}}b{{end}}', '{{template "a" .x}}'],
    ['a{{define "a"}}b{{end}}c', 'ac'],
    ['a {{- .x -}} b', 'a{{.x}}b'],
    ['a {{- "" }} b', 'a{{""}} b'],
    ['a\n {{- /* c */ -}}\n b', 'ab'],
    ['a{{/* c */}}b', 'ab'],
    ['{{- 3 -}}', '{{3}}'],
    ['{{ -3 -}} x', '{{-3}}x'],
    ['{{.x\n-}} y', '{{.x}}y'],
    ['{{.x \n -}} y', '{{.x}}y'],
  ])('%j becomes %j', (text, expected) => {
    expect(printed(text)).toBe(expected);
  });

  it('with kept comments', () => {
    expect(printed('a {{- /* b\n */ -}} c{{/**/}}', true)).toBe('a{{/* b\n */}}c{{/**/}}');
  });
});
