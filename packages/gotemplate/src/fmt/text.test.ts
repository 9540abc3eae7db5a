import { describe } from 'vitest';
import { testPrintfAsGo } from '../testing/printf.ts';

describe('strings, as Go prints them', () => {
  testPrintfAsGo([
    ['[%6s]', ['héé'], '[   héé]'],
    ['[%06s]', ['héé'], '[000héé]'],
    ['[%-06s]', ['héé'], '[héé   ]'],
    ['[%.1s]', ['😀x'], '[😀]'],
    ['[%q]', ['a"b\\c\n\x00é\u200b😀'], '["a\\"b\\\\c\\n\\x00é\\u200b😀"]'],
    ['[%#q]', ['back'], '[`back`]'],
    ['[%#q]', ['b`ck'], '["b`ck"]'],
    ['[%#q]', ['tab\there'], '[`tab\there`]'],
    ['[%#q]', ['line\nhere'], '["line\\nhere"]'],
    ['[%#+q]', ['é\n'], '["\\u00e9\\n"]'],
    ['[%8q]', ['é'], '[     "é"]'],
    ['[%-8q]', ['é'], '["é"     ]'],
    ['[%q]', ['a\udc80b'], '["a\\x80b"]'],
    ['[%x]', ['a\udc80'], '[6180]'],
    ['[%#X]', ['xyz'], '[0X78797A]'],
    ['[%# X]', ['xyz'], '[0X78 0X79 0X7A]'],
    ['[%.2x]', ['abc'], '[6162]'],
    ['[%5x]', [''], '[     ]'],
    ['[%.1s|%.2q]', '\udce6\udc97x', '[\udce6|"\\xe6\\x97"]'],
    ['[%4s]', ['\udce6\udc97'], '[  \udce6\udc97]'],
    ['[%s%s]', ['\udce6\udc97', '\udca5'], '[日]'],
    ['[%#v]', ['a"b'], '["a\\"b"]'],
    ['[%6v|%-6v|%.1v]', 'ab', '[    ab|ab    |a]'],
  ]);
});
