import { judgeText, LIMITS, readText } from '@hnotif/judges/telegram';
import { expect, test } from 'vitest';
import { fitText } from './fit.ts';
import { PARSE_MODES } from './markup/markup.ts';

/** What readers of a text in HTML see. */
function seen(text: string): string {
  const reading = readText({ text, parse_mode: 'HTML' });
  return reading.ok ? reading.text : '';
}

test.each(PARSE_MODES)(
  '%s: a text that fits is sent unchanged, whether its markup is valid or not',
  (mode) => {
    for (const text of ['<b>a</b> &amp; *b*', '<b>a', '<x>', '*a', 'a'.repeat(4096)])
      expect(fitText(text, mode)).toEqual({ text, mode });
  },
);

test('markup does not count', () => {
  const text = `<b>${'&lt;'.repeat(4096)}</b>`;
  expect(fitText(text, 'HTML')).toEqual({ text, mode: 'HTML' });
});

test('a text with one character more is cut', () => {
  const { text, mode } = fitText(`<b>${'&lt;'.repeat(4097)}</b>`, 'HTML');
  expect(mode).toBe('HTML');
  expect(text).toMatch(/^<b>(&lt;)+<\/b>… \(26 more characters\)$/);
  expect(seen(text)).toHaveLength(4093);
});

test('MarkdownV2 is cut as MarkdownV2', () => {
  const { text, mode } = fitText(`*${'\\.'.repeat(4097)}*`, 'MarkdownV2');
  expect(mode).toBe('MarkdownV2');
  expect(text).toMatch(/^\*(\\\.)+\*… \\\(26 more characters\\\)$/);
});

test('a text that is too long and cannot be parsed is cut as plain text', () => {
  const { text, mode } = fitText(`<b>${'a'.repeat(5000)}`, 'HTML');
  expect(mode).toBeUndefined();
  expect(text).toMatch(/^<b>a+… \(\d+ more characters\)$/);
  expect(text).toHaveLength(4095);
});

test.each([
  ['HTML', `<b>${'a'.repeat(999_999)}</b>`, /^<b>a+<\/b>… \(more was cut off\)$/],
  ['HTML', '<b>a</b> '.repeat(99_999), /^(<b>a<\/b> )+<b>a<\/b>… \(more was cut off\)$/],
  ['HTML', `<b>${'<i></i>'.repeat(9_999)}</b>`, /^… \(more was cut off\)$/],
  ['HTML', `<pre><code>${'&lt;'.repeat(30_000)}`, /^<pre>(&lt;)+<\/pre>… \(more was cut off\)$/],
  ['MarkdownV2', `>||${'a'.repeat(99_999)}`, /^>\|\|a+\|\|\n… \\\(more was cut off\\\)$/],
  ['MarkdownV2', `a[b*c*${'__*_x_*__'.repeat(9_999)}`, /^ab\*c\*\*_``__x+__``_\*… \\\(more was cut off\\\)$/],
  ['MarkdownV2', `a![b${'**'.repeat(20_000)}`, /^ab… \\\(more was cut off\\\)$/],
] as const)(
  'only the beginning of a text above the parser’s limit is sent (%s %#)',
  (mode, text, expected) => {
    const fitted = fitText(text, mode);
    expect(fitted.mode).toBe(mode);
    expect(fitted.text).toMatch(expected);
    expect(judgeText({ text: fitted.text, parse_mode: mode }).kind).toBe('accepted');
  },
);

test('an element above the parser’s limit makes the message plain text', () => {
  const { text, mode } = fitText(`<a href="${'x'.repeat(70_000)}">a</a>`, 'HTML');
  expect(mode).toBeUndefined();
  expect(text).toMatch(/^<a href="x+… \(\d+ more characters\)$/);
});

test('addresses of links count as bytes', () => {
  const link = `<a href="https://x.example/${'é'.repeat(2000)}">link </a>`;
  const { text, mode } = fitText(link.repeat(16), 'HTML');
  expect(mode).toBe('HTML');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.bytes);
  expect(seen(text)).toBe('link link link link link link link link … (40 more characters)');
});

test('one address that is too long leaves only the count', () => {
  expect(fitText(`<a href="https://x/${'a'.repeat(40_000)}">link</a>`, 'HTML')).toEqual({
    text: '… (more was cut off)',
    mode: 'HTML',
  });
});
