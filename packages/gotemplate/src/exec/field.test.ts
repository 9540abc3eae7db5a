import { expect, test } from 'vitest';
import { JSON_DATA, outcome, typedData } from '../testing/execution.ts';

test.each([
  ['{{.a.b.c}}', '1.5'],
  ['{{.nope}}', '<no value>'],
  ['{{.nope.x.y}}', '<no value>'],
  ['{{.null}}', '<no value>'],
  ['{{.null.x}}', 'template: t:1:7: executing "t" at <.null.x>: nil pointer evaluating interface {}.x'],
  ['{{.a.b.n.x}}', 'template: t:1:4: executing "t" at <.a.b.n.x>: nil pointer evaluating interface {}.x'],
  ['{{.s.x}}', 'template: t:1:4: executing "t" at <.s.x>: can\'t evaluate field x in type interface {}'],
  ['{{.a.s.x}}', 'template: t:1:4: executing "t" at <.a.s.x>: can\'t evaluate field x in type interface {}'],
  ['{{.l.x}}', 'template: t:1:4: executing "t" at <.l.x>: can\'t evaluate field x in type interface {}'],
  ['{{.n.x}}', 'template: t:1:4: executing "t" at <.n.x>: can\'t evaluate field x in type interface {}'],
  ['{{(.s).x}}', 'template: t:1:3: executing "t" at <.s>: can\'t evaluate field x in type string'],
  [
    '{{(.a.b).c.d}}',
    'template: t:1:5: executing "t" at <.a.b>: can\'t evaluate field d in type interface {}',
  ],
  ['{{(.a).b.c.d}}', 'template: t:1:3: executing "t" at <.a>: can\'t evaluate field d in type interface {}'],
  ['{{(index .l 0).x}}', 'template: t:1:12: executing "t" at <0>: can\'t evaluate field x in type string'],
  ['{{(print .s).x}}', 'template: t:1:9: executing "t" at <.s>: can\'t evaluate field x in type string'],
  ['{{print.x}}', 'template: t:1:2: executing "t" at <print>: can\'t evaluate field x in type string'],
  [
    '{{$.a.s.x}}',
    'template: t:1:3: executing "t" at <$.a.s.x>: can\'t evaluate field x in type interface {}',
  ],
  [
    '{{with .s}}{{.x}}{{end}}',
    'template: t:1:13: executing "t" at <.x>: can\'t evaluate field x in type string',
  ],
  [
    '{{with .a}}{{.s.x}}{{end}}',
    'template: t:1:15: executing "t" at <.s.x>: can\'t evaluate field x in type interface {}',
  ],
  ['{{.a 1}}', 'template: t:1:2: executing "t" at <.a>: a is not a method but has arguments'],
  ['{{.a.s 1}}', 'template: t:1:4: executing "t" at <.a.s>: s is not a method but has arguments'],
  ['{{1 | .a.s}}', 'template: t:1:8: executing "t" at <.a.s>: s is not a method but has arguments'],
  ['{{.nope 1}}', 'template: t:1:2: executing "t" at <.nope>: nope is not a method but has arguments'],
  ['{{.nope.x 1}}', '<no value>'],
  ['{{$ 1}}', 'template: t:1:2: executing "t" at <$>: can\'t give argument to non-function $'],
  ['{{. 1}}', 'template: t:1:2: executing "t" at <.>: can\'t give argument to non-function .'],
  ['{{(.s) 1}}', 'template: t:1:2: executing "t" at <(.s) 1>: can\'t give argument to non-function .s'],
  ['{{1 | (.s)}}', 'template: t:1:2: executing "t" at <1>: can\'t give argument to non-function .s'],
  ['{{(((.s) 1))}}', 'template: t:1:4: executing "t" at <(.s) 1>: can\'t give argument to non-function .s'],
  ['{{"x" 1}}', 'template: t:1:2: executing "t" at <"x">: can\'t give argument to non-function "x"'],
  ['{{nil}}', 'template: t:1:2: executing "t" at <nil>: nil is not a command'],
  ['{{(nil).x}}', 'template: t:1:3: executing "t" at <nil>: nil is not a command'],
  ['{{1 | 2}}', 'template: t:1: non executable command in pipeline stage 2'],
  ['{{true false}}', 'template: t:1:2: executing "t" at <true>: can\'t give argument to non-function true'],
  ['{{(and .a .s).x}}', 'template: t:1:10: executing "t" at <.s>: can\'t evaluate field x in type string'],
  ['{{(or .zero .s).x}}', 'template: t:1:12: executing "t" at <.s>: can\'t evaluate field x in type string'],
  [
    '{{(or .zero (index .l 0)).x}}',
    'template: t:1:22: executing "t" at <0>: can\'t evaluate field x in type string',
  ],
  [
    '{{(.l | len | print).x}}',
    'template: t:1:14: executing "t" at <print>: can\'t evaluate field x in type string',
  ],
  ['{{(len (index .l 0)).x}}', 'template: t:1:17: executing "t" at <0>: can\'t evaluate field x in type int'],
  [
    '{{.constructor}}{{.__proto__}}{{.toString}}{{.hasOwnProperty}}',
    '<no value><no value><no value><no value>',
  ],
  ['{{.a.constructor.name}}', '<no value>'],
  [
    '{{.l.length}}',
    'template: t:1:4: executing "t" at <.l.length>: can\'t evaluate field length in type interface {}',
  ],
  [
    '{{.s.length}}',
    'template: t:1:4: executing "t" at <.s.length>: can\'t evaluate field length in type interface {}',
  ],
])('Fields of JSON data, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, JSON_DATA)).toBe(expected);
});

