import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesAround } from './lines-around.ts';

test('a place is marked below its line, between two lines before and after', () => {
  const text = ['1', '2', '3', '\t{"a" "b"}', '5', '6', '7'].join('\n');
  expect(linesAround(text, { line: 4, column: 7 })).toBe(
    ['  2 | 2', '  3 | 3', '  4 |  {"a" "b"}', '    |       ^', '  5 | 5', '  6 | 6', ''].join('\n'),
  );
});

test('a place at the end of a text without lines is marked, too', () => {
  expect(linesAround('', { line: 1, column: 1 })).toBe('  1 |\n    | ^\n');
});

test('of a long line only the part around the place is shown', () => {
  const text = `${'a'.repeat(5_000)}!${'b'.repeat(5_000)}`;
  const [shown = '', mark = ''] = linesAround(text, { line: 1, column: 5_001 }).split('\n');
  expect(shown).toBe(`  1 | ${'a'.repeat(50)}!${'b'.repeat(49)}`);
  expect(mark.indexOf('^')).toBe(shown.indexOf('!'));
});

test('the mark is below the character of any place of any text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme-ascii' })), fc.nat(), fc.nat(), (lines, row, at) => {
      const text = [...lines, 'end'].map((each) => `${each}!`);
      const line = (row % text.length) + 1;
      const column = (at % (text[line - 1] ?? '').length) + 1;
      const shown = linesAround(text.join('\n'), { line, column }).split('\n');
      const mark = shown.findIndex((each) => /^ *\| *\^$/.test(each));
      expect(shown[mark - 1]).toMatch(new RegExp(`^ *${line} \\|`));
      const [wanted = ''] = (text[line - 1] ?? '').slice(column - 1);
      expect((shown[mark - 1] ?? '')[shown[mark]?.indexOf('^') ?? -1] ?? ' ').toBe(wanted);
    }),
  );
});
