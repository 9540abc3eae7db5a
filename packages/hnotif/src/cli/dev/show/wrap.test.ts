import fc from 'fast-check';
import { styleText, stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { widthOf, wrapped } from './wrap.ts';

const red = (text: string): string => styleText('red', text, { validateStream: false });

it('a line that fits stays as it is', () => {
  expect(wrapped('  one two', 9, '> ')).toEqual(['  one two']);
});

it('a longer one is broken between words, and what goes on is indented', () => {
  expect(wrapped('12:00 one two three four', 14, '      ')).toEqual([
    '12:00 one two',
    '      three',
    '      four',
  ]);
});

it('a word that is longer than the line stays whole', () => {
  const url = 'https://wiki.example.com/runbooks/nights';
  expect(wrapped(`see ${url} now`, 20, '  ')).toEqual(['see', `  ${url}`, '  now']);
});

it('a colour ends at the break and goes on behind it', () => {
  expect(wrapped(`a ${red('bb cc dd')} e`, 7, '  ')).toEqual([
    'a \u001b[31mbb cc\u001b[0m',
    '  \u001b[31mdd\u001b[39m e',
  ]);
});

it('emoji are two columns wide, signs of one colour are one', () => {
  expect(['🌙', '⚠️', '✔', '│', '█', '漢', 'ä', red('x')].map(widthOf)).toEqual([2, 2, 1, 1, 1, 2, 1, 1]);
});

it('no word is lost, and no line of short words is too long', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc🌙é'), minLength: 1, maxLength: 8 });
  const piece = fc.oneof(word, word.map(red));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 20, max: 40 }), (pieces, columns) => {
      const line = pieces.join(' ');
      const lines = wrapped(line, columns, '  ');
      const words = (text: string): string[] => stripVTControlCharacters(text).split(/\s+/).filter(Boolean);
      expect(lines.flatMap(words)).toEqual(words(line));
      for (const each of lines) expect(widthOf(each)).toBeLessThanOrEqual(columns);
    }),
    { seed: 20260105 },
  );
});