test.each([
  ['{{.b.Name}}{{.b.Next.Name}}{{.b.Any.Name}}{{.p.Name}}{{.pp.Name}}', 'b1b2inp1p2'],
  ['{{.b.Attributes.k}}{{.b.Attributes.nope}}', 'v<no value>'],
  [
    '{{.b.nope}}',
    'template: t:1:4: executing "t" at <.b.nope>: can\'t evaluate field nope in type interface {}',
  ],
  [
    '{{.p.nope}}',
    'template: t:1:4: executing "t" at <.p.nope>: can\'t evaluate field nope in type interface {}',
  ],
  [
    '{{.b.hidden}}',
    'template: t:1:4: executing "t" at <.b.hidden>: hidden is an unexported field of struct type interface {}',
  ],
  [
    '{{.p.hidden}}',
    'template: t:1:4: executing "t" at <.p.hidden>: hidden is an unexported field of struct type interface {}',
  ],
  ['{{.b.Name.x}}', 'template: t:1:4: executing "t" at <.b.Name.x>: can\'t evaluate field x in type string'],
  [
    '{{.b.Any.x}}',
    'template: t:1:4: executing "t" at <.b.Any.x>: can\'t evaluate field x in type interface {}',
  ],
  ['{{.b.Next.Next}}', '<nil>'],
  [
    '{{.b.Next.Next.Name}}',
    'template: t:1:4: executing "t" at <.b.Next.Next.Name>: nil pointer evaluating *sample.Box.Name',
  ],
  [
    '{{.b.Next.Next.nope}}',
    'template: t:1:4: executing "t" at <.b.Next.Next.nope>: can\'t evaluate field nope in type *sample.Box',
  ],
  ['{{.np}}', '<nil>'],
  ['{{.np.Name}}', 'template: t:1:5: executing "t" at <.np.Name>: nil pointer evaluating interface {}.Name'],
  [
    '{{.np.nope}}',
    'template: t:1:5: executing "t" at <.np.nope>: can\'t evaluate field nope in type interface {}',
  ],
  [
    '{{.b.Name 1}}',
    'template: t:1:4: executing "t" at <.b.Name>: Name has arguments but cannot be invoked as function',
  ],
  ['{{.b.Next.Any}}', '<no value>'],
  [
    '{{.b.Next.Any.x}}',
    'template: t:1:4: executing "t" at <.b.Next.Any.x>: nil pointer evaluating interface {}.x',
  ],
  ['{{.b.Next.Attributes.k.x}}', '<no value>'],
  ['{{.ss.k.x}}', 'template: t:1:5: executing "t" at <.ss.k.x>: can\'t evaluate field x in type string'],
  ['{{.mi.x}}', 'template: t:1:5: executing "t" at <.mi.x>: can\'t evaluate field x in type interface {}'],
  [
    '{{.tm.wall}}',
    'template: t:1:5: executing "t" at <.tm.wall>: wall is an unexported field of struct type interface {}',
  ],
  [
    '{{.tm.nope}}',
    'template: t:1:5: executing "t" at <.tm.nope>: can\'t evaluate field nope in type interface {}',
  ],
  ['{{.d.x}}', 'template: t:1:4: executing "t" at <.d.x>: can\'t evaluate field x in type interface {}'],
  ['{{.arr.x}}', 'template: t:1:6: executing "t" at <.arr.x>: can\'t evaluate field x in type interface {}'],
  [
    '{{.bs.Name}}',
    'template: t:1:5: executing "t" at <.bs.Name>: can\'t evaluate field Name in type interface {}',
  ],
  ['{{.b.Title}}{{.p.Title}}{{.pp.Title}}', '<b1><p1><p2>'],
  ['{{.p.Pointed}}', '*p1'],
  ['{{.b.Next.Pointed}}', '*b2'],
  ['{{.b.Sum 1 2 3}}', '6'],
  [
    '{{.b.Sum}}',
    'template: t:1:4: executing "t" at <.b.Sum>: wrong number of args for Sum: want at least 1 got 0',
  ],
  ['{{.b.Sum 1 "2"}}', 'template: t:1:11: executing "t" at <"2">: expected integer; found "2"'],
  ['{{.b.Sum "1"}}', 'template: t:1:9: executing "t" at <"1">: expected integer; found "1"'],
  ['{{3 | .b.Sum 1}}', '4'],
  [
    '{{"3" | .b.Sum 1}}',
    'template: t:1:15: executing "t" at <1>: wrong type for value; expected int; got string',
  ],
  [
    '{{"3" | .b.Sum}}',
    'template: t:1:10: executing "t" at <.b.Sum>: wrong type for value; expected int; got string',
  ],
  ['{{.b.Check true}}', 'checked'],
  ['{{.b.Check false}}', 'template: t:1:4: executing "t" at <.b.Check>: error calling Check: not ok'],
  [
    '{{.b.Check 1 2}}',
    'template: t:1:4: executing "t" at <.b.Check>: wrong number of args for Check: want 1 got 2',
  ],
  [
    '{{.b.Two}}',
    'template: t:1:4: executing "t" at <.b.Two>: invalid function signature for Two: second return value should be error; is int',
  ],
  ['{{.b.Explode}}', 'template: t:1:4: executing "t" at <.b.Explode>: error calling Explode: boom'],
  ['{{(.b.Nested "n").Next.Name}}', 'b1'],
  [
    '{{.b.Nested.Name}}',
    'template: t:1:4: executing "t" at <.b.Nested.Name>: wrong number of args for Nested: want 1 got 0',
  ],
  [
    '{{.b.Give.x}}',
    'template: t:1:4: executing "t" at <.b.Give.x>: wrong number of args for Give: want 1 got 0',
  ],
  ['{{(.b.Give nil).x}}', '<no value>'],
  ['{{(.b.Give 1).x}}', 'template: t:1:11: executing "t" at <1>: can\'t evaluate field x in type int'],
  ['{{.b.Give nil}}', '<no value>'],
  ['{{.b.Give (.b.Give "deep")}}', 'deep'],
  [
    '{{.b.Title.x}}',
    'template: t:1:4: executing "t" at <.b.Title.x>: can\'t evaluate field x in type string',
  ],
  ['{{.b.Level}}{{.b.Level.String}}', '******'],
  ['{{.b.Took.Seconds}}', '1.5'],
  ['{{.tm.Year}}', '2024'],
  [
    '{{.tm.Date}}',
    'template: t:1:5: executing "t" at <.tm.Date>: function Date has 3 return values; should be 1 or 2',
  ],
  ['{{.tm.Format "2006"}}', '2024'],
  ['{{"2006" | .tm.Format}}', '2024'],
  ['{{.tm.Format 1}}', 'template: t:1:13: executing "t" at <1>: expected string; found 1'],
  [
    '{{.tm.Format}}',
    'template: t:1:5: executing "t" at <.tm.Format>: wrong number of args for Format: want 1 got 0',
  ],
  [
    '{{.tm.AddDate 1 .b 2}}',
    'template: t:1:16: executing "t" at <.b>: wrong type for value; expected int; got sample.Box',
  ],
  ['{{(.nope.Format 1).x}}', '<no value>'],
  [
    '{{(.tm.Format "x").y}}',
    'template: t:1:14: executing "t" at <"x">: can\'t evaluate field y in type string',
  ],
  ['{{(.b.Give .s).x}}', '<no value>'],
  ['{{(.nope.Give .s).x}}', '<no value>'],
  ['{{print (.b.Sum 1)}}', '1'],
  [
    '{{and .b.Title (.b.Check false)}}',
    'template: t:1:18: executing "t" at <.b.Check>: error calling Check: not ok',
  ],
])('Fields and methods of typed data, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, typedData())).toBe(expected);
});

