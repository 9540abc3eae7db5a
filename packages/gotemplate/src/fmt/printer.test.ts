import { describe } from 'vitest';
import { Struct, Typed, dict, list, nilPointer, zero } from '../value/value.ts';
import { testPrintfAsGo } from '../testing/printf.ts';
import {
  COLOR,
  EMPTY,
  NAME,
  OWNER,
  POINT,
  broken,
  bytes,
  colorMap,
  fault,
  floatMap,
  holder,
  intMap,
  name,
  nilBytes,
  nilList,
  nilMap,
  noPoint,
  owner,
  paint,
  pair,
  point,
  red,
  stringMap,
  strings,
  syntax,
  to,
  toPoint,
} from '../testing/values.ts';
import { DURATION } from '../time/types.ts';
import { Time } from '../time/time.ts';
import { structType } from '../value/type.ts';
import { TIME } from '../time/types.ts';
const minute = new Typed(DURATION, 90_000_000_000n);
const noon = Time.unix(1709208000, 500);
const box = new Struct(structType('main.Box', [{ name: 'in', type: paint.type }]), [paint]);
const DIARY = structType('main.Diary', [{ name: 'at', type: TIME }]);

describe('lists and maps, as Go prints them', () => {
  testPrintfAsGo([
    [
      '%v|%+v|%s|%d',
      [list([1n, 'a', null, 2.5, true]), list([1n, 'a']), list([1n, 'a']), list([1n, 'a', null])],
      '[1 a <nil> 2.5 true]|[1 a]|[%!s(int=1) a]|[1 %!d(string=a) <nil>]',
    ],
    [
      '%#v',
      [list([1n, 'a', null, 2.5, true, list([])])],
      '[]interface {}{1, "a", interface {}(nil), 2.5, true, []interface {}{}}',
    ],
    [
      '%q|%x|%5d|%-4s|%03d',
      [strings('a', 'b'), strings('a', 'b'), list([1n, 2n]), strings('a', 'b'), list([1n, 2n])],
      '["a" "b"]|[61 62]|[    1     2]|[a    b   ]|[001 002]',
    ],
    ['%v|%#v|%T', [strings('a', ''), strings('a', ''), strings()], '[a ]|[]string{"a", ""}|[]string'],
    ['%v|%#v|%d', nilList, '[]|[]interface {}(nil)|[]'],
    [
      '%v|%#v',
      [
        dict([
          ['b', 1n],
          ['a', null],
          ['é', list([])],
          ['B', 'x'],
        ]),
        dict([
          ['b', 1n],
          ['a', null],
        ]),
      ],
      'map[B:x a:<nil> b:1 é:[]]|map[string]interface {}{"a":interface {}(nil), "b":1}',
    ],
    ['%v|%#v|%s', [nilMap, nilMap, dict()], 'map[]|map[string]interface {}(nil)|map[]'],
    ['%d', [dict([['k', 1n]])], 'map[%!d(string=k):1]'],
    [
      '%v|%#v',
      [stringMap({ k: 'v', a: '' }), stringMap({ k: 'v' })],
      'map[a: k:v]|map[string]string{"k":"v"}',
    ],
    [
      '%v|%#v',
      [intMap([10n, 1n], [9n, 2n], [-1n, 3n]), intMap([2n, 1n])],
      'map[-1:3 9:2 10:1]|map[int]interface {}{2:1}',
    ],
    ['%v', [floatMap([2, 1n], [NaN, 2n], [-Infinity, 3n], [0.5, 4n])], 'map[NaN:2 -Inf:3 0.5:4 2:1]'],
    [
      '%v|%d|%s|%x|%X|%q|%#v|%c',
      [
        bytes('hé'),
        bytes('hé'),
        bytes('hé'),
        bytes('hé'),
        bytes('hé'),
        bytes('hé'),
        bytes('hi'),
        bytes('hi'),
      ],
      '[104 195 169]|[104 195 169]|hé|68c3a9|68C3A9|"hé"|[]byte{0x68, 0x69}|[h i]',
    ],
    [
      '%5s|%.1s|% x|%#v|%t|%w',
      [bytes('hi'), bytes('hi'), bytes('hi'), nilBytes, bytes('h'), bytes('h')],
      '   hi|h|68 69|[]byte(nil)|[%!t(uint8=104)]|[%!w(uint8=104)]',
    ],
    ['%v|%s|%#v', list([bytes('hi')]), '[[104 105]]|[hi]|[]interface {}{[]uint8{0x68, 0x69}}'],
    [
      '%v|%s|%#v|%T',
      pair,
      '[1 <nil>]|[%!s(int=1) <nil>]|[2]interface {}{1, interface {}(nil)}|[2]interface {}',
    ],
    ['%v', [list([list([list([1n]), dict([['a', list([2n, 3n])]])])])], '[[[1] map[a:[2 3]]]]'],
    ['%#w|%#w', [nilBytes, bytes('h')], '[]uint8(nil)|[]uint8{%!w(uint8=0x68)}'],
  ]);
});

