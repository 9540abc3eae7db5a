import { expect, test } from 'vitest';
import { JSON_DATA, outcome } from '../testing/execution.ts';

test.each([
  ['{{len}}', 'template: t:1:2: executing "t" at <len>: wrong number of args for len: want 1 got 0'],
  ['{{len .l .l}}', 'template: t:1:2: executing "t" at <len>: wrong number of args for len: want 1 got 2'],
  ['{{.l | len .l}}', 'template: t:1:7: executing "t" at <len>: wrong number of args for len: want 1 got 2'],
  [
    '{{printf}}',
    'template: t:1:2: executing "t" at <printf>: wrong number of args for printf: want at least 1 got 0',
  ],
  ['{{"%s" | printf}}', '%!s(MISSING)'],
  ['{{"x" | printf "%s"}}', 'x'],
  ['{{printf 1}}', 'template: t:1:9: executing "t" at <1>: expected string; found 1'],
  [
    '{{printf .n}}',
    'template: t:1:9: executing "t" at <.n>: wrong type for value; expected string; got float64',
  ],
  ['{{printf nil}}', 'template: t:1:9: executing "t" at <nil>: cannot assign nil to string'],
  ['{{printf .nope}}', 'template: t:1:9: executing "t" at <.nope>: invalid value; expected string'],
  [
    '{{printf .null}}',
    'template: t:1:9: executing "t" at <.null>: wrong type for value; expected string; got interface {}',
  ],
  [
    '{{.n | printf}}',
    'template: t:1:7: executing "t" at <printf>: wrong type for value; expected string; got float64',
  ],
  ['{{.nope | printf}}', 'template: t:1:10: executing "t" at <printf>: invalid value; expected string'],
  ['{{.n | printf "%s" 1}}', '%!s(int=1)%!(EXTRA float64=3)'],
  [
    '{{printf (len .n)}}',
    'template: t:1:10: executing "t" at <len .n>: error calling len: len of type float64',
  ],
  ['{{printf (index .mixed 1)}}', 'template: t:1:23: executing "t" at <1>: invalid value; expected string'],
  [
    '{{range .mixed}}{{printf .}}{{end}}',
    'template: t:1:25: executing "t" at <.>: wrong type for value; expected string; got float64',
  ],
  ['{{print nil .null .nope}}', '<nil> <nil> <nil>'],
  [
    '{{len nil}}',
    'template: t:1:2: executing "t" at <len nil>: error calling len: reflect: call of reflect.Value.Type on zero Value',
  ],
  ['{{len .null}}', 'template: t:1:2: executing "t" at <len .null>: error calling len: len of nil pointer'],
  [
    '{{range .mixed}}{{len .}}{{end}}',
    'template: t:1:18: executing "t" at <len .>: error calling len: len of type float64',
  ],
  ['{{print 1 2.5 1e3 0x1F \'a\' 1i true "s"}}', '1 2.5 1000 31 97 (0+1i) trues'],
  [
    '{{print 18446744073709551615}}',
    'template: t:1:8: executing "t" at <18446744073709551615>: 18446744073709551615 overflows int',
  ],
  [
    '{{18446744073709551615}}',
    'template: t:1:2: executing "t" at <18446744073709551615>: 18446744073709551615 overflows int',
  ],
  [
    '{{index .l 1.0}}',
    'template: t:1:2: executing "t" at <index .l 1.0>: error calling index: cannot index slice/array with type float64',
  ],
  ['{{index .l 0x1}}', 'b'],
  [
    '{{slice .s 0x1p1}}',
    'template: t:1:2: executing "t" at <slice .s 0x1p1>: error calling slice: cannot index slice/array with type float64',
  ],
  ['{{printf "%d" 9223372036854775807}}', '9223372036854775807'],
  [
    '{{printf "%T" 1e3}}{{printf "%T" 0xe}}{{printf "%T" \'e\'}}{{printf "%T" 0x1p4}}',
    'float64intintfloat64',
  ],
  ['{{and 1 0 (len .n)}}', '0'],
  ['{{or 0 1 (len .n)}}', '1'],
  [
    '{{and 1 (len .n)}}',
    'template: t:1:9: executing "t" at <len .n>: error calling len: len of type float64',
  ],
  ['{{or 0 (len .n)}}', 'template: t:1:8: executing "t" at <len .n>: error calling len: len of type float64'],
  ['{{and}}', 'template: t:1:2: executing "t" at <and>: wrong number of args for and: want at least 1 got 0'],
  ['{{or}}', 'template: t:1:2: executing "t" at <or>: wrong number of args for or: want at least 1 got 0'],
  ['{{1 | and}}', '1'],
  ['{{0 | or 1}}', '1'],
  ['{{0 | and 1}}', '0'],
  ['{{.nope | and 1}}', '<no value>'],
  ['{{and .null}}{{or .null .nope}}', '<no value><no value>'],
  ['{{not}}', 'template: t:1:2: executing "t" at <not>: wrong number of args for not: want 1 got 0'],
  ['{{not .nope}}', 'true'],
  [
    '{{call}}',
    'template: t:1:2: executing "t" at <call>: wrong number of args for call: want at least 1 got 0',
  ],
  ['{{call nil}}', 'template: t:1:2: executing "t" at <call nil>: error calling call: call of nil'],
  [
    '{{call .s}}',
    'template: t:1:2: executing "t" at <call .s>: error calling call: non-function .s of type string',
  ],
  [
    '{{call (print .s) 1}}',
    'template: t:1:2: executing "t" at <call (print .s) 1>: error calling call: non-function print .s of type string',
  ],
  [
    '{{.s | call}}',
    'template: t:1:7: executing "t" at <call>: error calling call: non-function héllo of type string',
  ],
  [
    '{{.n | call}}',
    'template: t:1:7: executing "t" at <call>: error calling call: non-function <float64 Value> of type float64',
  ],
  ['{{.nope | call}}', 'template: t:1:10: executing "t" at <call>: error calling call: call of nil'],
  ['{{call .nope}}', 'template: t:1:2: executing "t" at <call .nope>: error calling call: call of nil'],
  [
    '{{index .l 9}}',
    'template: t:1:2: executing "t" at <index .l 9>: error calling index: index out of range: 9',
  ],
  [
    '{{.n | index .l}}',
    'template: t:1:7: executing "t" at <index .l>: error calling index: cannot index slice/array with type float64',
  ],
  [
    '{{index .l (len .n)}}',
    'template: t:1:12: executing "t" at <len .n>: error calling len: len of type float64',
  ],
  [
    '{{print (index .l 9)}}',
    'template: t:1:9: executing "t" at <index .l 9>: error calling index: index out of range: 9',
  ],
  [
    '{{9 | index .l | print}}',
    'template: t:1:6: executing "t" at <index .l>: error calling index: index out of range: 9',
  ],
  [
    '{{html (index .l 9) .n}}',
    'template: t:1:8: executing "t" at <index .l 9>: error calling index: index out of range: 9',
  ],
])('Calls, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, JSON_DATA)).toBe(expected);
});

