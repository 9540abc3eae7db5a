import { describe, expect, it } from 'vitest';
import { type Cases, limitOf, render, testAsGo } from '../testing/sprig.ts';

const CASES: Cases = {
  creating: [
    ['{{$x := dict}}{{printf "%T %#v" $x $x}}', 'map[string]interface {} map[string]interface {}{}'],
    [
      '{{$x := dict "a" 1 "b"}}{{printf "%T %#v" $x $x}}',
      'map[string]interface {} map[string]interface {}{"a":1, "b":""}',
    ],
    [
      '{{$x := dict 1 "x" nil "y" 1.5 "z" (list 1) "l"}}{{printf "%T %#v" $x $x}}',
      'map[string]interface {} map[string]interface {}{"1":"x", "1.5":"z", "<nil>":"y", "[1]":"l"}',
    ],
    ['{{dict (semver "v1.2") 1}}', 'map[1.2.0:1]'],
    [
      '{{$x := set (dict "a" 1) "b" nil}}{{printf "%T %#v" $x $x}}',
      'map[string]interface {} map[string]interface {}{"a":1, "b":interface {}(nil)}',
    ],
    [
      '{{$x := unset (dict "a" 1 "b" 2) "a"}}{{printf "%T %#v" $x $x}}',
      'map[string]interface {} map[string]interface {}{"b":2}',
    ],
    [
      '{{$d := dict "a" 1}}{{$e := $d}}{{$_ := set $e "a" 9}}{{$d}} {{$_ := unset $d "a"}}{{$e}}',
      'map[a:9] map[]',
    ],
  ],
  'looking up': [
    ['{{$x := get (dict "a" nil) "a"}}{{printf "%T %#v" $x $x}}', '<nil> <nil>'],
    ['{{$x := get (dict) "a"}}{{printf "%T %#v" $x $x}}', 'string ""'],
    ['{{hasKey (dict "a" nil) "a"}} {{hasKey (dict) "a"}}', 'true false'],
    [
      '{{$x := pluck "a" (dict "a" 1) (dict) (dict "a" nil)}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{1, interface {}(nil)}',
    ],
    ['{{$x := pluck "a"}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{}'],
    ['{{$x := keys (dict "a" 1) (dict "a" 2)}}{{printf "%T %#v" $x $x}}', '[]string []string{"a", "a"}'],
    ['{{$x := keys}}{{printf "%T %#v" $x $x}}', '[]string []string{}'],
    [
      '{{$x := values (dict "a" (list 1))}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{[]interface {}{1}}',
    ],
    ['{{$x := values (dict)}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}{}'],
    [
      '{{$x := pick (dict "a" 1 "b" nil "c" 3) "b" "zz" "c"}}{{printf "%T %#v" $x $x}}',
      'map[string]interface {} map[string]interface {}{"b":interface {}(nil), "c":3}',
    ],
    [
      '{{$x := pick (dict "a" 1)}}{{printf "%T %#v" $x $x}}',
      'map[string]interface {} map[string]interface {}{}',
    ],
    [
      '{{$x := omit (dict "a" 1 "b" nil "c" 3) "b" "zz"}}{{printf "%T %#v" $x $x}}',
      'map[string]interface {} map[string]interface {}{"a":1, "c":3}',
    ],
    ['{{$x := omit (dict)}}{{printf "%T %#v" $x $x}}', 'map[string]interface {} map[string]interface {}{}'],
  ],
  'nil maps': [
    ['{{set nil "a" 1}}', 'error: error calling set: assignment to entry in nil map'],
    [
      '{{unset nil "a"}} {{hasKey nil "a"}} {{get nil "a"}}|{{keys nil}} {{values nil}} {{pick nil "a"}} {{omit nil}} {{pluck "a" nil}}',
      'map[] false |[] [] map[] map[] []',
    ],
  ],
  digging: [
    ['{{$x := dig "a" "b" "none" (dict "a" (dict "b" nil))}}{{printf "%T %#v" $x $x}}', '<nil> <nil>'],
    [
      '{{dig "a" "x" "none" (dict "a" (dict "b" 1))}} {{dig "x" "y" "none" (dict)}} {{dig "a" "none" (dict "a" 7)}}',
      'none none 7',
    ],
    ['{{dig "a" (dict)}}', 'error: error calling dig: dig needs at least three arguments'],
    ['{{dig}}', 'error: error calling dig: dig needs at least three arguments'],
    [
      '{{dig "a" "b" nil}}',
      'error: error calling dig: interface conversion: interface {} is nil, not map[string]interface {}',
    ],
    [
      '{{dig "a" "b" (list)}}',
      'error: error calling dig: interface conversion: interface {} is []interface {}, not map[string]interface {}',
    ],
    [
      '{{dig 1 "b" (dict)}}',
      'error: error calling dig: interface conversion: interface {} is int, not string',
    ],
    [
      '{{dig "x" 1.5 "b" (dict)}}',
      'error: error calling dig: interface conversion: interface {} is float64, not string',
    ],
    [
      '{{dig "a" "b" "c" (dict "a" 1)}}',
      'error: error calling dig: interface conversion: interface {} is int, not map[string]interface {}',
    ],
    [
      '{{dig "a" "b" "c" (dict "a" nil)}}',
      'error: error calling dig: interface conversion: interface {} is nil, not map[string]interface {}',
    ],
    [
      '{{dig "a" "b" "c" (dict "a" (split "," "x"))}}',
      'error: error calling dig: interface conversion: interface {} is map[string]string, not map[string]interface {}',
    ],
    [
      '{{dig "x" "b" "c" (split "," "x")}}',
      'error: error calling dig: interface conversion: interface {} is map[string]string, not map[string]interface {}',
    ],
  ],
  copying: [
    [
      '{{$x := deepCopy (list 1 nil "a" (dict "b" (until 2)))}}{{printf "%T %#v" $x $x}}',
      '[]interface {} []interface {}{1, interface {}(nil), "a", map[string]interface {}{"b":[]int{0, 1}}}',
    ],
    [
      '{{$a := dict "x" (dict "y" 1)}}{{$b := deepCopy $a}}{{$_ := set $b.x "y" 2}}{{$a}} {{$b}}',
      'map[x:map[y:1]] map[x:map[y:2]]',
    ],
    [
      '{{$i := dict "k" 1}}{{$c := deepCopy (list $i $i)}}{{$_ := set (first $c) "k" 2}}{{$c}}',
      '[map[k:2] map[k:1]]',
    ],
    ['{{$x := mustDeepCopy "s"}}{{printf "%T %#v" $x $x}}', 'string "s"'],
    ['{{$x := deepCopy (rest (list))}}{{printf "%T %#v" $x $x}}', '[]interface {} []interface {}(nil)'],
    ['{{deepCopy (semver "1.2.3")}}', '0.0.0'],
    ['{{deepCopy nil}}', 'error: error calling deepCopy: reflect: call of reflect.Value.Type on zero Value'],
    [
      '{{mustDeepCopy nil}}',
      'error: error calling mustDeepCopy: reflect: call of reflect.Value.Type on zero Value',
    ],
  ],
};

testAsGo(CASES);

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