test.each([
  ['{{.nope}}', '<no value>'],
  ['{{.nope.x}}', 'template: t:1:7: executing "t" at <.nope.x>: nil pointer evaluating interface {}.x'],
  ['{{.a.nope}}', '<no value>'],
  ['{{if .nope}}y{{else}}n{{end}}', 'n'],
])('Missing keys, missingkey=zero, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, JSON_DATA, { missingkey: 'zero' })).toBe(expected);
});

test.each([
  ['{{.nope}}', 'template: t:1:2: executing "t" at <.nope>: map has no entry for key "nope"'],
  ['{{.a.nope.x}}', 'template: t:1:4: executing "t" at <.a.nope.x>: map has no entry for key "nope"'],
  ['{{$.nope}}', 'template: t:1:3: executing "t" at <$.nope>: map has no entry for key "nope"'],
  [
    '{{with $x := .a.nope}}{{end}}',
    'template: t:1:15: executing "t" at <.a.nope>: map has no entry for key "nope"',
  ],
  ['{{index .a "nope"}}', '<no value>'],
  ['{{(index .a "nope").x}}', 'template: t:1:12: executing "t" at <"nope">: nil data; no entry for key "x"'],
  ['{{or .n .nope}}', '3'],
])('Missing keys, missingkey=error, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, JSON_DATA, { missingkey: 'error' })).toBe(expected);
});

test.each([
  ['{{.ss.nope}}|', '|'],
  ['{{.nm.nope}}', '0'],
  ['{{.b.Attributes.nope}}|', '|'],
])('Missing keys of typed maps, missingkey=zero, as Go prints them: %s', (text, expected) => {
  expect(outcome(text, typedData(), { missingkey: 'zero' })).toBe(expected);
});
