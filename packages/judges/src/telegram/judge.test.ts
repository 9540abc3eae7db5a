import { expect, test } from 'vitest';
import { faultInWords, unknownInWords } from '../verdict.ts';
import { descriptionOf, judgeText } from './judge.ts';

/** The first fault of a text. */
function faultOf(text: string, parse_mode?: string) {
  const verdict = judgeText({ text, parse_mode });
  if (verdict.kind === 'accepted') throw new Error('it was accepted');
  return verdict.faults[0];
}

test.each([
  ['HTML', '<b>a</b> &lt; @ops'],
  ['MarkdownV2', '*a* \\- _b_'],
  [undefined, '<b>a - b.'],
])('%s: %s is accepted', (mode, text) => {
  expect(judgeText({ text, parse_mode: mode })).toEqual({ kind: 'accepted', unknown: [] });
});

test.each([
  ['MarkdownV2', '🌙 *a*\nb - c', 2, 3, 'write \\- instead of -'],
  ['MarkdownV2', 'a.', 1, 2, 'write \\. instead of .'],
  ['MarkdownV2', '🌙*a', 1, 3, 'write * where it ends, or \\* instead of *'],
  ['MarkdownV2', 'a ||b', 1, 3, 'write || where it ends, or \\|\\| instead of ||'],
  ['MarkdownV2', '>*a\nb*', 1, 2, 'write * where it ends, or \\* instead of *'],
  ['MarkdownV2', '[a](b', 1, 5, 'write ) after the address, or \\[ instead of [ if it is no link'],
  ['MarkdownV2', 'a ![b]', 1, 3, 'write \\!\\[ instead of ![, or its address: ![👍](tg://emoji?id=1)'],
  ['MarkdownV2', '![b](x)', 1, 1, 'write tg://emoji?id= or tg://time?unix= and a number'],
  ['HTML', 'a\n🌙<br/>', 2, 3, '<br/> is not a tag of Telegram: write a line break'],
  ['HTML', '<br>', 1, 1, '<br> is not a tag of Telegram: write a line break'],
  ['HTML', 'a <constructor>', 1, 3, 'remove the tag, or write &lt; instead of < if it is text'],
  ['HTML', '1 < 2 > 3', 1, 3, 'remove the tag, or write &lt; instead of < if it is text'],
  ['HTML', 'a <', 1, 3, 'write > where the tag ends, or write &lt; instead of < if it is text'],
  ['HTML', '<b />', 1, 1, 'write <b> without a slash, with attributes as name="value"'],
  ['HTML', '<a href=x/y>', 1, 9, 'write the value in quotes'],
  ['HTML', '<span>a</span>', 1, 1, 'write <tg-spoiler>, or remove the tag'],
  ['HTML', 'a</b>', 1, 2, 'remove it, or write &lt; instead of < if it is text'],
  ['HTML', '<b>a</b', 1, 5, 'write > after the name, or write &lt; instead of < if it is text'],
  ['HTML', '<b><i>a</b>', 1, 8, 'write </i> before it: the last tag ends first'],
  ['HTML', '\n\n a<b>c', 3, 3, 'write </b> where it ends'],
  ['HTML', 'a&#xd83d;', 1, 2, 'write the character itself, or its whole number'],
  ['HTML', '<tg-emoji emoji-id="x">a</tg-emoji>', 1, 1, 'write a number into emoji-id'],
  [
    'HTML',
    '<tg-time>a</tg-time>',
    1,
    1,
    'write seconds since 1970 into unix, and r or letters of wdDtT into format',
  ],
])('%s: %j is refused, with place and remedy', (mode, text, line, column, remedy) => {
  const fault = faultOf(text, mode);
  expect(fault).toMatchObject({
    place: { pointer: '/text', line, column },
    error: "can't parse entities",
    remedy,
  });
  expect(fault.rule).not.toContain('byte offset');
});

test('a fault has Telegram’s words, and ours with the place', () => {
  const fault = faultOf('a\n<h1>b', 'HTML');
  expect(descriptionOf(fault)).toBe('can\'t parse entities: Unsupported start tag "h1" at byte offset 2');
  expect(faultInWords(fault)).toBe(
    '/text, line 2, column 1: Unsupported start tag "h1" (can\'t parse entities); <h1> is not a tag of Telegram: write <b>',
  );
});

test.each([
  ['', undefined, 'message text is empty', 'is empty'],
  ['<b> </b>', 'HTML', 'text must be non-empty', 'has no visible character'],
  ['a\ud83d', undefined, 'strings must be encoded in UTF-8', 'has half a character'],
  [
    'é'.repeat(5000),
    'HTML',
    'message is too long',
    'has 5000 characters without its markup; 4096 are allowed',
  ],
  ['é'.repeat(20_000), undefined, 'text is too long', 'has 40000 bytes; 32768 are allowed'],
])('the whole text is judged (%#)', (text, mode, error, rule) => {
  expect(faultOf(text, mode)).toMatchObject({ place: { pointer: '/text' }, error, rule });
});

test('another parse mode is refused at its place; the legacy one is not known here', () => {
  expect(faultOf('a', 'text').place).toEqual({ pointer: '/parse_mode' });
  const legacy = judgeText({ text: '*a', parse_mode: 'Markdown' });
  expect(legacy.kind).toBe('accepted');
  expect(legacy.unknown.map(unknownInWords)).toEqual([
    "/parse_mode: Telegram's legacy mode Markdown is not known here; the receiver may take it",
  ]);
  expect(faultOf('', 'Markdown').error).toBe('message text is empty');
});
