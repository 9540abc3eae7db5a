import { describe, expect, it } from 'vitest';
import { ANY, INT, STRING, STRING_MAP, pointerTo, structType } from '../value/type.ts';
import { GoMap, Pointer, Struct, type Value, dict } from '../value/value.ts';
import { render } from '../testing/sprig.ts';

const STRUCTS: [call: string, output: string][] = [
  ['merge (dict "x" .pa) (dict "x" .pb)', '{a 0 map[k:v]} { 2 map[l:w]} {a 2 map[l:w]} {b 2 map[l:w]}'],
  [
    'mergeOverwrite (dict "x" .pa) (dict "x" .pb)',
    '{a 0 map[k:v]} { 2 map[l:w]} {b 2 map[l:w]} {b 2 map[l:w]}',
  ],
  [
    'merge (dict "x" .a) (dict "x" (dict))',
    'error: error calling merge: reflect: call of reflect.Value.Field on map Value',
  ],
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
