import { expect, test } from 'vitest';
import { JSON_DATA, outcome, typedData } from '../testing/execution.ts';

test.each([
  ['{{range .l}}[{{.}}]{{end}}', '[a][b][c]'],
  ['{{range .el}}x{{else}}{{.n}}{{end}}', '3'],
  ['{{range .nope}}x{{else}}none{{end}}', 'none'],
  ['{{range .null}}x{{else}}none{{end}}', 'none'],
  ['{{range $k, $v := .m}}{{$k}}={{$v}};{{end}}', 'a=é;b=<no value>;z=1;'],
  ['{{range $k, $v := .a.b}}{{$k}}={{$v}};{{end}}', 'c=1.5;n=<no value>;'],
  ['{{range 3}}{{.}}{{end}}', '012'],
  ['{{range $i := 3}}{{$i}}{{end}}', '012'],
  ['{{range 0}}x{{else}}none{{end}}', 'none'],
  ['{{range -2}}x{{else}}none{{end}}', 'none'],
  [
    '{{range $i, $e := 3}}{{end}}',
    'template: t:1:18: executing "t" at <3>: can\'t use 3 to iterate over more than one variable',
  ],
  [
    '{{range $i, $e := 0}}{{else}}{{end}}',
    'template: t:1:18: executing "t" at <0>: can\'t use 0 to iterate over more than one variable',
  ],
  ['{{range .n}}{{end}}', 'template: t:1:8: executing "t" at <.n>: range can\'t iterate over 3'],
  ['{{range .s}}{{end}}', 'template: t:1:8: executing "t" at <.s>: range can\'t iterate over héllo'],
  ['{{range .t}}{{end}}', 'template: t:1:8: executing "t" at <.t>: range can\'t iterate over true'],
  ['{{range 1.5}}{{end}}', 'template: t:1:8: executing "t" at <1.5>: range can\'t iterate over 1.5'],
  ['{{range 1i}}{{end}}', 'template: t:1:8: executing "t" at <1i>: range can\'t iterate over (0+1i)'],
  ['{{range nil}}{{end}}', 'template: t:1:8: executing "t" at <nil>: nil is not a command'],
  ['{{range print}}{{end}}', 'template: t:1:8: executing "t" at <print>: range can\'t iterate over '],
  ['{{range .l}}{{if eq . "b"}}{{break}}{{end}}{{.}}{{end}}.', 'a.'],
  ['{{range .l}}{{if eq . "b"}}{{continue}}{{end}}{{.}}{{end}}.', 'ac.'],
  ['{{range .l}}{{range $.l}}{{if eq . "b"}}{{break}}{{end}}{{.}}{{end}}-{{.}}{{end}}', 'a-aa-ba-c'],
  ['{{range .l}}a{{with "w"}}b{{continue}}{{end}}c{{end}}{{.n}}', 'ababab3'],
  ['{{range .l}}a{{with "w"}}b{{break}}{{end}}c{{end}}{{.n}}', 'ab3'],
  ['{{range .l}}{{continue}}x{{else}}none{{end}}', ''],
  ['{{range .l}}{{break}}x{{else}}none{{end}}', ''],
  ['{{range .el}}{{break}}{{else}}none{{end}}', 'none'],
  ['{{range .l}}{{else}}{{end}}done', 'done'],
  ['{{range .mixed}}<{{.}}>{{end}}', '<1><<no value>><x><map[k:1]>'],
  ['{{range .mixed}}{{if .}}{{.}}{{else}}-{{end}}{{end}}', '1-xmap[k:1]'],
  ['{{range .mixed}}{{print .}}{{end}}', '1<nil>xmap[k:1]'],
  ['{{range .l}}{{range $.em}}{{else}}{{.}}{{end}}{{end}}', 'abc'],
  [
    '{{range .l}}{{.x}}{{end}}',
    'template: t:1:14: executing "t" at <.x>: can\'t evaluate field x in type interface {}',
  ],
  [
    '{{range $e := .l}}{{$e.x}}{{end}}',
    'template: t:1:22: executing "t" at <$e.x>: can\'t evaluate field x in type interface {}',
  ],
  [
    '{{range $k, $v := .m}}{{$k.x}}{{end}}',
    'template: t:1:26: executing "t" at <$k.x>: can\'t evaluate field x in type string',
  ],
  [
    '{{range .mixed}}{{.x}}{{end}}',
    'template: t:1:18: executing "t" at <.x>: can\'t evaluate field x in type interface {}',
  ],
  [
    '{{range .mixed}}{{with .}}{{.x}}{{end}}{{end}}',
    'template: t:1:28: executing "t" at <.x>: can\'t evaluate field x in type float64',
  ],
  [
    '{{range $x := .l}}{{$x = .}}{{$x.y}}{{end}}',
    'template: t:1:32: executing "t" at <$x.y>: can\'t evaluate field y in type string',
  ],
  [
    '{{$x := 1}}{{range $x = .l}}{{end}}{{$x.y}}',
    'template: t:1:39: executing "t" at <$x.y>: can\'t evaluate field y in type interface {}',
  ],
  ['{{range .m.z}}{{end}}', 'template: t:1:10: executing "t" at <.m.z>: range can\'t iterate over 1'],
  [
    '{{range (index .m "z")}}{{end}}',
    'template: t:1:18: executing "t" at <"z">: range can\'t iterate over 1',
  ],
  [
    '{{range or .el .nope .n}}{{end}}',
    'template: t:1:21: executing "t" at <.n>: range can\'t iterate over 3',
  ],
  ['{{range and .t .n}}{{end}}', 'template: t:1:15: executing "t" at <.n>: range can\'t iterate over 3'],
])('Loops over JSON data, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, JSON_DATA)).toBe(expected);
});

