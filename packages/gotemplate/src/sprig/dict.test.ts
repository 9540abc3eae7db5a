import { describe, expect, it } from 'vitest';
import { type Cases, limitOf, render, testAsGo, testErrorsAsGo, testValuesAsGo } from '../testing/sprig.ts';

const CASES: Cases = {
  creating: [['{{dict (semver "v1.2") 1}}', 'map[1.2.0:1]']],
  'nil maps': [
    [
      '{{unset nil "a"}} {{hasKey nil "a"}} {{get nil "a"}}|{{keys nil}} {{values nil}} {{pick nil "a"}} {{omit nil}} {{pluck "a" nil}}',
      'map[] false |[] [] map[] map[] []',
    ],
  ],
  copying: [
    [
      '{{$i := dict "k" 1}}{{$c := deepCopy (list $i $i)}}{{$_ := set (first $c) "k" 2}}{{$c}}',
      '[map[k:2] map[k:1]]',
    ],
    ['{{deepCopy (semver "1.2.3")}}', '0.0.0'],
  ],
};

const VALUES: [call: string, value: string][] = [
  ['dict "a" 1 "b"', 'map[string]interface {} map[string]interface {}{"a":1, "b":""}'],
  [
    'dict 1 "x" nil "y" 1.5 "z" (list 1) "l"',
    'map[string]interface {} map[string]interface {}{"1":"x", "1.5":"z", "<nil>":"y", "[1]":"l"}',
  ],
  ['get (dict "a" nil) "a"', '<nil> <nil>'],
  ['get (dict) "a"', 'string ""'],
  ['pluck "a"', '[]interface {} []interface {}{}'],
  ['keys', '[]string []string{}'],
  ['values (dict)', '[]interface {} []interface {}{}'],
  ['omit (dict)', 'map[string]interface {} map[string]interface {}{}'],
  [
    'pick (dict "a" 1 "b" nil "c" 3) "b" "zz" "c"',
    'map[string]interface {} map[string]interface {}{"b":interface {}(nil), "c":3}',
  ],
  [
    'omit (dict "a" 1 "b" nil "c" 3) "b" "zz"',
    'map[string]interface {} map[string]interface {}{"a":1, "c":3}',
  ],
  ['dig "a" "b" "none" (dict "a" (dict "b" nil))', '<nil> <nil>'],
  [
    'deepCopy (list 1 nil "a" (dict "b" (until 2)))',
    '[]interface {} []interface {}{1, interface {}(nil), "a", map[string]interface {}{"b":[]int{0, 1}}}',
  ],
  ['deepCopy (rest (list))', '[]interface {} []interface {}(nil)'],
];

const ERRORS: [call: string, error: string][] = [
  ['dig', 'dig needs at least three arguments'],
  ['dig "x" 1.5 "b" (dict)', 'interface conversion: interface {} is float64, not string'],
  [
    'dig "a" "b" "c" (dict "a" (split "," "x"))',
    'interface conversion: interface {} is map[string]string, not map[string]interface {}',
  ],
  [
    'dig "x" "b" "c" (split "," "x")',
    'interface conversion: interface {} is map[string]string, not map[string]interface {}',
  ],
  ['deepCopy nil', 'reflect: call of reflect.Value.Type on zero Value'],
  ['mustDeepCopy nil', 'reflect: call of reflect.Value.Type on zero Value'],
];

testAsGo(CASES);
testErrorsAsGo(ERRORS);
testValuesAsGo(VALUES);

describe('keys and values', () => {
  it('have the order of insertion', () => {
    expect(render('{{$d := dict "b" 1 "a" 2}}{{$_ := set $d "0" 3}}{{keys $d}} {{values $d}}')).toBe(
      '[b a 0] [1 2 3]',
    );
  });

  it('can have any name', () => {
    const template =
      '{{$d := dict "__proto__" 1 "constructor" 2}}{{get $d "__proto__"}}{{hasKey (dict) "toString"}}{{pick $d "constructor"}}{{dig "__proto__" "x" (dict)}}';
    expect(render(template)).toBe('1falsemap[constructor:2]x');
  });
});

const DOUBLED = '{{$d := dict "a" 1}}{{range until 60}}{{$d = dict "x" $d "y" $d}}{{end}}';

/** Small limits, so that long work ends soon. */
const SMALL = { time: Infinity, steps: 200_000, memory: 1 << 20 };

describe('limits', () => {
  it.each([
    ['{{$d := dict}}{{$_ := set $d "d" $d}}{{deepCopy $d}}', 'memory'],
    [`${DOUBLED}{{deepCopy $d}}`, 'memory'],
    [
      '{{$d := dict}}{{range until 5000}}{{$_ := set $d (toString .) .}}{{end}}{{range until 100}}{{$_ := keys $d}}{{end}}',
      'memory',
    ],
  ])('%s ends at %s', (template, limit) => {
    expect(limitOf(template, SMALL)).toBe(limit);
  });
});
