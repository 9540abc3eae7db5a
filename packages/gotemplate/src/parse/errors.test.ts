import { describe, expect, it } from 'vitest';
import { TemplateError } from '../errors.ts';
import { parseTree } from './parser.ts';

/** Texts, and the line and the message of the error of Go's parser. */
const ERRORS: Record<string, [text: string, error: string][]> = {
  'invalid tokens': [
    ['{{.x', '1: unclosed action'],
    ['{{.x\n', '2: unclosed action started at t:1'],
    ['a\n{{ .x', '2: unclosed action'],
    ['{{.', '1: illegal number syntax: "."'],
    ['{{/* a', '1: unclosed comment'],
    ['{{/* a */ }}', '1: comment ends before closing delimiter'],
    ['{{"a', '1: unterminated quoted string'],
    ['{{"a\\', '1: unterminated quoted string'],
    ['{{`a', '1: unterminated raw quoted string'],
    ["{{'a", '1: unterminated character constant'],
    ['{{(.x}}', '1: unclosed left paren'],
    ['{{(.x -}}', '1: unclosed left paren'],
    ['{{.x)}}', '1: unexpected right paren'],
    ['{{:x}}', '1: expected :='],
    ['{{.x-}}', "1: bad character U+002D '-'"],
    ['{{$x+2}}', "1: bad character U+002B '+'"],
    ['{{x@y}}', "1: bad character U+0040 '@'"],
    ['{{.€}}', "1: bad character U+20AC '€'"],
    ['{{€}}', "1: unrecognized character in action: U+20AC '€'"],
    ['{{\u0001}}', '1: unrecognized character in action: U+0001'],
    ['{{\u00a0}}', '1: unrecognized character in action: U+00A0'],
    ['{{\u007f}}', '1: unrecognized character in action: U+007F'],
    // A letter of a Unicode version that is newer than Go's.
    ['{{\u{2ebf0}}}', '1: unrecognized character in action: U+2EBF0'],
    ['{{x\u200b}}', '1: bad character U+200B'],
    ['{{3-}}', '1: bad number syntax: "3-"'],
    ['{{3x}}', '1: bad number syntax: "3x"'],
    ['{{3é}}', '1: bad number syntax: "3é"'],
    ['{{1+2ix}}', '1: bad number syntax: "1+2ix"'],
    ['{{0x1p3z}}', '1: bad number syntax: "0x1p3z"'],
    ['{{x=1}}', "1: bad character U+003D '='"],
    ['{{\u201cx\u201d}}', "1: unrecognized character in action: U+201C '\u201c'"],
  ],
  'tokens at a wrong place': [
    ['{{}}', '1: missing value for command'],
    ['{{ | }}', '1: unexpected "|" in command'],
    ['{{.x | | f}}', '1: unexpected "|" in command'],
    ['{{f "a""b"}}', '1: unexpected "\\"b\\"" in operand'],
    ['{{f .x:= 1}}', '1: unexpected ":=" in operand'],
    ['{{.x = 1}}', '1: unexpected "=" in operand'],
    ['{{,}}', '1: unexpected "," in command'],
    ['{{)}}', '1: unexpected right paren'],
    ['{{if}}x{{end}}', '1: missing value for if'],
    ['{{if .x := 1}}{{end}}', '1: unexpected ":=" in operand'],
    ['{{range}}{{end}}', '1: missing value for range'],
    ['{{with}}{{end}}', '1: missing value for with'],
    ['{{()}}', '1: missing value for parenthesized pipeline'],
    ['{{f ()}}', '1: missing value for parenthesized pipeline'],
    ['{{template x}}', '1: unexpected "x" in template clause'],
    ['{{template "a" "b" | 1}}', '1: non executable command in pipeline stage 2'],
    ['{{template "a"', '1: unclosed action'],
    ['{{block "a"}}{{end}}', '1: missing value for block clause'],
    ['{{block}}{{end}}', '1: unexpected "}}" in block clause'],
    ['{{block a .}}{{end}}', '1: unexpected "a" in block clause'],
    ['{{define}}{{end}}', '1: unexpected "}}" in define clause'],
    ['{{define a}}{{end}}', '1: unexpected "a" in define clause'],
    ['{{define "a" .}}{{end}}', '1: unexpected <.> in define clause'],
    ['{{define "a" "b"}}{{end}}', '1: unexpected "\\"b\\"" in define clause'],
    ['{{define "a}}', '1: unterminated quoted string'],
    ['{{define "\\q"}}{{end}}', '1: invalid syntax'],
    ['{{end x}}', '1: unexpected "x" in end'],
    ['{{else x}}', '1: unexpected "x" in else'],
    ['{{break x}}', '1: unexpected "x" in {{break}}'],
    ['{{range 1}}{{break 1}}{{end}}', '1: unexpected "1" in {{break}}'],
    ['{{range 1}}{{continue .}}{{end}}', '1: unexpected <.> in {{continue}}'],
    ['{{f if}}', '1: unexpected <if> in operand'],
    ['{{f range 1}}', '1: unexpected <range> in operand'],
    ['{{f nil.x}}', '1: unexpected . after term "nil"'],
    ['{{"a".x}}', '1: unexpected . after term "\\"a\\""'],
    ['{{1.5.x}}', '1: unexpected . after term "1.5"'],
    ['{{. .x}}{{..x}}', '1: unexpected . after term "."'],
    ['{{f "abcdefghi" := 1}}', '1: unexpected ":=" in operand'],
    ['{{f 1 := "é😀é😀é😀é😀é😀é" }}', '1: unexpected ":=" in operand'],
    ['{{else if 1 "é😀é😀é😀é😀é😀é" := }}', '1: unexpected {{else}}'],
    ['{{end "é😀é😀é😀é😀é😀é"}}', '1: unexpected "\\"é😀é😀é😀é😀é"... in end'],
    ['{{end "éééééé"}}', '1: unexpected "\\"éééééé\\""... in end'],
    ['{{end "12345678"}}', '1: unexpected "\\"12345678\\"" in end'],
    ['{{end "123456789"}}', '1: unexpected "\\"123456789"... in end'],
  ],
  pipelines: [
    ['{{.x | 1}}', '1: non executable command in pipeline stage 2'],
    ['{{.x | "a"}}', '1: non executable command in pipeline stage 2'],
    ['{{.x | .}}', '1: non executable command in pipeline stage 2'],
    ['{{.x | nil}}', '1: non executable command in pipeline stage 2'],
    ['{{.x | true}}', '1: non executable command in pipeline stage 2'],
    ['{{.x | f | 1.5}}', '1: non executable command in pipeline stage 3'],
    ["{{.x | 'a'}}", '1: non executable command in pipeline stage 2'],
    ['{{$x, $y := 1}}', '1: too many declarations in command'],
    ['{{if $x, $y := 1}}{{end}}', '1: too many declarations in if'],
    ['{{with $x, $y := 1}}{{end}}', '1: too many declarations in with'],
    ['{{range $x, $y, $z := 1}}{{end}}', '1: too many declarations in range'],
    ['{{range $x, 1}}{{end}}', '1: range can only initialize variables'],
    ['{{range $x, .y := 1}}{{end}}', '1: range can only initialize variables'],
    ['{{range $x, }}{{end}}', '1: missing value for range'],
    ['{{$x := }}', '1: missing value for command'],
    ['{{$x :=}}', '1: missing value for command'],
    ['{{($x := )}}', '1: missing value for parenthesized pipeline'],
    ['{{$x, }}', '1: too many declarations in command'],
  ],
  names: [
    ['{{nope}}', '1: function "nope" not defined'],
    ['{{.x | nope}}', '1: function "nope" not defined'],
    ['{{(nope)}}', '1: function "nope" not defined'],
    ['{{nope.x}}', '1: function "nope" not defined'],
    ['{{$x}}', '1: undefined variable "$x"'],
    ['{{$x.y}}', '1: undefined variable "$x"'],
    ['{{if 1}}{{$x := 1}}{{end}}{{$x}}', '1: undefined variable "$x"'],
    ['{{if $x := 1}}{{else}}{{$x}}{{end}}{{$x}}', '1: undefined variable "$x"'],
    ['{{range $i, $v := .l}}{{else}}{{$v}}{{end}}{{$v}}', '1: undefined variable "$v"'],
    ['{{$x = 1}}{{$x}}{{$y}}', '1: undefined variable "$y"'],
    ['{{with $x := 1}}{{end}}{{$x}}', '1: undefined variable "$x"'],
    ['{{$x := 1}}{{define "a"}}{{$x}}{{end}}', '1: undefined variable "$x"'],
    ['{{$x := 1}}{{block "a" $x}}{{$x}}{{end}}', '1: undefined variable "$x"'],
    ['{{$x\n\n.y}}', '3: undefined variable "$x"'],
    ['{{f $x\n}}', '1: undefined variable "$x"'],
    ['{{\n$x\n\n.y}}', '4: undefined variable "$x"'],
    ['{{if 1}}{{break}}{{end}}', '1: {{break}} outside {{range}}'],
  ],
  'blocks without an end, or with two': [
    ['{{if 1}}', '1: unexpected EOF'],
    ['{{if 1}}\n', '2: unexpected EOF'],
    ['{{range 1}}{{else}}', '1: unexpected EOF'],
    ['{{with 1}}{{end', '1: unclosed action'],
    ['{{define "a"}}', '1: unexpected EOF'],
    ['{{block "a" .}}', '1: unexpected EOF'],
    ['a\n{{end}}', '2: unexpected {{end}}'],
    ['{{else if 1}}', '1: unexpected {{else}}'],
    ['{{if 1}}{{end}}{{end}}', '1: unexpected {{end}}'],
    ['{{if 1}}{{else}}{{else}}{{end}}', '1: expected end; found {{else}}'],
    ['{{if 1}}{{else}}{{else if 2}}{{end}}', '1: expected end; found {{else}}'],
    ['{{if 1}}{{else with 2}}{{end}}', '1: unexpected <with> in input'],
    ['{{with 1}}{{else if 2}}{{end}}', '1: unexpected <if> in input'],
    ['{{range 1}}{{else if 2}}{{end}}', '1: unexpected <if> in input'],
    ['{{range 1}}{{else range 2}}{{end}}', '1: unexpected <range> in else'],
    ['{{define "a"}}{{else}}{{end}}', '1: unexpected {{else}} in define clause'],
    ['{{block "a"\n.}}\n{{else}}{{end}}', '2: unexpected {{else}} in block clause'],
    ['{{define "a"}}\n{{else if 1}}{{end}}', '2: unexpected {{else}} in define clause'],
    ['{{if 1}}{{define "a"}}{{end}}{{end}}', '1: unexpected <define> in command'],
    ['{{define "a"}}{{define "b"}}{{end}}{{end}}', '1: unexpected <define> in command'],
    ['{{range 1}}{{else}}{{break}}{{end}}', '1: {{break}} outside {{range}}'],
    ['{{range 1}}{{block "a" .}}{{break}}{{end}}{{end}}', '1: {{break}} outside {{range}}'],
    ['{{range 1}}{{end}}{{continue}}', '1: {{continue}} outside {{range}}'],
  ],
  definitions: [
    ['{{define "a"}}1{{end}}{{define "a"}}2{{end}}', '1: template: multiple definition of template "a"'],
    ['{{define "a"}}1{{end}}\n{{block "a" .}}2{{end}}', '2: template: multiple definition of template "a"'],
    ['{{define "t"}}1{{end}}2', '1: template: multiple definition of template "t"'],
    [
      '{{define "a\\n"}}1{{end}}{{define `a\n`}}2{{end}}',
      '2: template: multiple definition of template "a\\n"',
    ],
    [
      '{{define "a"}}\u00851{{end}}{{define "a"}}{{.}}{{end}}',
      '1: template: multiple definition of template "a"',
    ],
    ['{{define "a"}}\ufeff{{end}}{{define "a"}}1{{end}}', '1: template: multiple definition of template "a"'],
  ],
  'errors that say where the action began': [
    ['{{\n\n.x', '3: unclosed action started at t:1'],
    ['{{if\n"a', '2: unterminated quoted string in action started at t:1'],
    ['{{if 1}}\n{{/* a', '2: unclosed comment in action started at t:1'],
    ['{{if 1}}\n{{.x}}\n{{/* a', '3: unclosed comment'],
    ['{{block "a" .}}\n{{/* a', '2: unclosed comment'],
    ['{{define "a"}}\n{{/* a', '2: unclosed comment'],
    ['{{define\n"a', '2: unterminated quoted string'],
    ['{{f\n(1}}', '2: unclosed left paren in action started at t:1'],
    ['{{f\n@-', '2: unexpected "@" in operand'],
    ['{{template "a"\n.x-}}', "2: bad character U+002D '-' in action started at t:1"],
    ['{{if 1}}\n{{else if\n"a', '3: unterminated quoted string'],
    ['{{if 1}}\n{{else\n"a', '3: unterminated quoted string in action started at t:2'],
    ['{{"a".x\n}}', '1: unexpected . after term "\\"a\\""'],
    ['{{"a".x\n.y}}', '1: unexpected . after term "\\"a\\""'],
    ['{{"a"\n.y\n3x}}', '3: bad number syntax: "3x" in action started at t:1'],
    ['{{(f).x\n.y\n3x}}', '3: bad number syntax: "3x" in action started at t:1'],
  ],
};

describe.each(Object.entries(ERRORS))('errors, with the texts of Go: %s', (_, cases) => {
  it.each(cases)('%j: %s', (text, error) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ message: `template: t:${error}` }));
  });
});

describe('a parse error', () => {
  it('also has its parts as data', () => {
    const error = errorOf('a\n{{nope}}');
    expect(error).toMatchObject({
      stage: 'parse',
      template: 't',
      line: 2,
      description: 'function "nope" not defined',
      message: 'template: t:2: function "nope" not defined',
      hint: undefined,
    });
  });

  it('says why a function does not exist here', () => {
    expect(errorOf('{{env "HOME"}}').hint).toBe('no environment');
  });
});

function parse(text: string): unknown {
  return parseTree('t', text, {
    hasFunction: (name) => name === 'print' || name === 'f',
    hint: (name) => (name === 'env' ? 'no environment' : undefined),
  });
}

function errorOf(text: string): TemplateError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('no error');
}
