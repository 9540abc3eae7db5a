import { describe } from 'vitest';
import { testPrintfAsGo } from '../testing/printf.ts';

describe('integers, as Go prints them', () => {
  testPrintfAsGo([
    ['[%.0d|%.d|%5.0d|%05.0d|%.0d]', [0n, 0n, 0n, 0n, 1n], '[||     |     |1]'],
    ['[%#b|%#o|%#O|%#x|%#X]', 42n, '[0b101010|052|0o052|0x2a|0X2A]'],
    ['[%#b|%#o|%#O|%#x|%#X]', 0n, '[0b0|0|0o0|0x0|0X0]'],
    ['[%08x|%#08x|%#8x|%#.4x|%#.4o]', 42n, '[0000002a|0x0000002a|    0x2a|0x002a|0052]'],
    [
      '[%U|%#U|%#U|%#U|%U]',
      [65n, 65n, 0x1f600n, 0x200bn, -1n],
      "[U+0041|U+0041 'A'|U+1F600 '😀'|U+200B|U+FFFFFFFFFFFFFFFF]",
    ],
  ]);
});