describe('structs and pointers, as Go prints them', () => {
  testPrintfAsGo([
    [
      '%v|%+v|%#v|%T',
      point,
      '{1 a <nil>}|{X:1 Label:a any:<nil>}|main.Point{X:1, Label:"a", any:interface {}(nil)}|main.Point',
    ],
    [
      '%v|%+v|%#v|%T',
      toPoint,
      '&{1 a <nil>}|&{X:1 Label:a any:<nil>}|&main.Point{X:1, Label:"a", any:interface {}(nil)}|*main.Point',
    ],
    [
      '%s|%d|%q|%x',
      [point, point, toPoint, point],
      '{%!s(int=1) a <nil>}|{1 %!d(string=a) <nil>}|&{\'\\x01\' "a" <nil>}|{1 61 <nil>}',
    ],
    ['%5d|%-5s', point, '{    1 %!d(string=    a) <nil>}|{%!s(int=1    ) a     <nil>}'],
    [
      '%v|%+v|%s|%d|%#v|%p|%x|%8v|%T',
      noPoint,
      '<nil>|<nil>|%!s(*main.Point=<nil>)|0|(*main.Point)(nil)|0x0|0|   <nil>|*main.Point',
    ],
    ['%v|%v', [list([noPoint]), to(list([1n]))], '[<nil>]|&[1]'],
    ['%#v|%+v', to(dict([['a', 1n]])), '&map[string]interface {}{"a":1}|&map[a:1]'],
    [
      '%v|%+v|%#v|%s|%d',
      holder,
      '{<nil> <nil> <nil> map[] [] <nil>}|{F:<nil> E:<nil> A:<nil> M:map[] L:[] P:<nil>}|main.Holder{F:(func())(nil), E:error(nil), A:interface {}(nil), M:map[string]int(nil), L:[]int(nil), P:(*main.Point)(nil)}|{%!s(func()=<nil>) <nil> <nil> map[] [] %!s(*main.Point=<nil>)}|{0 <nil> <nil> map[] [] 0}',
    ],
    [
      '%p|%p|%p|%p',
      [1n, 'a', nilList, zero(POINT)],
      '%!p(int=1)|%!p(string=a)|0x0|%!p(main.Point={0  <nil>})',
    ],
    ['%v|%#v', [EMPTY, list([EMPTY])], '{}|[]interface {}{struct {}{}}'],
  ]);
});

describe('methods, as Go calls them', () => {
  testPrintfAsGo([
    ['%v|%s|%q|%x|%X|%d|%T', red, 'red|red|"red"|726564|726564|1|main.Color'],
    ['%8v|%-8s|%.2s|%+v|%#v|%t|%f', red, '     red|red     |re|red|1|%!t(main.Color=1)|%!f(main.Color=1)'],
    [
      '%v|%s|%d|%q',
      [list([red]), colorMap, list([red]), dict([['a', red]])],
      '[red]|map[red:%!s(int=2)]|[1]|map["a":"red"]',
    ],
    [
      '%v|%s|%d|%v',
      [to(red), nilPointer(COLOR), nilPointer(COLOR), list([nilPointer(COLOR)])],
      'red|<nil>|0|[<nil>]',
    ],
    [
      '%v|%s|%+v|%d|%v',
      [paint, paint, paint, paint, to(paint)],
      '{red 1}|{red %!s(main.Color=1)}|{Color:red hidden:1}|{1 1}|&{red 1}',
    ],
    ['%v|%s|%d|%#v', fault, 'fault!|fault!|1|1'],
    [
      '%v|%s|%x|%d|%6v|%v',
      [broken, broken, broken, broken, broken, list([broken, 7n])],
      '%!v(PANIC=String method: out of order)|%!s(PANIC=String method: out of order)|%!x(PANIC=String method: out of order)|1|%!v(PANIC=String method: out of order)|[%!v(PANIC=String method: out of order) 7]',
    ],
    [
      '%5d|%4v|%.2v',
      [list([broken, 7n]), list([broken, 7n, 'abc']), list(['abc', broken, 'abc'])],
      '[    1     7]|[%!v(PANIC=String method: out of order) 7 abc]|[ab %!v(PANIC=String method: out of order) ]',
    ],
    [
      '%v|%v|%s|%v',
      [owner, to(owner), nilPointer(OWNER), list([to(new Struct(OWNER, [2n])), new Struct(OWNER, [3n])])],
      '{1}|owner 1|<nil>|[owner 2 {3}]',
    ],
    [
      '%#v|%v|%#v|%6.2s',
      [syntax, syntax, list([syntax]), syntax],
      'Syntax!|{1}|[]interface {}{Syntax!}|{%!s(int=    01)}',
    ],
    [
      '%v|%d|%s|%q|%T|%#v|%t',
      minute,
      '1m30s|90000000000|1m30s|"1m30s"|time.Duration|90000000000|%!t(time.Duration=90000000000)',
    ],
    ['%8v|%-8v|%.2v|%05d', minute, '   1m30s|1m30s   |1m|90000000000'],
    [
      '%v|%s|%.4s|%d',
      noon,
      '2024-02-29 12:00:00.0000005 +0000 UTC|2024-02-29 12:00:00.0000005 +0000 UTC|2024|{500 63844804800 0}',
    ],
    [
      '%+v|%#v|%t',
      noon,
      '2024-02-29 12:00:00.0000005 +0000 UTC|time.Date(2024, time.February, 29, 12, 0, 0, 500, time.UTC)|{%!t(uint64=500) %!t(int64=63844804800) %!t(*time.Location=<nil>)}',
    ],
    [
      '%v|%v',
      [list([noon]), new Struct(DIARY, [noon])],
      '[2024-02-29 12:00:00.0000005 +0000 UTC]|{{500 63844804800 <nil>}}',
    ],
    ['%s', [new Typed(NAME, 'n')], 'n'],
    ['%#v|%d|%T|%q', name, '"n"|%!d(main.Name=n)|main.Name|"n"'],
    ['%t', [list([to(paint)])], '[%!t(*main.Paint=&{1 1})]'],
    ['%v|%+v', box, '{{1 1}}|{in:{Color:1 hidden:1}}'],
  ]);
});
