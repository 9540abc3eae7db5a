/** Random texts with Telegram's markup, for property tests. */
import fc from 'fast-check';
import { PARSE_MODES, type ParseMode } from '../markup.ts';

/** Markup of both languages, names that Telegram recognizes, graphemes of several units. */
const PIECES = [
  ...'_*[]()~`>#+-=|{}.!\\<>&"\'/@$\n ',
  ...['a', 'B7', 'é', 'e\u0301', '👍', '👨‍👩‍👧', '🇩🇪', '日本語', '\r', '\u0000', '\u202e', '\u200e\u200e'],
  ...['&lt;', '&#35;', '<b>', '</b>', '||', '__', '```', '\n>', '@ops', '#tag', '/start', 'https://x.org/z'],
];

export const someText = (most = 8): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: most }).map((pieces) => pieces.join(''));

/** Markup that may be broken. */
const SIGNS: Readonly<Record<ParseMode, readonly string[]>> = {
  HTML: [
    ...['<b>', '</b>', '<i>', '</i>', '<code>', '</code>', '<pre>', '</pre>', '<a href="https://e.org">'],
    ...['</a>', '<blockquote>', '<blockquote expandable>', '</blockquote>', '</>', '<br/>', '<x>', '<', '>'],
    ...['<pre><code class="language-go">', '</code></pre>', '&lt;', '&amp;', '&#34;', '&', '"'],
  ],
  MarkdownV2: [
    ...['*', '_', '__', '~', '||', '`', '```', '```go\n', '[', '](https://e.org)', '>', '**>', '\n>', '||\n'],
    ...['\\*', '\\_', '\\.', '\\', '\\\\', '.', '-', '!'],
  ],
};

/** Markup around a content. */
const PAIRS: Readonly<Record<ParseMode, readonly (readonly [before: string, after: string])[]>> = {
  HTML: [
    ['<b>', '</b>'],
    ['<i>', '</i>'],
    ['<u>', '</>'],
    ['<s>', '</s>'],
    ['<tg-spoiler>', '</tg-spoiler>'],
    ['<code>', '</code>'],
    ['<pre>', '</pre>'],
    ['<pre><code class="language-c++">', '</code></pre>'],
    ['<a href="https://e.org/?a=1&amp;b=2">', '</a>'],
    ['<a href="tg://user?id=42">', '</a>'],
    ['<blockquote>', '</blockquote>'],
    ['<blockquote expandable>', '</blockquote>'],
    ['<tg-emoji emoji-id="5368">', '</tg-emoji>'],
    ['<tg-time unix="7" format="wDT">', '</tg-time>'],
  ],
  MarkdownV2: [
    ['*', '*'],
    ['_', '_'],
    ['_', '_**'],
    ['__', '__'],
    ['~', '~'],
    ['||', '||'],
    ['`', '`'],
    ['```\n', '```'],
    ['```c++\n', '```'],
    ['[', '](https://e.org/\\)?a)'],
    ['[', '](tg://user?id=42)'],
    ['\n>', '\n'],
    ['\n>', '||\n'],
    ['\n**>', '\n**'],
    ['![', '](tg://emoji?id=5368)'],
    ['![', '](tg://time?unix=7&format=wDT)'],
  ],
};

/** Plain text, and what stands for it in a mode. */
const words = (mode: ParseMode): fc.Arbitrary<string> =>
  fc
    .tuple(someText(), fc.constantFrom(...Array.from({ length: 30 }, (_, at) => (at < 25 ? 1 : 10)), 1_000))
    .map(([text, times]) => text.repeat(times))
    .map((text) =>
      mode === 'HTML'
        ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
        : text.replaceAll(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&'),
    );

/** Any text in a mode, mostly with markup that is in order. Well-formed UTF-16. */
function markup(mode: ParseMode): fc.Arbitrary<string> {
  const { nested } = fc.letrec<{ nested: string }>((tie) => ({
    nested: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      words(mode),
      fc
        .tuple(fc.constantFrom(...PAIRS[mode]), fc.array(tie('nested'), { maxLength: 4 }))
        .map(([[before, after], inner]) => `${before}${inner.join('')}${after}`),
    ),
  }));
  const broken = fc.oneof(someText(), nested, fc.constantFrom(...SIGNS[mode]));
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.array(nested, { maxLength: 8 }) },
      { weight: 1, arbitrary: fc.array(broken, { maxLength: 12 }) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom(...SIGNS[mode], 'a', ' '), { maxLength: 40 }) },
    )
    .map((all) => all.join('').toWellFormed());
}

/** An output of a template, with its mode. */
export const someMarkup: fc.Arbitrary<{ readonly text: string; readonly mode: ParseMode }> = fc
  .constantFrom(...PARSE_MODES)
  .chain((mode) => markup(mode).map((text) => ({ text, mode })));
