import { expect, test } from 'vitest';
import type { Answer } from '../requests/reply.ts';
import { excerptOf, quoteBody } from './excerpt.ts';

test('an excerpt is one line without control and invisible characters', () => {
  expect(excerptOf('a\u001b[31m\r\n\tb\u202e \u0000c\u200b\u2028d', '', [])).toBe('a [31m b c d');
});

test('an excerpt of HTML has no tags', () => {
  const page = '<html><head><title>403</title></head>\n<body class="x">Access <b>denied</b></body></html>';
  expect(excerptOf(page, 'text/html; charset=utf-8', [])).toBe('403 Access denied');
  expect(excerptOf('1 < 2', 'text/plain', [])).toBe('1 < 2');
});

test('an excerpt has at most 200 characters, none of them cut, and says when it is cut', () => {
  expect(excerptOf('🌙'.repeat(200), '', [])).toBe('🌙'.repeat(200));
  expect(excerptOf('🌙'.repeat(201), '', [])).toBe('🌙'.repeat(199) + '…');
});

test('a credential across the limit is removed before the cut', () => {
  const text = 'x'.repeat(190) + 'canary-credential-value';
  expect(excerptOf(text, '', ['canary-credential-value'])).toBe('x'.repeat(190) + '[redacted]');
});

test('a credential across the end of the part that is read is removed, too, even if much of it is blank', () => {
  const page = `<html>${' '.repeat(8 * 1024 - 16)}canary-credential-value`;
  expect(excerptOf(page, 'text/html', ['canary-credential-value'])).not.toContain('canary');
});

test('words of an answer are part of the sentence; words of a hidden answer are not', () => {
  const answer: Answer = {
    ...{ kind: 'answer', status: 500, headers: {}, body: 'db_password=hunter2' },
    ...{ truncated: false, hidden: false },
  };
  expect(quoteBody(answer, [])).toBe(', saying "db_password=hunter2"');
  expect(quoteBody(answer, [], 'some of it')).toBe(', saying "some of it"');
  expect(quoteBody({ ...answer, body: '' }, [])).toBe('');
  const hidden = { ...answer, hidden: true };
  for (const said of [quoteBody(hidden, []), quoteBody(hidden, [], 'db_password')])
    expect(said).toMatch(/^ \(what else it says is not shown, .*--show-private-answers\)$/);
});