test.each([
  ['{{range .bs}}{{.Name}}{{end}}', 'xy'],
  [
    '{{range .ps}}{{.Name}}{{end}}',
    'template: t:1:15: executing "t" at <.Name>: nil pointer evaluating *sample.Box.Name',
  ],
  ['{{range $k, $v := .mi}}{{$k}}{{$v}} {{end}}', '-1minus 2two 10ten '],
  ['{{range $k, $v := .mb}}{{$k}}{{$v}} {{end}}', 'false0 true1 '],
  ['{{range $k, $v := .mf}}{{$k}}{{$v}} {{end}}', 'NaNn -Infa 1.5b '],
  ['{{range .nm}}x{{else}}none{{end}}', 'none'],
  ['{{range .arr}}{{.}}{{end}}', 'qw'],
  ['{{range .i8}}{{printf "%T" .}}{{.}} {{end}}', 'int80 int81 int82 '],
  ['{{range .u}}{{printf "%T" .}}{{.}} {{end}}', 'uint640 uint641 '],
  ['{{range $x := .d}}{{printf "%T" .}}{{$x}} {{end}}', 'time.Duration0s time.Duration1ns '],
  ['{{range .np}}{{end}}', 'template: t:1:8: executing "t" at <.np>: range can\'t iterate over <nil>'],
  [
    '{{range .p}}{{end}}',
    'template: t:1:8: executing "t" at <.p>: range can\'t iterate over {p1 <nil> 0 0 0 0 0 0 false [] [] [] [0 0 0] map[] map[] map[] <nil>   0s 0001-01-01 00:00:00 +0000 UTC }',
  ],
  [
    '{{range .tm}}{{end}}',
    'template: t:1:8: executing "t" at <.tm>: range can\'t iterate over 2024-03-05 06:07:08 +0000 UTC',
  ],
  [
    '{{range .bs}}{{.x}}{{end}}',
    'template: t:1:15: executing "t" at <.x>: can\'t evaluate field x in type sample.Box',
  ],
  [
    '{{range .ss}}{{.x}}{{end}}',
    'template: t:1:15: executing "t" at <.x>: can\'t evaluate field x in type string',
  ],
  [
    '{{range $k, $v := .mi}}{{$k.x}}{{end}}',
    'template: t:1:27: executing "t" at <$k.x>: can\'t evaluate field x in type int',
  ],
])('Loops over typed data, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, typedData())).toBe(expected);
});
