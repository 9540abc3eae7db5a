import { describe, expect, it } from 'vitest';
import { type Value } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { sprintf } from './printf.ts';

type Row = [format: string, operands: Value[], text: string];

describe('strings, as Go prints them', () => {
  it.each<Row>([
    ['%s', ['hi'], 'hi'],
    ['%v|%s|%q|%x|%X', ['hé', 'hé', 'hé', 'hé', 'hé'], 'hé|hé|"hé"|68c3a9|68C3A9'],
    ['[%6s]', ['héé'], '[   héé]'],
    ['[%-6s]', ['héé'], '[héé   ]'],
    ['[%06s]', ['héé'], '[000héé]'],
    ['[%-06s]', ['héé'], '[héé   ]'],
    ['[%.2s]', ['日本語'], '[日本]'],
    ['[%5.1s]', ['日本語'], '[    日]'],
    ['[%.0s]', ['abc'], '[]'],
    ['[%.1s]', ['😀x'], '[😀]'],
    ['[%q]', ['a"b\\c\n\x00é\u200b😀'], '["a\\"b\\\\c\\n\\x00é\\u200b😀"]'],
    ['[%+q]', ['é😀\u200b'], '["\\u00e9\\U0001f600\\u200b"]'],
    ['[%#q]', ['back'], '[`back`]'],
    ['[%#q]', ['b`ck'], '["b`ck"]'],
    ['[%#q]', ['tab\there'], '[`tab\there`]'],
    ['[%#q]', ['line\nhere'], '["line\\nhere"]'],
    ['[%#+q]', ['é\n'], '["\\u00e9\\n"]'],
    ['[%8q]', ['é'], '[     "é"]'],
    ['[%-8q]', ['é'], '["é"     ]'],
    ['[%.1q]', ['éa'], '["é"]'],
    ['[%q]', ['a\udc80b'], '["a\\x80b"]'],
    ['[%x]', ['a\udc80'], '[6180]'],
    ['[% x]', ['abc'], '[61 62 63]'],
    ['[%# x]', ['abc'], '[0x61 0x62 0x63]'],
    ['[%#X]', ['xyz'], '[0X78797A]'],
    ['[%# X]', ['xyz'], '[0X78 0X79 0X7A]'],
    ['[%.2x]', ['abc'], '[6162]'],
    ['[%10x]', ['abc'], '[    616263]'],
    ['[%-10x]', ['abc'], '[616263    ]'],
    ['[%010x]', ['abc'], '[0000616263]'],
    ['[%5x]', [''], '[     ]'],
    ['[%#x]', [''], '[]'],
    ['[%.1s|%.2q]', ['\udce6\udc97x', '\udce6\udc97x'], '[\udce6|"\\xe6\\x97"]'],
    ['[%4s]', ['\udce6\udc97'], '[  \udce6\udc97]'],
    ['[%s%s]', ['\udce6\udc97', '\udca5'], '[日]'],
    ['[%#v]', ['a"b'], '["a\\"b"]'],
    ['[%6v|%-6v|%.1v]', ['ab', 'ab', 'ab'], '[    ab|ab    |a]'],
    ['%d|%t|%f', ['a', 'b', 'c'], '%!d(string=a)|%!t(string=b)|%!f(string=c)'],
    ['[%5d]', ['a'], '[%!d(string=    a)]'],
  ])('%j of %#', (format, operands, text) => {
    expect(sprintf(contextOf(), format, operands)).toBe(text);
  });
});
