import { describe, expect, it } from 'vitest';
import { type Cases, limitOf, testAsGo } from '../testing/sprig.ts';

const CASES: Cases = {
  'creating and appending': [
    ['{{$x := list}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{}'],
    [
      '{{$x := tuple 1 nil "a"}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{1, interface {}(nil), "a"}',
    ],
    ['{{$x := append (until 2) 9}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{0, 1, 9}'],
    [
      '{{$x := push (list) nil}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{interface {}(nil)}',
    ],
    [
      '{{$x := prepend (splitList "," "a,b") (list 1)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{[]interface {}{1}, "a", "b"}',
    ],
    ['{{$x := mustAppend (list 1) 2}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{1, 2}'],
    ['{{$x := mustPrepend (list 1) 2}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{2, 1}'],
    ['{{$l := list 1}}{{$a := append $l 2}}{{$b := append $l 3}}{{$a}} {{$b}} {{$l}}', '[1 2] [1 3] [1]'],
    ['{{$x := concat}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}(nil)'],
    ['{{$x := concat (list)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}(nil)'],
    [
      '{{$x := concat (until 2) (list nil) (splitList "," "a")}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{0, 1, interface {}(nil), "a"}',
    ],
  ],
  'taking parts': [
    ['{{$x := first (until 3)}}{{printf "%T %#v" $x $x}}', 'int 0'],
    ['{{$x := first (list)}}{{printf "%T %#v" $x $x}}', '<nil> <nil>'],
    ['{{$x := last (list 3 1 "x" nil 2.5)}}{{printf "%T %#v" $x $x}}', 'float64 2.5'],
    ['{{$x := last (list 1 nil)}}{{printf "%T %#v" $x $x}}', '<nil> <nil>'],
    [
      '{{$x := rest (list 3 1 "x" nil 2.5)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{1, "x", interface {}(nil), 2.5}',
    ],
    ['{{$x := rest (list)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}(nil)'],
    ['{{$x := rest (list 1)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{}'],
    ['{{$x := rest (until 3)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{1, 2}'],
    [
      '{{$x := initial (list 3 1 "x" nil 2.5)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{3, 1, "x", interface {}(nil)}',
    ],
    ['{{$x := initial (list)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}(nil)'],
    ['{{$x := initial (until 3)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{0, 1}'],
    [
      '{{$x := reverse (list 3 1 "x" nil 2.5)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{2.5, interface {}(nil), "x", 1, 3}',
    ],
    ['{{$x := reverse (list)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{}'],
    [
      '{{$x := chunk 2 (list 3 1 "x" nil 2.5)}}{{printf "%T %#v" $x $x}}',
      '[][]interface {} [][]interface {}{[]interface {}{3, 1}, []interface {}{"x", interface {}(nil)}, []interface {}{2.5}}',
    ],
    ['{{$x := chunk 2 (list)}}{{printf "%T %#v" $x $x}}', '[][]interface {} [][]interface {}{}'],
    [
      '{{$x := chunk 9 (until 3)}}{{printf "%T %#v" $x $x}}',
      '[][]interface {} [][]interface {}{[]interface {}{0, 1, 2}}',
    ],
    [
      '{{$x := mustChunk 1 (until 2)}}{{printf "%T %#v" $x $x}}',
      '[][]interface {} [][]interface {}{[]interface {}{0}, []interface {}{1}}',
    ],
    ['{{chunk -5 (list 1)}} {{chunk -5 (list 1 2)}}', '[[1]] []'],
  ],
  'slices of lists': [
    [
      '{{$x := slice (list 3 1 "x" nil 2.5)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{3, 1, "x", interface {}(nil), 2.5}',
    ],
    ['{{$x := slice (until 5) 1}}{{printf "%T %#v" $x $x}}', '[]int []int{1, 2, 3, 4}'],
    ['{{$x := slice (until 5) 1 3}}{{printf "%T %#v" $x $x}}', '[]int []int{1, 2}'],
    ['{{$x := slice (until 5) "1" 2.9}}{{printf "%T %#v" $x $x}}', '[]int []int{1}'],
    ['{{$x := slice (until 5) 5}}{{printf "%T %#v" $x $x}}', '[]int []int{}'],
    ['{{$x := slice (until 5) 0 0}}{{printf "%T %#v" $x $x}}', '[]int []int{}'],
    ['{{$x := slice (list) 0 7}}{{printf "%T %#v" $x $x}}', '<nil> <nil>'],
    [
      '{{$x := mustSlice (splitList "," "a,b,c") nil 2 99}}{{printf "%T %#v" $x $x}}',
      '[]string []string{"a", "b"}',
    ],
  ],
  searching: [
    [
      '{{$x := compact (list 0 1 "" "a" nil false (list) (dict) 0.0)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{1, "a"}',
    ],
    [
      '{{$x := uniq (list 1 1.0 "1" (int64 1) 1 nil nil "" true true)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{1, 1, "1", 1, interface {}(nil), "", true}',
    ],
    ['{{uniq (list (list 1) (list 1) (dict "a" 1) (dict "a" 1) (list 1.0))}}', '[[1] map[a:1] [1]]'],
    [
      '{{$n := float64 "NaN"}}{{uniq (list $n $n) | len}} {{has $n (list $n)}} {{$l := list $n}}{{has $l (list $l)}} {{uniq (list -0.0 0.0) | len}}',
      '2 false true 1',
    ],
    ['{{$x := uniq (list)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{}'],
    [
      '{{$x := without (list 1 2.0 2 nil "a") 2 nil}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{1, 2, "a"}',
    ],
    ['{{$x := without (until 3)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{0, 1, 2}'],
    [
      '{{has 1 (list 1.0)}} {{has 1 (until 3)}} {{has nil (list nil)}} {{has nil nil}} {{mustHas "a" nil}} {{has (list 1) (list (list 1))}}',
      'false true true false false true',
    ],
  ],
  failures: [
    ['{{first "abc"}}', 'error: error calling first: Cannot find first on type string'],
    ['{{mustLast (dict)}}', 'error: error calling mustLast: Cannot find last on type map'],
    ['{{rest 5}}', 'error: error calling rest: Cannot find rest on type int'],
    ['{{initial true}}', 'error: error calling initial: Cannot find initial on type bool'],
    ['{{append 1.5 1}}', 'error: error calling append: Cannot push on type float64'],
    ['{{mustPush "s" 1}}', 'error: error calling mustPush: Cannot push on type string'],
    ['{{prepend "s" 1}}', 'error: error calling prepend: Cannot prepend on type string'],
    ['{{reverse (semver "1.2.3")}}', 'error: error calling reverse: Cannot find reverse on type ptr'],
    ['{{compact "s"}}', 'error: error calling compact: Cannot compact on type string'],
    ['{{uniq "s"}}', 'error: error calling uniq: Cannot find uniq on type string'],
    ['{{without "s" 1}}', 'error: error calling without: Cannot find without on type string'],
    ['{{has 1 "s"}}', 'error: error calling has: Cannot find has on type string'],
    ['{{slice "abc" 1}}', 'error: error calling slice: list should be type of slice or array but string'],
    ['{{chunk 2 "abc"}}', 'error: error calling chunk: Cannot chunk type string'],
    ['{{concat (list) "abc"}}', 'error: error calling concat: Cannot concat type string as list'],
    [
      '{{first nil}}',
      'error: error calling first: runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      '{{mustRest nil}}',
      'error: error calling mustRest: runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      '{{append nil 1}}',
      'error: error calling append: runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      '{{concat nil}}',
      'error: error calling concat: runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      '{{slice nil}}',
      'error: error calling slice: runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      '{{chunk 1 nil}}',
      'error: error calling chunk: runtime error: invalid memory address or nil pointer dereference',
    ],
    ['{{slice (until 3) 4}}', 'error: error calling slice: reflect.Value.Slice: slice index out of bounds'],
    ['{{slice (until 3) 2 1}}', 'error: error calling slice: reflect.Value.Slice: slice index out of bounds'],
    ['{{slice (until 3) -1}}', 'error: error calling slice: reflect.Value.Slice: slice index out of bounds'],
    [
      '{{slice (list 1 2) 0 99}}',
      'error: error calling slice: reflect.Value.Slice: slice index out of bounds',
    ],
    ['{{chunk 0 (list 1 2)}}', 'error: error calling chunk: runtime error: makeslice: len out of range'],
    ['{{chunk 0 (list 1)}}', 'error: error calling chunk: runtime error: makeslice: len out of range'],
    ['{{chunk 0 (list)}}', 'error: error calling chunk: runtime error: makeslice: len out of range'],
    ['{{chunk -1 (list 1)}}', 'error: error calling chunk: runtime error: makeslice: len out of range'],
    ['{{chunk -2 (list 1 2 3 4)}}', 'error: error calling chunk: runtime error: makeslice: len out of range'],
    ['{{chunk -5 (list)}}', 'error: error calling chunk: runtime error: makeslice: len out of range'],
  ],
};

testAsGo(CASES);

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
