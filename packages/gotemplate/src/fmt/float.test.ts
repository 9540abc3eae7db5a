import { describe } from 'vitest';
import { testPrintfAsGo } from '../testing/printf.ts';
import { f32 } from '../testing/values.ts';

describe('floating-point and complex numbers, as Go prints them', () => {
  testPrintfAsGo([
    ['[%v|%b|%x]', [f32(420246.625), f32(1.5), f32(0.1)], '[420246.62|12582912p-23|0x1.99999ap-04]'],
    ['[%#g|%#.3g|%#g]', [0, 0, 0.0001], '[0.00000|0.00|0.000100000]'],
    [
      '[%b|%x|%X|%.2x|%#x|%#.3x|%x]',
      [1.5, 1.5, 1.5, 1.999, 1, 1.5, 0],
      '[6755399441055744p-52|0x1.8p+00|0X1.8P+00|0x1.00p+01|0x1.0000p+00|0x1.800p+00|0x0p+00]',
    ],
    [
      '[%5v|%05v|%+v|% v|%-6v|%06f]',
      [Infinity, Infinity, Infinity, Infinity, -Infinity, -Infinity],
      '[ +Inf| +Inf|+Inf| Inf|-Inf  |  -Inf]',
    ],
    ['[%5v|%05v|%+v|% v|%+f|%#v]', NaN, '[  NaN|  NaN|NaN| NaN|+NaN|NaN]'],
  ]);
});
