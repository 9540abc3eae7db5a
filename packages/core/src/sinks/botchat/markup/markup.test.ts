import { judgeText, parseMarkup, tidyText, type Formatted } from '@hnotif/judges/telegram';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../testing/runs.ts';
import { cutFormatted } from './cut.ts';
import { PARSE_MODES, PRINT, type ParseMode } from './markup.ts';
import { someMarkup } from './testing/arbitrary.ts';

const SEED = 7;

/** A text as Telegram stores it; undefined if it is refused. */
function read(text: string, mode: ParseMode, upTo?: number): Formatted | undefined {
  const parsed = parseMarkup({ text, parse_mode: mode }, upTo);
  return parsed.ok ? tidyText(parsed) : undefined;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How each visible character is shown. */
function looks({ text, entities }: Formatted): string[] {
  const units = text.split('');
  return units.map((unit, at) => {
    const around = entities.filter(({ offset, length }) => offset <= at && at < offset + length);
    const marks = around.map(({ offset: _o, length: _l, ...mark }) => JSON.stringify(mark)).toSorted();
    return /\s/.test(unit) ? unit : `${unit} ${marks.join(' ')}`;
  });
}

test('printed text looks the same', () => {
  let valid = 0;
  fc.assert(
    fc.property(someMarkup, ({ text, mode }) => {
      const tidy = read(text, mode);
      if (tidy === undefined || tidy.text.length > 300) return;
      valid++;
      const again = read(PRINT[mode](tidy), mode);
      expect(again && looks(again)).toEqual(looks(tidy));
    }),
    { seed: SEED, numRuns: runs(1000) },
  );
  expect(valid).toBeGreaterThan(100);
});

test('a cut text is within the limit, is accepted, and says how much is missing', () => {
  fc.assert(
    fc.property(someMarkup, fc.integer({ min: 40, max: 80 }), ({ text, mode }, limit) => {
      const tidy = read(text, mode);
      if (tidy === undefined) return;
      const cut = cutFormatted(tidy, limit);
      if (tidy.text.length <= limit) {
        expect(cut).toBe(tidy);
        return;
      }
      expect(cut.text.length).toBeLessThanOrEqual(limit);
      expect(judgeText({ text: PRINT[mode](cut), parse_mode: mode }).kind).toBe('accepted');
      const [, kept = '', left] = /^([^]*?)\n?… \((\d+) more characters\)$/.exec(cut.text) ?? [];
      const end = tidy.text.length - Number(left);
      expect(tidy.text.startsWith(kept)).toBe(true);
      // Line breaks at the end of a quote are the one that ends it.
      expect(tidy.text.slice(kept.length, end)).toMatch(/^\n{0,2}$/);
      expect(end === 0 || graphemes.segment(tidy.text).containing(end)?.index).toBe(end || true);
      for (const { type, offset, length } of tidy.entities)
        if (type === 'custom_emoji' || type === 'date_time')
          expect(offset < end && end < offset + length).toBe(false);
    }),
    { seed: SEED, numRuns: runs(1000) },
  );
});

test('any beginning of a text can be sent', () => {
  fc.assert(
    fc.property(someMarkup, fc.integer({ min: 0, max: 400 }), ({ text, mode }, upTo) => {
      const whole = parseMarkup({ text, parse_mode: mode });
      const beginning = read(text, mode, upTo);
      if (!whole.ok || beginning === undefined) return;
      expect(tidyText(whole).text.startsWith(beginning.text.replace(/\u200c*[\u200e\u200f]?$/, ''))).toBe(
        true,
      );
      const cut = cutFormatted(beginning, 4096, text.length > upTo);
      if (text.length > upTo)
        expect(judgeText({ text: PRINT[mode](cut), parse_mode: mode }).kind).toBe('accepted');
      else expect(beginning).toEqual(tidyText(whole));
    }),
    { seed: SEED, numRuns: runs(1000) },
  );
});

/** A text whose entities are printed as the user wrote them. */
test.each<[ParseMode, string]>([
  ['HTML', 'a &lt;b&gt; &amp; &quot;c&quot;'],
  ['HTML', '<b>a</b><i>b</i><u>c</u><s>d</s><tg-spoiler>e</tg-spoiler>'],
  ['HTML', '<a href="https://x.org/?a=1&amp;b=%22">a</a><a href="tg://user?id=42">b</a>'],
  ['HTML', '<code>&lt;a&gt;</code><pre>a\nb</pre><pre><code class="language-go">a</code></pre>'],
  ['HTML', '<blockquote>a<b>b</b></blockquote><blockquote expandable>c</blockquote>'],
  ['HTML', '<tg-emoji emoji-id="5368">👍</tg-emoji><tg-time unix="1647531900" format="wDT">then</tg-time>'],
  ['MarkdownV2', '\\_\\*\\[\\]\\(\\)\\~\\`\\>\\#\\+\\-\\=\\|\\{\\}\\.\\!\\\\é'],
  ['MarkdownV2', '*b*_i_~s~||p||'],
  ['MarkdownV2', '_a_**__b__'],
  ['MarkdownV2', '[a *b*](https://x.org/\\)?y=\\\\)[b](tg://user?id=42)'],
  ['MarkdownV2', '![👍](tg://emoji?id=5368)![then](tg://time?unix=1647531900&format=wDT)'],
  ['MarkdownV2', '`a*b_\\`\\\\c``d````\n\na`` `b```'.replace('`` `b', 'b')],
  ['MarkdownV2', '```go\nx := 1\n``````g\fo\n x```'],
  ['MarkdownV2', 'a\n>b\n>c'],
  ['MarkdownV2', '>a\n>b||\nc'],
  ['MarkdownV2', '>a\n**>b\n'],
  ['MarkdownV2', '>||a||\nb'],
  ['MarkdownV2', '>`a\nb`\nc'],
])('%s: %s is printed as it was written', (mode, text) => {
  const tidy = read(text, mode);
  expect(tidy && PRINT[mode](tidy)).toBe(text);
});

// A reader without linear time would take hours for these.
test.each(PARSE_MODES)('%s: long texts of one piece take no long time', (mode) => {
  const pieces = [
    ...['<', '<b', '<b>', '</b>', '<a href="', "<a href='", '<a x=', '<a ', '&', '&#', '<pre><code class="'],
    ...[
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
    ],
    ...['\\', '>', '\n', '**>', '||\n', '>||', '_*', '*_'],
  ];
  for (const piece of pieces) {
    const text = piece.repeat(65_536 / piece.length);
    const tidy = read(text, mode, 32_768);
    if (tidy !== undefined) expect(PRINT[mode](cutFormatted(tidy, 4096, true))).toContain('…');
    expect(read(`<b>*${text}`, mode)).toBeUndefined();
  }
});

const cutHtml = (text: string): string =>
  PRINT.HTML(cutFormatted(read(text, 'HTML') ?? { text: '', entities: [] }, 60));

test('the last grapheme is whole', () => {
  const family = '👨‍👩‍👧';
  expect(cutHtml(`<b>${family.repeat(20)}</b>`)).toBe(`<b>${family.repeat(4)}</b>… (128 more characters)`);
});

test('an accent is removed with its letter, even if it is in another element', () => {
  expect(cutHtml(`${'a'.repeat(36)}e<b>\u0301${'b'.repeat(60)}</b>`)).toBe(
    `${'a'.repeat(36)}… (62 more characters)`,
  );
});

test('a custom emoji is removed, never cut', () => {
  expect(cutHtml(`${'a'.repeat(35)}<tg-emoji emoji-id="5">👍👍</tg-emoji>${'b'.repeat(60)}`)).toBe(
    `${'a'.repeat(35)}… (64 more characters)`,
  );
});

test('a quote that is cut after a line break gets no empty line', () => {
  const tidy = read(`>${'a'.repeat(35)}\n>${'b'.repeat(64)}`, 'MarkdownV2') ?? { text: '', entities: [] };
  expect(PRINT.MarkdownV2(cutFormatted(tidy, 60))).toBe(`>${'a'.repeat(35)}\n… \\(64 more characters\\)`);
});
