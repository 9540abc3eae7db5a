import { expect, test } from 'vitest';
import { fitText } from './fit.ts';
import { LIMITS } from './limits.ts';
import { MARKUPS, PARSE_MODES } from './markup/markup.ts';
import { textOf } from './markup/node.ts';

test.each(PARSE_MODES)('%s: what fits is sent as it is, be it right or wrong', (mode) => {
  for (const text of ['<b>a</b> &amp; *b*', '<b>a', '<x>', '*a', 'a'.repeat(4096)])
    expect(fitText(text, mode)).toEqual({ text, mode });
});

test('markup does not count', () => {
  const text = `<b>${'&lt;'.repeat(4096)}</b>`;
  expect(fitText(text, 'HTML')).toEqual({ text, mode: 'HTML' });
});

test('one character more is cut', () => {
  const { text, mode } = fitText(`<b>${'&lt;'.repeat(4097)}</b>`, 'HTML');
  expect(mode).toBe('HTML');
  expect(text).toMatch(/^<b>(&lt;)+<\/b>… \(26 more characters\)$/);
  expect(textOf(MARKUPS.HTML.parse(text) ?? [])).toHaveLength(4093);
});

test('MarkdownV2 is cut as MarkdownV2', () => {
  const { text, mode } = fitText(`*${'\\.'.repeat(4097)}*`, 'MarkdownV2');
  expect(mode).toBe('MarkdownV2');
  expect(text).toMatch(/^\*(\\\.)+\*… \\\(26 more characters\\\)$/);
});

test('what is too long and cannot be parsed is cut as plain text', () => {
  const { text, mode } = fitText(`<b>${'a'.repeat(5000)}`, 'HTML');
  expect(mode).toBeUndefined();
  expect(text).toMatch(/^<b>a+… \(\d+ more characters\)$/);
  expect(text).toHaveLength(4095);
});

test('what is longer than anything that is read is cut as plain text', () => {
  const text = `<b>${'a'.repeat(LIMITS.readUnits - 7)}</b>`;
  expect(fitText(text, 'HTML').mode).toBe('HTML');
  expect(fitText(`${text}a`, 'HTML').mode).toBeUndefined();
});

test('addresses count for the bytes', () => {
  const link = `<a href="https://x.example/${'é'.repeat(2000)}">link </a>`;
  const { text, mode } = fitText(link.repeat(20), 'HTML');
  expect(mode).toBe('HTML');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.bytes);
  expect(textOf(MARKUPS.HTML.parse(text) ?? [])).toBe(
    'link link link link link link link link … (60 more characters)',
  );
});

test('one address that is too long leaves nothing but the count', () => {
  expect(fitText(`<a href="https://x/${'a'.repeat(40_000)}">link</a>`, 'HTML')).toEqual({
    text: '… (4 more characters)',
    mode: 'HTML',
  });
});
