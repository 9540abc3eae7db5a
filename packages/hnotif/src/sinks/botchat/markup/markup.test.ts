import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitNodes } from './fit.ts';
import { MARKUPS, PARSE_MODES } from './markup.ts';
import { textOf } from './node.ts';
import { someText, someTree } from './testing/arbitrary.ts';
import { runs } from '../../../testing/runs.ts';

const SEED = 7;

describe.each(PARSE_MODES)('%s', (mode) => {
  const { parse, print } = MARKUPS[mode];

  test('printed text parses to the same tree', () => {
    fc.assert(
      fc.property(someTree, (tree) => {
        expect(parse(print(tree))).toEqual(tree);
      }),
      { seed: SEED, numRuns: runs(300) },
    );
  });

  test('a cut text is within the limit, can be parsed, and says how much is missing', () => {
    fc.assert(
      fc.property(someTree, fc.integer({ min: 30, max: 60 }), (tree, limit) => {
        const text = textOf(tree);
        const cut = fitNodes(tree, limit);
        const shown = textOf(cut);
        expect(shown.length).toBeLessThanOrEqual(limit);
        expect(parse(print(cut))).toEqual(cut);
        if (text.length <= limit) expect(cut).toBe(tree);
        else {
          const [, kept = '', left] = /^([^]*?)\n?… \((\d+) more characters\)$/.exec(shown) ?? [];
          expect(text.startsWith(kept)).toBe(true);
          expect(text.length - Number(left)).toBeGreaterThanOrEqual(kept.length);
          expect(text.length - Number(left)).toBeLessThanOrEqual(kept.length + 1);
          expect(kept.isWellFormed()).toBe(true);
        }
      }),
      { seed: SEED, numRuns: runs(300) },
    );
  });

  test('any text is parsed or refused, and a parsed text can be printed', () => {
    fc.assert(
      fc.property(someText(20), (text) => {
        const tree = parse(text);
        if (tree !== undefined) expect(parse(print(tree))).toEqual(tree);
      }),
      { seed: SEED, numRuns: runs(600) },
    );
  });

  // A parser without linear time would take hours for these.
  test.each([
    '<',
    '<b',
    '<b>',
    '</b>',
    '<a href="',
    "<a href='",
    '<a x=',
    '<a ',
    '&',
    '&#',
    '<pre><code class="',
    '<blockquote>',
    ' ',
    '\n>',
    '*',
    '_',
    '__',
    '||',
    '|',
    '`',
    '```',
    '```a',
    '[',
    '![',
    '](',
    '[a](',
    '[a](\\',
    '\\',
    '>',
    '\n',
    '**>',
    '||\n',
    '>||',
    '_*',
    '*_',
  ])('two hundred thousand characters of %j take no long time', (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    const tree = parse(text);
    if (tree !== undefined) expect(textOf(fitNodes(tree, 4096)).length).toBeLessThanOrEqual(4096);
    expect(parse(`<b>*${text}`)).toBeUndefined();
  });
});

test('the last grapheme is whole', () => {
  const family = '👨‍👩‍👧';
  const tree = [{ kind: 'bold' as const, children: [{ kind: 'text' as const, text: family.repeat(20) }] }];
  expect(MARKUPS.HTML.print(fitNodes(tree, 60))).toBe(`<b>${family.repeat(4)}</b>… (128 more characters)`);
});

test('an accent is removed with its letter, even if it is in another element', () => {
  const tree = MARKUPS.HTML.parse(`${'a'.repeat(36)}e<b>\u0301${'b'.repeat(60)}</b>`) ?? [];
  expect(MARKUPS.HTML.print(fitNodes(tree, 60))).toBe(`${'a'.repeat(36)}… (62 more characters)`);
});

test('a custom emoji is removed, never cut', () => {
  const tree =
    MARKUPS.HTML.parse(`${'a'.repeat(35)}<tg-emoji emoji-id="5">👍👍</tg-emoji>${'b'.repeat(60)}`) ?? [];
  expect(MARKUPS.HTML.print(fitNodes(tree, 60))).toBe(`${'a'.repeat(35)}… (64 more characters)`);
});

test('a quote that is cut ends its line', () => {
  const tree = MARKUPS.MarkdownV2.parse(`>${'a'.repeat(99)}\n>b||\nc`) ?? [];
  expect(MARKUPS.MarkdownV2.print(fitNodes(tree, 60))).toBe(
    `>${'a'.repeat(36)}||\n… \\(67 more characters\\)`,
  );
});
