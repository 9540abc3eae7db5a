import { describe } from 'vitest';
import { Struct, dict, list, nilPointer } from '../value/value.ts';
import { testPrintfAsGo } from '../testing/printf.ts';
import {
  OWNER,
  broken,
  bytes,
  colorMap,
  fault,
  holder,
  nilBytes,
  noPoint,
  owner,
  paint,
  red,
  to,
} from '../testing/values.ts';
import { Time } from '../time/time.ts';
import { structType } from '../value/type.ts';
import { TIME } from '../time/types.ts';
const noon = Time.unix(1709208000, 500);
const box = new Struct(structType('main.Box', [{ name: 'in', type: paint.type }]), [paint]);
const DIARY = structType('main.Diary', [{ name: 'at', type: TIME }]);

describe('lists and maps, as Go prints them', () => {
  testPrintfAsGo([
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
    ['%#w|%#w', [nilBytes, bytes('h')], '[]uint8(nil)|[]uint8{%!w(uint8=0x68)}'],
  ]);
});

describe('structs and pointers, as Go prints them', () => {
  testPrintfAsGo([
    ['%v|%v', [list([noPoint]), to(list([1n]))], '[<nil>]|&[1]'],
    ['%#v|%+v', to(dict([['a', 1n]])), '&map[string]interface {}{"a":1}|&map[a:1]'],
    [
      '%v|%+v|%s|%d|%#v|%p|%x|%8v|%T',
      noPoint,
      '<nil>|<nil>|%!s(*main.Point=<nil>)|0|(*main.Point)(nil)|0x0|0|   <nil>|*main.Point',
    ],
    [
      '%v|%+v|%#v|%s|%d',
      holder,
      '{<nil> <nil> <nil> map[] [] <nil>}|{F:<nil> E:<nil> A:<nil> M:map[] L:[] P:<nil>}|main.Holder{F:(func())(nil), E:error(nil), A:interface {}(nil), M:map[string]int(nil), L:[]int(nil), P:(*main.Point)(nil)}|{%!s(func()=<nil>) <nil> <nil> map[] [] %!s(*main.Point=<nil>)}|{0 <nil> <nil> map[] [] 0}',
    ],
  ]);
});

describe('methods, as Go calls them', () => {
  testPrintfAsGo([
    ['%v|%s|%q|%x|%X|%d|%T', red, 'red|red|"red"|726564|726564|1|main.Color'],
    [
      '%v|%s|%d|%q',
      [list([red]), colorMap, list([red]), dict([['a', red]])],
      '[red]|map[red:%!s(int=2)]|[1]|map["a":"red"]',
    ],
    [
      '%v|%s|%+v|%d|%v',
      [paint, paint, paint, paint, to(paint)],
      '{red 1}|{red %!s(main.Color=1)}|{Color:red hidden:1}|{1 1}|&{red 1}',
    ],
    ['%v|%s|%d|%#v', fault, 'fault!|fault!|1|1'],
    [
      '%d|%6v|%v',
      [broken, broken, list([broken, 7n])],
      '1|%!v(PANIC=String method: out of order)|[%!v(PANIC=String method: out of order) 7]',
    ],
    [
      '%5d|%4v|%.2v',
      [list([broken, 7n]), list([broken, 7n, 'abc']), list(['abc', broken, 'abc'])],
      '[    1     7]|[%!v(PANIC=String method: out of order) 7 abc]|[ab %!v(PANIC=String method: out of order) ]',
    ],
    ['%v|%v|%s', [owner, to(owner), nilPointer(OWNER)], '{1}|owner 1|<nil>'],
    [
      '%v|%v',
      [list([noon]), new Struct(DIARY, [noon])],
      '[2024-02-29 12:00:00.0000005 +0000 UTC]|{{500 63844804800 <nil>}}',
    ],
    ['%t', [list([to(paint)])], '[%!t(*main.Paint=&{1 1})]'],
    ['%v|%+v', box, '{{1 1}}|{in:{Color:1 hidden:1}}'],
  ]);
});