test.each([
  ['{{if .t}}a{{else}}b{{end}}', 'a'],
  ['{{if .nope}}a{{else if .zero}}b{{else if .n}}c{{else}}d{{end}}', 'c'],
  [
    '{{if .e}}a{{end}}{{if .el}}b{{end}}{{if .em}}c{{end}}{{if .f}}d{{end}}{{if 0.0}}e{{end}}{{if 0i}}f{{end}}{{if 1i}}g{{end}}',
    'g',
  ],
  ['{{with .a}}{{.s}}{{else}}no{{end}}{{.s}}', 'strhéllo'],
  ['{{with .nope}}a{{else}}{{.s}}{{end}}', 'héllo'],
  ['{{with .nope}}a{{else with .s}}{{.}}{{else}}c{{end}}', 'héllo'],
  ['{{with .null}}{{.}}{{else}}none{{end}}', 'none'],
  ['{{template "x" .a}}{{define "x"}}[{{.s}}]{{end}}', '[str]'],
  ['{{template "x"}}{{define "x"}}[{{.}}]{{end}}', '[<no value>]'],
  [
    '{{define "x"}}{{.s.y}}{{end}}\n{{template "x" .}}',
    'template: t:1:18: executing "x" at <.s.y>: can\'t evaluate field y in type interface {}',
  ],
  [
    '{{template "nope" .s.x}}',
    'template: t:1:11: executing "t" at <{{template "nope" .s.x}}>: template "nope" not defined',
  ],
  [
    '{{template "t" .s.x}}',
    'template: t:1:17: executing "t" at <.s.x>: can\'t evaluate field x in type interface {}',
  ],
  ['{{block "b" .a}}({{.s}}){{end}}', '(str)'],
  [
    '{{define "x"}}{{$x := 1}}{{template "y" .}}{{$x}}{{end}}{{define "y"}}{{$x := 2}}{{$x}}{{end}}{{template "x"}}',
    '21',
  ],
  ['{{define "r"}}{{if .}}{{len .}}{{template "r" (slice . 1)}}{{end}}{{end}}{{template "r" .l}}', '321'],
  [
    '{{define "r"}}{{template "r"}}{{end}}{{template "r"}}',
    'template: t:1:25: executing "r" at <{{template "r"}}>: exceeded maximum template depth (100000)',
  ],
  ['{{template "x" .null}}{{define "x"}}{{.y}}|{{.}}{{end}}', '<no value>|<no value>'],
  ['{{ "a" }}{{"b"}}c{{- " d " -}} e', 'abc d e'],
  ['a{{/* c */}}b', 'ab'],
  ['{{printf "%s" "a"}}{{if true}}x{{end}}y{{if false}}z{{end}}', 'axy'],
  [
    'é{{.s}}é{{.s.x}}',
    'template: t:1:14: executing "t" at <.s.x>: can\'t evaluate field x in type interface {}',
  ],
  ['{{printf "%c" 0xe9 | len}}', '2'],
  ['{{slice .s 0 2}}{{slice .s 2}}', 'héllo'],
  ['{{print (slice .s 0 2) (slice .s 2)}}', 'héllo'],
  ['{{len (print (slice .s 0 2) (slice .s 2))}}', '6'],
])('Branches, definitions and text, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, JSON_DATA)).toBe(expected);
});
