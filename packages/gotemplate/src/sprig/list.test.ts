import { describe, expect, it } from 'vitest';
import { type Cases, limitOf, testAsGo, testErrorsAsGo, testValuesAsGo } from '../testing/sprig.ts';

const CASES: Cases = {
  'taking parts': [['{{chunk -5 (list 1)}} {{chunk -5 (list 1 2)}}', '[[1]] []']],
  searching: [
    ['{{uniq (list (list 1) (list 1) (dict "a" 1) (dict "a" 1) (list 1.0))}}', '[[1] map[a:1] [1]]'],
    [
      '{{$n := float64 "NaN"}}{{uniq (list $n $n) | len}} {{has $n (list $n)}} {{$l := list $n}}{{has $l (list $l)}} {{uniq (list -0.0 0.0) | len}}',
      '2 false true 1',
    ],
    [
      '{{has 1 (list 1.0)}} {{has 1 (until 3)}} {{has nil (list nil)}} {{has nil nil}} {{mustHas "a" nil}} {{has (list 1) (list (list 1))}}',
      'false true true false false true',
    ],
  ],
};

const VALUES: [call: string, value: string][] = [
  ['list', '[]interface {} []interface {}{}'],
  ['tuple 1 nil "a"', '[]interface {} []interface {}{1, interface {}(nil), "a"}'],
  ['prepend (splitList "," "a,b") (list 1)', '[]interface {} []interface {}{[]interface {}{1}, "a", "b"}'],
  ['concat', '[]interface {} []interface {}(nil)'],
  ['concat (list)', '[]interface {} []interface {}(nil)'],
  [
    'concat (until 2) (list nil) (splitList "," "a")',
    '[]interface {} []interface {}{0, 1, interface {}(nil), "a"}',
  ],
  ['first (list)', '<nil> <nil>'],
  ['last (list 3 1 "x" nil 2.5)', 'float64 2.5'],
  ['rest (list)', '[]interface {} []interface {}(nil)'],
  ['rest (list 1)', '[]interface {} []interface {}{}'],
  ['initial (list)', '[]interface {} []interface {}(nil)'],
  ['initial (until 3)', '[]interface {} []interface {}{0, 1}'],
  ['reverse (list 3 1 "x" nil 2.5)', '[]interface {} []interface {}{2.5, interface {}(nil), "x", 1, 3}'],
  ['reverse (list)', '[]interface {} []interface {}{}'],
  [
    'chunk 2 (list 3 1 "x" nil 2.5)',
    '[][]interface {} [][]interface {}{[]interface {}{3, 1}, []interface {}{"x", interface {}(nil)}, []interface {}{2.5}}',
  ],
  ['chunk 2 (list)', '[][]interface {} [][]interface {}{}'],
  ['mustChunk 1 (until 2)', '[][]interface {} [][]interface {}{[]interface {}{0}, []interface {}{1}}'],
  ['slice (until 5) 1', '[]int []int{1, 2, 3, 4}'],
  ['slice (until 5) "1" 2.9', '[]int []int{1}'],
  ['slice (until 5) 5', '[]int []int{}'],
  ['slice (list) 0 7', '<nil> <nil>'],
  ['mustSlice (splitList "," "a,b,c") nil 2 99', '[]string []string{"a", "b"}'],
  ['compact (list 0 1 "" "a" nil false (list) (dict) 0.0)', '[]interface {} []interface {}{1, "a"}'],
  [
    'uniq (list 1 1.0 "1" (int64 1) 1 nil nil "" true true)',
    '[]interface {} []interface {}{1, 1, "1", 1, interface {}(nil), "", true}',
  ],
  ['uniq (list)', '[]interface {} []interface {}{}'],
  ['without (list 1 2.0 2 nil "a") 2 nil', '[]interface {} []interface {}{1, 2, "a"}'],
];

const ERRORS: [call: string, error: string][] = [
  ['reverse (semver "1.2.3")', 'Cannot find reverse on type ptr'],
  ['compact "s"', 'Cannot compact on type string'],
  ['mustRest nil', 'runtime error: invalid memory address or nil pointer dereference'],
  ['chunk 1 nil', 'runtime error: invalid memory address or nil pointer dereference'],
  ['slice (until 3) 4', 'reflect.Value.Slice: slice index out of bounds'],
  ['chunk 0 (list)', 'runtime error: makeslice: len out of range'],
  ['chunk -1 (list 1)', 'runtime error: makeslice: len out of range'],
  ['chunk -5 (list)', 'runtime error: makeslice: len out of range'],
];

testAsGo(CASES);
testErrorsAsGo(ERRORS);
testValuesAsGo(VALUES);

/** Small limits, so that long work ends soon. */
const SMALL = { time: Infinity, steps: 200_000, memory: 1 << 20 };

describe('limits', () => {
  it.each([
    ['{{$l := list}}{{range until 10000}}{{$l = append $l 1}}{{end}}', 'memory'],
    ['{{$l := list 1}}{{range until 60}}{{$l = concat $l $l}}{{end}}', 'memory'],
    ['{{$l := until 10000}}{{range until 100}}{{$_ := has -1 $l}}{{end}}', 'steps'],
    [
      '{{$l := list}}{{range until 200}}{{$l = append $l (list .)}}{{end}}{{range until 10}}{{$_ := uniq $l}}{{end}}',
      'steps',
    ],
    ['{{$l := until 10000}}{{range until 100}}{{$_ := reverse $l}}{{end}}', 'memory'],
    ['{{$l := until 10000}}{{range until 100}}{{$_ := chunk 1 $l}}{{end}}', 'memory'],
  ])('%s ends at %s', (template, limit) => {
    expect(limitOf(template, SMALL)).toBe(limit);
  });
});
