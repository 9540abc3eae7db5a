import { describe } from 'vitest';
import { testPrintfAsGo } from '../testing/printf.ts';

describe('strings, as Go prints them', () => {
  testPrintfAsGo([
    ['[%.1s]', ['😀x'], '[😀]'],
    ['[%#X]', ['xyz'], '[0X78797A]'],
    ['[%# X]', ['xyz'], '[0X78 0X79 0X7A]'],
  ]);
});
