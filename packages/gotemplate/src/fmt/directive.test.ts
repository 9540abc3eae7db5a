import { describe } from 'vitest';
import { list } from '../value/value.ts';
import { testPrintfAsGo } from '../testing/printf.ts';

describe('directives, as Go parses them', () => {
  testPrintfAsGo([
    ['%.', [1n], '%!.(int=1)'],
    ['%5.', [1n], '%!.(int=    1)'],
    ['%[2d', [1n, 2n], '%!d(BADINDEX)'],
    ['%[]', [1n], '%!](BADINDEX)'],
    ['%[', [1n], '%!(NOVERB)'],
    ['%[3]*.[2]*[1]f', [12, 2n, 6n], ' 12.00'],
    ['%6.[2]*[1]f|%.[2]*[1]f', [12.5, 1n], '  12.5|12.5'],
    ['%[1]2d|%[1].2d', [1n, 2n], '%!d(BADINDEX)|%!d(BADINDEX)'],
    ['%[5]% %[x]%', [1n], '% %'],
    ['%999999999d', [1n], '%!(NOVERB)%!(EXTRA int=1)'],
    ['%.999999999d', [1n], '%!(NOVERB)%!(EXTRA int=1)'],
    ['%w|%w', [list([1n, 'a']), 'x'], '%!w([]interface {}=[1 a])|%!w(string=x)'],
    ['%-+# 0d', [5n], '+5'],
  ]);
});
