import { describe, expect, it } from 'vitest';
import { ANY, INT, STRING, STRING_MAP, pointerTo, structType } from '../value/type.ts';
import { GoMap, Pointer, Struct, type Value, dict } from '../value/value.ts';
import { type Cases, limitOf, render, testAsGo, testErrorsAsGo, testValuesAsGo } from '../testing/sprig.ts';

const CASES: Cases = {
  'filling in': [
    [
      '{{merge (dict "a" "" "b" 0 "c" false "d" nil "e" (list) "f" (dict) "g" 0.0) (dict "a" "x" "b" 1 "c" true "d" "n" "e" (list 1) "f" (dict "k" 1) "g" 2.5)}}',
      'map[a:x b:1 c:true d:n e:[1] f:map[k:1] g:2.5]',
    ],
    [
      '{{merge (dict "a" (dict "x" 1 "y" "")) (dict "a" (dict "x" 2 "y" 3 "z" 4))}}',
      'map[a:map[x:1 y:3 z:4]]',
    ],
    [
      '{{merge (dict "a" 1) (dict "a" (dict "x" 1))}} {{merge (dict "a" (dict "x" 1)) (dict "a" 5)}} {{merge (dict "a" (list 1)) (dict "a" (list 2 3))}} {{merge (dict "a" "s") (dict "a" (list 2))}}',
      'map[a:1] map[a:map[x:1]] map[a:[1]] map[a:s]',
    ],
    [
      '{{merge (dict) (dict "a" nil "b" (dict "c" nil))}} {{merge (dict "a" 1) (dict "b" (rest (list)))}}',
      'map[b:map[c:<nil>]] map[a:1 b:[]]',
    ],
  ],
  overwriting: [
    [
      '{{mergeOverwrite (dict "a" 1 "b" 2 "c" 3) (dict "a" "" "b" nil "d" false)}}',
      'map[a: b:<nil> c:3 d:false]',
    ],
    [
      '{{mergeOverwrite (dict "a" (dict "x" 1 "y" 2)) (dict "a" (dict "x" 9 "z" 3))}}',
      'map[a:map[x:9 y:2 z:3]]',
    ],
    [
      '{{mergeOverwrite (dict "a" 1) (dict "a" (dict "x" 1))}} {{mergeOverwrite (dict "a" (dict "x" 1)) (dict "a" 5)}} {{mergeOverwrite (dict "a" (list 1 2)) (dict "a" (list))}} {{mergeOverwrite (dict "a" (dict "x" 1)) (dict "a" (dict))}} {{mergeOverwrite (dict "a" "s") (dict "a" (list 2))}}',
      'map[a:map[x:1]] map[a:5] map[a:[]] map[a:map[x:1]] map[a:[2]]',
    ],
  ],
  'parts that are shared after merging': [
    [
      '{{$s := dict "x" (dict "y" 1)}}{{$d := dict "x" (dict "z" 1)}}{{$_ := merge $d $s}}{{$_ := set $d.x "y" 2}}{{$s}} {{$d}}',
      'map[x:map[y:1]] map[x:map[y:2 z:1]]',
    ],
    [
      '{{$s := dict "x" (dict)}}{{$d := dict "x" (dict)}}{{$_ := merge $d $s}}{{$_ := set $d.x "y" 2}}{{$s}} {{$d}}',
      'map[x:map[y:2]] map[x:map[y:2]]',
    ],
    [
      '{{$s := dict "x" (dict "y" 1)}}{{$d := dict "x" (dict)}}{{$_ := merge $d $s}}{{$_ := set $d.x "y" 2}}{{$s}} {{$d}}',
      'map[x:map[y:1]] map[x:map[y:2]]',
    ],
    [
      '{{$d := dict "a" (dict "b" 1)}}{{merge $d $d}} {{mergeOverwrite $d $d}}',
      'map[a:map[b:1]] map[a:map[b:1]]',
    ],
    [
      '{{$v := semver "1.0.0"}}{{mergeOverwrite (dict "v" $v) (dict "v" (semver "2.0.0"))}} {{$v}}',
      'map[v:2.0.0] 2.0.0',
    ],
    [
      '{{$v := semver "1.0.0"}}{{merge (dict "v" $v) (dict "v" (semver "2.0.0"))}} {{$v}}',
      'map[v:1.0.0] 1.0.0',
    ],
  ],
  'maps of other types': [
    [
      '{{merge (dict "a" (split "," "x,y")) (dict "a" (split "," "p,q,r"))}} {{mergeOverwrite (dict "a" (split "," "x,y")) (dict "a" (split "," "p,q,r"))}}',
      'map[a:map[_0:x _1:y _2:r]] map[a:map[_0:p _1:q _2:r]]',
    ],
    [
      '{{merge (dict "a" (dict "b" 1)) (dict "a" (split "," "x,y"))}} {{merge (dict "a" (split "," "x,y")) (dict "a" (dict))}} {{merge (dict "a" (split "," "x,y")) (dict "a" (dict "_0" nil))}}',
      'map[a:map[_0:x _1:y b:1]] map[a:map[_0:x _1:y]] map[a:map[_0:x _1:y]]',
    ],
  ],
  'values that cannot be merged': [
    ['[{{merge (dict "v" (semver "1.2.3")) (dict "v" (dict "a" 1))}}]', '[]'],
    ['[{{mergeOverwrite (dict "v" (semver "1.2.3")) (dict "v" (dict "a" 1))}}]', '[map[v:map[a:1]]]'],
    ['{{$d := dict "v" (semver "1.2.3")}}{{$_ := merge $d (dict "a" 1) (dict "v" (dict))}}{{$d.a}}', '1'],
  ],
};

