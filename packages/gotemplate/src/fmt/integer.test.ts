import { describe, expect, it } from 'vitest';
import { INT32, UINT8 } from '../value/type.ts';
import { type Value, Typed } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { i32, u64, u8 } from '../testing/values.ts';
import { sprintf } from './printf.ts';

type Row = [format: string, operands: Value[], text: string];

describe('integers, as Go prints them', () => {
  it.each<Row>([
    ['%d|%v|%s', [42n, 42n, 42n], '42|42|%!s(int=42)'],
    ['[%5d|%-5d|%05d|%+d|% d]', [42n, 42n, 42n, 42n, 42n], '[   42|42   |00042|+42| 42]'],
    ['[%5d|%-5d|%05d|%+d|% d]', [-42n, -42n, -42n, -42n, -42n], '[  -42|-42  |-0042|-42|-42]'],
    ['[%+05d|% 05d|%-05d|%+-5d]', [42n, 42n, 42n, 42n], '[+0042| 0042|42   |+42  ]'],
    ['[%.5d|%8.5d|%-8.5d|%08.5d]', [42n, 42n, 42n, 42n], '[00042|   00042|00042   |   00042]'],
    ['[%.0d|%.d|%5.0d|%05.0d|%.0d]', [0n, 0n, 0n, 0n, 1n], '[||     |     |1]'],
    ['[%b|%o|%O|%x|%X]', [42n, 42n, 42n, 42n, 42n], '[101010|52|0o52|2a|2A]'],
    ['[%#b|%#o|%#O|%#x|%#X]', [42n, 42n, 42n, 42n, 42n], '[0b101010|052|0o052|0x2a|0X2A]'],
    ['[%#b|%#o|%#O|%#x|%#X]', [0n, 0n, 0n, 0n, 0n], '[0b0|0|0o0|0x0|0X0]'],
    ['[%#x|%#o|%+x|% X]', [-42n, -42n, 42n, 42n], '[-0x2a|-052|+2a| 2A]'],
    [
      '[%08x|%#08x|%#8x|%#.4x|%#.4o]',
      [42n, 42n, 42n, 42n, 42n],
      '[0000002a|0x0000002a|    0x2a|0x002a|0052]',
    ],
    ['[%08b|%-08b]', [5n, 5n], '[00000101|101     ]'],
    ['[%c|%c|%c|%c]', [65n, 0x1f600n, 0xd800n, -1n], '[A|😀|�|�]'],
    ['[%5c|%-5c|%05c]', [65n, 65n, 65n], '[    A|A    |0000A]'],
    ['[%q|%q|%q|%q|%q]', [65n, 10n, 39n, 0x200bn, 0x110000n], "['A'|'\\n'|'\\''|'\\u200b'|'�']"],
    ['[%+q|%#q|%6q]', [0xe9n, 0xe9n, 0xe9n], "['\\u00e9'|'é'|   'é']"],
    [
      '[%U|%#U|%#U|%#U|%U]',
      [65n, 65n, 0x1f600n, 0x200bn, -1n],
      "[U+0041|U+0041 'A'|U+1F600 '😀'|U+200B|U+FFFFFFFFFFFFFFFF]",
    ],
    [
      '[%12U|%-12U|%012U|%.6U|%#.6U]',
      [65n, 65n, 65n, 65n, 65n],
      "[      U+0041|U+0041      |      U+0041|U+000041|U+000041 'A']",
    ],
    ['[%t|%f|%e|%g]', [1n, 1n, 1n, 1n], '[%!t(int=1)|%!f(int=1)|%!e(int=1)|%!g(int=1)]'],
    ['[%d|%x]', [-(2n ** 63n), -(2n ** 63n)], '[-9223372036854775808|-8000000000000000]'],
    [
      '[%d|%v|%#v|%x]',
      [u64, u64, u64, u64],
      '[18446744073709551615|18446744073709551615|0xffffffffffffffff|ffffffffffffffff]',
    ],
    ['[%T|%d|%#v]', [i32, i32, i32], '[int32|7|7]'],
    ['[%T|%d|%#v]', [u8, u8, u8], '[uint8|7|0x7]'],
    ['[%U|%c|%q]', [new Typed(INT32, 65n), new Typed(UINT8, 65n), u64], "[U+0041|A|'�']"],
    ['[%+v|%#v|%5v|%05v|%.3v]', [42n, 42n, 42n, 42n, 42n], '[42|42|   42|00042|042]'],
  ])('%j of %#', (format, operands, text) => {
    expect(sprintf(contextOf(), format, operands)).toBe(text);
  });
});
