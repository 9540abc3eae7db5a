import { describe } from 'vitest';
import { INT64 } from '../value/type.ts';
import { Typed, dict, list } from '../value/value.ts';
import { testPrintfAsGo } from '../testing/printf.ts';
import { u64 } from '../testing/values.ts';

describe('directives, as Go parses them', () => {
  testPrintfAsGo([
    ['100%%', [], '100%'],
    ['%%', [1n], '%%!(EXTRA int=1)'],
    ['%5%', [], '%'],
    ['%+% %-5%', [], '% %'],
    ['%', [1n], '%!(NOVERB)%!(EXTRA int=1)'],
    ['%!', [], '%!!(MISSING)'],
    ['%!', [1n], '%!!(int=1)'],
    ['%z %é %日', [1n, 2n, 3n], '%!z(int=1) %!é(int=2) %!日(int=3)'],
    ['%.', [1n], '%!.(int=1)'],
    ['%5', [1n], '%!(NOVERB)%!(EXTRA int=1)'],
    ['%5.', [1n], '%!.(int=    1)'],
    ['%d %d', [1n], '1 %!d(MISSING)'],
    ['%d', [1n, 'a', null, 2.5], '1%!(EXTRA string=a, <nil>, float64=2.5)'],
    ['no verb', [1n, 2n], 'no verb%!(EXTRA int=1, int=2)'],
    ['%[2]d %[1]d', [1n, 2n], '2 1'],
    ['%[2]d %d', [1n, 2n], '2 %!d(MISSING)'],
    ['%[1]d %d %[1]q', [65n, 66n], "65 66 'A'"],
    ['%[3]d', [1n, 2n], '%!d(BADINDEX)'],
    [
      '%[0]d|%[-1]d|%[x]d|%[]d|%[1]]d',
      [1n, 2n],
      '%!d(BADINDEX)|%!d(BADINDEX)|%!d(BADINDEX)|%!d(BADINDEX)|%!](int=1)d',
    ],
    ['%[2d', [1n, 2n], '%!d(BADINDEX)'],
    ['%[]', [1n], '%!](BADINDEX)'],
    ['%[', [1n], '%!(NOVERB)'],
    ['%[3]*.[2]*[1]f', [12, 2n, 6n], ' 12.00'],
    ['%[2]*[1]d', [7n, 5n], '    7'],
    ['%6.[2]*[1]f|%.[2]*[1]f', [12.5, 1n], '  12.5|12.5'],
    ['%[1]2d|%[1].2d', [1n, 2n], '%!d(BADINDEX)|%!d(BADINDEX)'],
    ['%[5]% %[x]%', [1n], '% %'],
    ['%*d|%-*d|%0*d', [5n, 42n, 5n, 42n, 5n, 42n], '   42|42   |00042'],
    ['%*d|%0*d', [-5n, 42n, -5n, 42n], '42   |42   '],
    ['%*d', ['x', 42n], '%!(BADWIDTH)42'],
    ['%*d', [10000001n, 42n], '%!(BADWIDTH)42'],
    ['%*d', [2, 42n], '%!(BADWIDTH)42'],
    ['%*d', [new Typed(INT64, 4n), 42n], '  42'],
    ['%*d', [u64, 42n], '%!(BADWIDTH)42'],
    ['%*', [3n], '%!(NOVERB)'],
    ['%.*f|%.*f', [2n, 3.14159, -1n, 3.14159], '3.14|%!(BADPREC)3.141590'],
    ['%.*d', ['x', 42n], '%!(BADPREC)42'],
    ['%*.*f', [8n, 2n, 3.14159], '    3.14'],
    ['%*.*f', [8n], '%!(BADPREC)%!f(MISSING)'],
    ['%999999999d', [1n], '%!(NOVERB)%!(EXTRA int=1)'],
    ['%.999999999d', [1n], '%!(NOVERB)%!(EXTRA int=1)'],
    ['%[999999999]d', [1n], '%!d(BADINDEX)'],
    ['%w', [1n], '%!w(int=1)'],
    ['%w|%w', [list([1n, 'a']), 'x'], '%!w([]interface {}=[1 a])|%!w(string=x)'],
    ['%-+# 0d', [5n], '+5'],
    ['%+ d', [5n], '+5'],
  ]);
});

describe('no value, booleans and types, as Go prints them', () => {
  testPrintfAsGo([
    [
      '[%t|%v|%6t|%-6t|%06t|%d|%s]',
      [true, false, true, true, true, true, false],
      '[true|false|  true|true  |00true|%!d(bool=true)|%!s(bool=false)]',
    ],
    [
      '[%v|%s|%d|%T|%5v|%-7v|%q|%p|%t|%+v|%#v]',
      [null, undefined, null, null, null, null, null, null, null, null, null],
      '[<nil>|%!s(<nil>)|%!d(<nil>)|<nil>|<nil>|<nil>  |%!q(<nil>)|%!p(<nil>)|%!t(<nil>)|<nil>|<nil>]',
    ],
    [
      '[%T|%T|%T|%T|%T|%T|%8T|%-8T|%.2T]',
      [1n, 'a', 1.5, true, list([]), dict(), 1n, 1n, 'a'],
      '[int|string|float64|bool|[]interface {}|map[string]interface {}|     int|int     |st]',
    ],
  ]);
});
