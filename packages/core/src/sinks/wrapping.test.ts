import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueWrapping, configWrapping } from './wrapping.ts';

const CONFIG = '{"url": "https://canary.example/x", "headers": {"a": "ü"}}\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const wrapped = (text: string): string => text.replace(/.{60}/g, '$&\n');

test.each<[string, string]>([
  ['base64', base64(CONFIG)],
  ['base64 with line breaks', wrapped(base64(CONFIG))],
  ['base64 of base64', base64(base64(CONFIG))],
  ['base64 for URLs', Buffer.from(CONFIG).toString('base64url')],
])('the error of %s says that it is encoded twice', (_, text) => {
  expect(configWrapping(text)).toBe(
    'is base64 once more: it was encoded twice; put the JSON itself into stringData, or encode it once for data',
  );
});

test.each<[string, string]>([
  ['single quotes', `'${CONFIG.trim()}'`],
  ['single quotes, and a line break', ` '${CONFIG}'\n`],
  ['backticks', `\`${CONFIG}\``],
  ['a JSON string', JSON.stringify(CONFIG)],
])('the error of %s names the quotes', (_, text) => {
  expect(configWrapping(text)).toBe('stands in quotes; remove them');
});

test('quotes around base64 are both named', () => {
  expect(configWrapping(`"${base64(CONFIG)}"`)).toMatch(
    /^stands in quotes; remove them; and it is base64 once more/,
  );
});

test.each(['', '{', 'url: https://canary.example', "'x'", 'abcdefgh', '[1]', `'${base64('no')}'`, '""'])(
  'the error of %j names no wrapping',
  (text) => {
    expect(configWrapping(text)).toBeUndefined();
  },
);

test('a text with many blanks within takes no long time', () => {
  expect(configWrapping(`abcdefgh${' '.repeat(400_000)}!`)).toBeUndefined();
});

test('the error shows only how a value is wrapped', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 12 }), (value) => {
      const told = configWrapping(base64(JSON.stringify({ token: `canary${value}` })));
      expect(told).toMatch(/^is base64 once more/);
      expect(told).not.toContain('canary');
    }),
    { seed: 20260105 },
  );
});

test('the error of a value in quotes or base64 names that form', () => {
  const isToken = (text: string): boolean => text.startsWith('xoxb-');
  expect(valueWrapping("'xoxb-1'", isToken)).toMatch(/quotes/);
  expect(valueWrapping(base64('xoxb-123456'), isToken)).toMatch(/base64/);
  expect(valueWrapping('xoxb-1', isToken)).toBeUndefined();
  expect(valueWrapping(base64('another'), isToken)).toBeUndefined();
});