const VALUES: [call: string, value: string][] = [
  ['merge nil (dict "a" 1)', 'map[string]interface {} map[string]interface {}{"a":1}'],
  ['merge nil nil', 'map[string]interface {} map[string]interface {}(nil)'],
  ['merge (dict) nil', 'map[string]interface {} map[string]interface {}{}'],
  ['mustMerge (dict "a" 1)', 'map[string]interface {} map[string]interface {}{"a":1}'],
];

const ERRORS: [call: string, error: string][] = [
  [
    'merge (dict "a" (split "," "x,y")) (dict "a" (dict "q" 1))',
    'reflect.Value.SetMapIndex: value of type interface {} is not assignable to type string',
  ],
  [
    'mergeOverwrite (dict "a" (split "," "x,y")) (dict "a" (dict "_0" nil))',
    'reflect.Value.SetMapIndex: value of type interface {} is not assignable to type string',
  ],
  [
    'merge (dict "a" (split "," "x,y")) (dict "a" (dict "_0" (list 1)))',
    'reflect: call of reflect.Value.IsNil on string Value',
  ],
  [
    'mergeOverwrite (dict "a" (split "," "x,y")) (dict "a" (dict "z" (list 1)))',
    'reflect.Value.SetMapIndex: value of type []interface {} is not assignable to type string',
  ],
  ['mustMerge (dict "v" (semver "1.2.3")) (dict "v" (dict "a" 1))', 'src and dst must be of same type'],
];

testAsGo(CASES);
testErrorsAsGo(ERRORS);
testValuesAsGo(VALUES);

const CYCLE = '{{$d := dict}}{{$_ := set $d "d" $d}}';

/** Small limits, so that long work ends soon. */
const SMALL = { time: Infinity, steps: 200_000, memory: 1 << 20 };

describe('limits', () => {
  it.each([
    [`${CYCLE}{{merge $d $d}}`, 'depth'],
    [`${CYCLE}{{$e := dict}}{{$_ := set $e "d" $e}}{{mergeOverwrite $e $d}}`, 'depth'],
    ['{{$d := dict "a" 1}}{{range until 60}}{{$d = dict "x" $d "y" $d}}{{end}}{{merge $d $d}}', 'steps'],
  ])('%s ends at %s', (template, limit) => {
    expect(limitOf(template, SMALL)).toBe(limit);
  });
});

