import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isAssigned, withoutUnassigned } from './assigned.ts';
import { runeToLower, runeToTitle, runeToUpper, toLower, toUpper } from './case.ts';
import { isDigit, isLetter, isLower, isNumber, isPunct, isSpace, isTitle, isUpper } from './category.ts';

const RUNES: readonly number[] = Array.from({ length: 0x110000 }, (_, rune) => rune).filter(
  (rune) => rune < 0xd800 || rune > 0xdfff,
);

/** The number of code points, and a digest of them. */
function summary(count: number, text: string): string {
  return `${count} ${createHash('sha256').update(text).digest('hex')}`.slice(0, 24);
}

describe('each code point has the category of Go 1.26', () => {
  test.each([
    ['assigned', (rune: number) => isAssigned(String.fromCodePoint(rune)), '286719 19d88fe9972eade4e'],
    ['isUpper', isUpper, '1831 21bde395bf84ff200c0'],
    ['isLower', isLower, '2233 206b92b0f2f372d56a9'],
    ['isTitle', isTitle, '31 59f651132105f7d6d4983'],
    ['isLetter', isLetter, '136104 26097091ad7b6d795'],
    ['isDigit', isDigit, '680 850fe467e0e9cb559500'],
    ['isNumber', isNumber, '1831 6f3c1c4840acccacac0'],
    ['isPunct', isPunct, '842 794137157c5f398be4c6'],
    [
      'isSpace',
      (rune: number) => rune < 0x10000 && isSpace(String.fromCharCode(rune)),
      '25 fbbbce4e4bea880669e12',
    ],
  ])('%s', (_, is, expected) => {
    const bits = RUNES.map((rune) => (is(rune) ? '1' : '0'));
    expect(summary(bits.filter((bit) => bit === '1').length, bits.join(''))).toBe(expected);
  });
});

describe('each code point has the case mapping of Go 1.26', () => {
  test.each([
    ['upper', runeToUpper, '1450 e53032f7945c39d39df'],
    ['lower', runeToLower, '1433 137590953b837f1ec8b'],
    ['title', runeToTitle, '1404 cad4b1d6fba688c21b9'],
  ])('%s', (_, map, expected) => {
    const mapped = RUNES.map(map);
    const count = mapped.filter((rune, i) => rune !== RUNES[i]).length;
    expect(summary(count, mapped.map((rune) => String.fromCodePoint(rune)).join(''))).toBe(expected);
  });
});

test('texts are mapped character by character, as Go does it', () => {
  expect(toUpper('straße ŉ ﬁ aé\udcc3')).toBe('STRAßE ŉ ﬁ AÉ\ufffd');
  expect(toLower('ΑΣ İI AÉ\udcc3')).toBe('ασ ii aé\ufffd');
});

test('unassigned characters are replaced by ones that are never assigned', () => {
  expect(withoutUnassigned('a\u0378é\u{1fae9}😀')).toBe('a\ufdd0é\u{1fffe}😀');
});
