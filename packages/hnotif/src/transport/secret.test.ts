import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact, Secret } from './secret.ts';

const secret = new Secret('canary-value');

test('a secret gives its value to reveal() alone', () => {
  expect(secret.reveal()).toBe('canary-value');
  const printed = [
    String(secret),
    `in a ${String(secret)} template`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: { secret } }, { showHidden: true, depth: 9 }),
    JSON.stringify(Object.entries(secret)),
    JSON.stringify(structuredClone(secret)),
  ].join('\n');
  expect(printed).not.toContain('canary');
  expect(String(secret)).toBe('[redacted]');
  expect(JSON.stringify({ secret })).toBe('{"secret":"[redacted]"}');
  expect(inspect([secret])).toBe('[ [redacted] ]');
});

test('redact removes a credential in every form in which servers echo it', () => {
  const value = 'p&ss "w<rd>/+ä';
  const forms = [
    value,
    encodeURIComponent(value),
    encodeURIComponent(value).toLowerCase(),
    encodeURI(value),
    new URLSearchParams({ a: value }).toString().slice(2),
    JSON.stringify(value).slice(1, -1),
    'p&amp;ss &quot;w&lt;rd&gt;/+ä',
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ];
  for (const form of forms) expect(redact(`before ${form} after`, [value])).toBe('before [redacted] after');
});

test('redact finds base64 with either alphabet and without its padding', () => {
  for (const form of ['Pj4+Pz8/Pw==', 'Pj4+Pz8/Pw', 'Pj4-Pz8_Pw'])
    expect(redact(form, ['>>>????'])).toBe('[redacted]');
});

test('redact finds the decoded form of a credential that is configured percent-encoded', () => {
  expect(redact('no route for /a b/T0KEN', ['/a%20b/T0KEN'])).toBe('no route for [redacted]');
});

test('redact leaves nothing of a longer credential that contains a shorter one', () => {
  expect(redact('Bearer abcdef', ['abcd', 'Bearer abcdef'])).toBe('[redacted]');
  expect(redact('abcdefgh', ['abcd', 'abcdefgh'])).toBe('[redacted]');
});

test('redact takes credentials of any size and number', () => {
  const large = 'b'.repeat(1_000_000);
  const many = Array.from({ length: 100 }, (_, index) => `canary-${index}-${'x'.repeat(1_000)}`);
  expect(redact(`before ${large} after`, [large, ...many])).toBe('before [redacted] after');
});

test('redact leaves a text alone that holds no credential, and does not look for values under 4 characters', () => {
  expect(redact('status 1 is on', ['1', 'on', ''])).toBe('status 1 is on');
  expect(redact('nothing here', [])).toBe('nothing here');
});

test('no text around a credential, and no character in it, lets it through', () => {
  const credential = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 });
  fc.assert(
    fc.property(fc.string(), credential, fc.string(), (before, value, after) => {
      // What the replacement itself puts there is no leak.
      fc.pre(!'[redacted]'.includes(value));
      const left = redact(before + value + after, [value]).split('[redacted]');
      expect(left.length).toBeGreaterThan(1);
      expect(left.some((part) => part.includes(value))).toBe(false);
    }),
    { seed: 20260105, numRuns: 300 },
  );
});
