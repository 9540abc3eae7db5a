/** Random output of templates for botchat, and its checks. */
import { descriptionOf, readText } from '@hnotif/judges/telegram';
import fc from 'fast-check';
import { fitText } from '../../src/sinks/botchat/fit.ts';

const HTML = [
  ...['<b>', '</b>', '<i>', '</i>', '<u>', '</u>', '<s>', '</s>', '<code>', '</code>', '<pre>', '</pre>'],
  ...['<a href="https://e.test">', '</a>', '<blockquote>', '<blockquote expandable>', '</blockquote>'],
  ...['<tg-spoiler>', '</tg-spoiler>', '<pre><code class="language-go">', '</code></pre>', '<x>', '<', '>'],
  ...['&lt;', '&amp;', '&#34;', '&quot;', '&', '"'],
];
const MARKDOWN = [
  ...['*', '_', '__', '~', '||', '`', '```', '```go\n', '[', '](https://e.test)', '>', '**>', '\n>', '||\n'],
  ...['\\*', '\\_', '\\.', '\\', '\\\\', '.', '-', '!'],
];
const TEXT = [
  'word',
  ' ',
  '\n',
  'é',
  '日本語',
  '🌙',
  '👩‍👩‍👧‍👦',
  '@all',
  '/start',
  'https://e.test/x',
  '\u0000',
  '\u202e',
];

/** Correctly nested markup; otherwise each part is random. */
const pairs: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  HTML: [
    ['<b>', '</b>'],
    ['<i>', '</i>'],
    ['<code>', '</code>'],
    ['<a href="https://e.test/?a=1&amp;b=2">', '</a>'],
    ['<blockquote>', '</blockquote>'],
  ],
  MarkdownV2: [
    ['*', '*'],
    ['~', '~'],
    ['||', '||'],
    ['`', '`'],
    ['[', '](https://e.test/)'],
  ],
};

export const MODES = ['HTML', 'MarkdownV2'] as const;
type Mode = (typeof MODES)[number];

function markup(mode: Mode): fc.Arbitrary<string> {
  const signs = mode === 'HTML' ? HTML : MARKDOWN;
  const words = fc
    .tuple(fc.constantFrom(...TEXT), fc.constantFrom(1, 1, 1, 10, 1_000, 3_000))
    .map(([part, times]) => part.repeat(times));
  const { nested } = fc.letrec<{ nested: string }>((tie) => ({
    nested: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      words,
      fc
        .tuple(fc.constantFrom(...(pairs[mode] ?? [])), fc.array(tie('nested'), { maxLength: 4 }))
        .map(([[open, close], inner]) => `${open}${inner.join('')}${close}`),
    ),
  }));
  const parts = fc.oneof(
    { weight: 4, arbitrary: words },
    { weight: 4, arbitrary: nested },
    { weight: 1, arbitrary: fc.constantFrom(...signs) },
  );
  const broken = fc.oneof(words, fc.constantFrom(...signs));
  return fc
    .oneof(
      fc.array(parts, { maxLength: 12 }),
      fc.array(broken, { maxLength: 40 }),
      fc.array(nested, { maxLength: 8 }),
    )
    .map((all) => all.join(''));
}

/** An output of a template, with its markup mode. */
export const markups: fc.Arbitrary<{ readonly text: string; readonly mode: Mode }> = fc
  .constantFrom(...MODES)
  .chain((mode) => markup(mode).map((text) => ({ text: text.toWellFormed(), mode })));

const TOO_LONG: ReadonlySet<string> = new Set(['message is too long', 'text is too long']);
const EMPTY: ReadonlySet<string> = new Set(['message text is empty', 'text must be non-empty']);

/** The faults of a fitted output. */
export function fittingFaults({ text, mode }: { readonly text: string; readonly mode: Mode }): string[] {
  const fitted = fitText(text, mode);
  const [before, after] = [
    readText({ text, parse_mode: mode }),
    readText({ text: fitted.text, parse_mode: fitted.mode }),
  ];
  if (before.ok) {
    if (fitted.text === text && fitted.mode === mode) return [];
    // Telegram does not count characters that it drops. With many of them, hnotif may cut more.
    return after.ok && /[\p{Cc}\p{Cf}]|\s\s/u.test(text) ? [] : ['an acceptable output was changed'];
  }
  if (!TOO_LONG.has(before.fault.error)) {
    // A refused output may stay unchanged: the error of the chat is the best message. A cut output must be accepted.
    if (fitted.text === text || after.ok || EMPTY.has(after.fault.error)) return [];
    return [`cut, and refused: ${descriptionOf(after.fault)}`];
  }
  if (!after.ok) return EMPTY.has(after.fault.error) ? [] : [`not fitted: ${descriptionOf(after.fault)}`];
  return /… \((?:\d+ more characters|more was cut off)\)$/.test(after.text)
    ? []
    : ['the mark of the cut is missing'];
}
