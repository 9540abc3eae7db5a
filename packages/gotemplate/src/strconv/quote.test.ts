import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BudgetError } from '../errors.ts';
import { budgetOf } from '../testing/context.ts';
import { canBackquote, isPrint, quote, quoteRune, quoteRuneToASCII, quoteToASCII } from './quote.ts';
import { unquote } from './unquote.ts';

describe('quote and quoteToASCII, as Go quotes', () => {
  it.each([
    ['\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\u0080\u00a0\u00ad', '"\\u0080\\u00a0\\u00ad"', '"\\u0080\\u00a0\\u00ad"'],
    ['\udc80a\udcff', '"\\x80a\\xff"', '"\\x80a\\xff"'],
    ['\udce6\udc97', '"\\xe6\\x97"', '"\\xe6\\x97"'],
  ])('%j', (text, quoted, ascii) => {
    expect(quote(text)).toBe(quoted);
    expect(quoteToASCII(text)).toBe(ascii);
  });

  it('unquotes to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        expect(unquote(quote(text))).toBe(text);
        expect(unquote(quoteToASCII(text))).toBe(text);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('does not split a character of a long text', () => {
    const text = '\n' + '\u{1fae9}'.repeat(5000);
    expect(quote(text)).toBe(`"\\n${'\\U0001fae9'.repeat(5000)}"`);
  });

  it('charges the budget while it works', () => {
    const budget = budgetOf({ memory: 10_000 });
    expect(() => quote('\n'.repeat(1_000_000), budget)).toThrow(BudgetError);
  });
});

describe('quoteRune and quoteRuneToASCII, as Go quotes', () => {
  it.each([
    [0x5c, "'\\\\'", "'\\\\'"],
    [0x0, "'\\x00'", "'\\x00'"],
    [0x7f, "'\\x7f'", "'\\x7f'"],
    [0xd800, "'�'", "'\\ufffd'"],
    [0x10ffff, "'\\U0010ffff'", "'\\U0010ffff'"],
    [0x110000, "'�'", "'\\ufffd'"],
    [-1, "'�'", "'\\ufffd'"],
  ])('%d', (rune, quoted, ascii) => {
    expect(quoteRune(rune)).toBe(quoted);
    expect(quoteRuneToASCII(rune)).toBe(ascii);
  });
});

describe('canBackquote, as Go answers', () => {
  it.each([
    ['a`b', false],
    ['a\nb', false],
    ['\x7f', false],
  ])('%j', (text, can) => {
    expect(canBackquote(text)).toBe(can);
  });
});

describe('isPrint', () => {
  it('agrees with Go for all code points', () => {
    const bits = new Uint8Array(0x110000 / 8);
    for (let rune = 0; rune < 0x110000; rune++)
      if (isPrint(rune)) bits[rune >> 3] = (bits[rune >> 3] ?? 0) | (1 << (rune & 7));
    expect(createHash('sha256').update(bits).digest('hex')).toBe(
      'dbe4beecc0027b38c16c32d304958e611e27baa40412efea4cf616346eb631a2',
    );
  });

  it('is false above the last code point', () => {
    expect([-1, 0x110000].map(isPrint)).toEqual([false, false]);
  });

  it('is true for characters that quote does not escape', () => {
    const differing: number[] = [];
    for (let rune = 0xa0; rune < 0x110000; rune++) {
      if (rune === 0xd800) rune = 0xe000;
      const character = String.fromCodePoint(rune);
      if ((quote(character) === `"${character}"`) !== isPrint(rune)) differing.push(rune);
    }
    expect(differing).toEqual([]);
  });
});