const STRUCTS: [call: string, output: string][] = [
  ['merge (dict "x" .pa) (dict "x" .pb)', '{a 0 map[k:v]} { 2 map[l:w]} {a 2 map[l:w]} {b 2 map[l:w]}'],
  [
    'mergeOverwrite (dict "x" .pa) (dict "x" .pb)',
    '{a 0 map[k:v]} { 2 map[l:w]} {b 2 map[l:w]} {b 2 map[l:w]}',
  ],
  ['mergeOverwrite (dict "x" .pb) (dict "x" .pa)', '{a 0 map[k:v]} { 2 map[l:w]} {a 0 map[]} {a 2 map[l:w]}'],
  ['merge (dict "x" .a) (dict "x" .b)', '{a 0 map[k:v l:w]} { 2 map[l:w]} {a 0 map[]} {b 2 map[l:w]}'],
  [
    'mergeOverwrite (dict "x" .a) (dict "x" .b)',
    '{a 0 map[k:v l:w]} { 2 map[l:w]} {a 0 map[]} {b 2 map[l:w]}',
  ],
  [
    'merge (dict "x" .a) (dict "x" (dict))',
    'error: error calling merge: reflect: call of reflect.Value.Field on map Value',
  ],
  [
    'mergeOverwrite (dict "x" .a) (dict "x" (semver "1"))',
    'error: error calling mergeOverwrite: reflect: call of reflect.Value.Field on ptr Value',
  ],
  ['merge (dict "x" .pa) (dict "x" .nil)', '{a 0 map[k:v]} { 2 map[l:w]} {a 0 map[]} {b 2 map[l:w]}'],
  ['merge (dict "x" .nil) (dict "x" .pa)', '{a 0 map[k:v]} { 2 map[l:w]} {a 0 map[]} {b 2 map[l:w]}'],
  ['mustMerge (dict "x" .pa) (dict "x" .s)', '{a 0 map[k:v]} { 2 map[l:w]} {a 0 map[]} {b 2 map[l:w]}'],
  ['merge (dict "x" .pa) (dict "x" .b)', '{a 0 map[k:v]} { 2 map[l:w]} {a 2 map[l:w]} {b 2 map[l:w]}'],
];

const INNER = structType('main.Inner', [
  { name: 'Name', type: STRING },
  { name: 'Count', type: INT },
  { name: 'Tags', type: STRING_MAP },
]);

const inner = (name: string, count: bigint, tags?: [string, string][]): Struct =>
  new Struct(INNER, [name, count, new GoMap(STRING_MAP, new Map(tags), tags === undefined)]);

const pointer = (target: Struct): Pointer => new Pointer(pointerTo(target.type), target);

describe('structs, as Go prints them', () => {
  const data = () =>
    dict([
      ['a', inner('a', 0n, [['k', 'v']])],
      ['b', inner('', 2n, [['l', 'w']])],
      ['pa', pointer(inner('a', 0n))],
      ['pb', pointer(inner('b', 2n, [['l', 'w']]))],
      ['nil', new Pointer(pointerTo(INNER), undefined)],
    ]);
  const merged = (call: string) => render(`{{$_ := ${call}}}{{.a}} {{.b}} {{.pa}} {{.pb}}`, data());

  it.each(STRUCTS)('%s', (call, output) => {
    expect(merged(call)).toBe(output);
  });

  it('that point to themselves', () => {
    const node = structType('main.Node', [
      { name: 'Next', type: ANY },
      { name: 'Name', type: STRING },
    ]);
    const circle = (name: string): Pointer => {
      const fields: Value[] = [null, name];
      fields[0] = pointer(new Struct(node, fields));
      return fields[0];
    };
    const nodes = dict([
      ['a', circle('')],
      ['b', circle('b')],
    ]);
    expect(render('{{$_ := merge (dict "x" .a) (dict "x" .b)}}{{.a.Name}}', nodes)).toBe('b');
  });
});
