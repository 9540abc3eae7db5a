import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

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

test('redact accepts credentials of any size and number', () => {
  const large = 'b'.repeat(1_000_000);
  const many = Array.from({ length: 100 }, (_, index) => `canary-${index}-${'x'.repeat(1_000)}`);
  expect(redact(`before ${large} after`, [large, ...many])).toBe('before [redacted] after');
});

test('redact finds hex, in either case, and bytes as \\xNN', () => {
  const value = 'k+y/=% "ü';
  const hex = Buffer.from(value).toString('hex');
  const printed = [...Buffer.from(value)].map((byte) => `\\x${byte.toString(16)}`).join('');
  for (const form of [hex, hex.toUpperCase(), printed])
    expect(redact(`<${form}>`, [value])).toBe('<[redacted]>');
});

test('redact finds a credential inside a longer base64 text, and leaves nothing of that text', () => {
  const value = 'p4ss/word+1';
  for (const longer of [`u:${value}`, `us:${value}`, `use:${value}`, `Bearer ${value} and more`]) {
    const form = Buffer.from(longer).toString('base64');
    expect(redact(`sent ${form}, refused`, [value])).toBe('sent [redacted], refused');
    const url = Buffer.from(longer).toString('base64url');
    expect(redact(`sent "${url}"`, [value])).toBe('sent "[redacted]"');
    expect(redact(`sent ${encodeURIComponent(form)}.`, [value])).toBe('sent [redacted].');
  }
});

test('redact finds any encoding of any encoding, three deep', () => {
  const value = 'p&ss "w<rd>/+ä 1';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const encodings: Readonly<Record<string, (text: string) => string>> = {
    percent: encodeURIComponent,
    JSON: (text) => JSON.stringify(text).slice(1, -1),
    HTML: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;'),
    base64,
    base64url: (text) => Buffer.from(text).toString('base64url'),
    'base64 of a header': (text) => base64(`Bearer ${text}`),
    'base64 over lines': (text) => base64(text).replace(/.{10}/g, '$&\n'),
    hex: (text) => Buffer.from(text).toString('hex'),
  };
  const names = Object.keys(encodings);
  for (const first of names)
    for (const second of names)
      for (const third of names) {
        const form = [first, second, third].reduce((text, name) => encodings[name]?.(text) ?? '', value);
        const left = redact(`before: ${form}, after`, [value]);
        // Of base64 over lines, all lines that show the credential.
        const shown = [first, second, third].join().includes('lines')
          ? /\[redacted\]/
          : /^before: \[redacted\], after$/;
        expect(left, `${first}, ${second}, ${third}`).toMatch(shown);
      }
});

test('redact finds the client authentication of OAuth, which encodes name and password before base64', () => {
  const header = Buffer.from(`me:${encodeURIComponent('p+ss/w=rd')}`).toString('base64');
  expect(redact(`no client ${header}.`, ['p+ss/w=rd'])).toBe('no client [redacted].');
});

test('redact decodes no more than a few times the length of a text', () => {
  // Each decoding of it is text again, from each place.
  const endless = 'VVVV'.repeat(50_000);
  expect(redact(`${endless} xoxb-12345 ${endless}`, ['xoxb-12345'])).toBe(`${endless} [redacted] ${endless}`);
});

test('redact removes several layers of escapes, and mixtures', () => {
  const value = '<tok&en>"\\/+=1';
  const json = JSON.stringify(JSON.stringify({ a: JSON.stringify(value) }));
  expect(redact(json, [value])).not.toContain('tok');
  expect(redact(encodeURIComponent(encodeURIComponent(value)), [value])).toBe('[redacted]');
  expect(redact('&lt;tok\\u0026en%3e&#34;\\\\&#x2F;+%3d1', [value])).toBe('[redacted]');
});

test('redact finds a credential in another case and over several lines', () => {
  const value = 'xoxb-1234-AbCdEfGh';
  for (const form of ['XOXB-1234-ABCDEFGH', 'xoxb-1234-abcdefgh', 'xoxb-1234-\r\n  AbCd\u200bEfGh'])
    expect(redact(`no ${form}.`, [value])).toBe('no [redacted].');
  const wrapped = Buffer.from(value).toString('base64').replace(/.{10}/g, '$&\n');
  expect(redact(`no ${wrapped}.`, [value])).toBe('no [redacted].');
});

test('redact finds an escape that is broken over two lines', () => {
  expect(redact('"at /a%2\\r\\n B%3Dto\\r\\nken1"', ['/a%2B%3Dtoken1'])).toBe('"at [redacted]"');
});

test('redact finds a credential inside longer hex, and leaves nothing of that', () => {
  expect(redact(`got ${Buffer.from('user:p4ssw0rd').toString('hex')}.`, ['p4ssw0rd'])).toBe(
    'got [redacted].',
  );
});

test('redact finds the beginning of a credential at the end of a text', () => {
  const value = 'xoxb-1234-AbCd=fGh';
  const base64 = Buffer.from(value).toString('base64');
  for (const form of ['xoxb-1234-AbC', 'xoxb-1234-AbCd%3', 'xoxb-123', base64.slice(0, 12)]) {
    expect(redact(`no ${form}`, [value])).toMatch(/^no \[redacted\]%?3?$/);
    for (const mark of ['…', '...', '***'])
      expect(redact(`"${form}${mark}" no`, [value])).not.toContain(form.slice(0, 8));
  }
});

test('redact finds the end of a credential that stands by itself', () => {
  const value = 'k7Qz0pLmXw3vRt9sYb2n';
  for (const text of ['ends in <8>', 'key="<8>"', 'the key …<12>.', 'last=<12>, see', 'a%20<8>']) {
    const said = text.replace(/<(\d+)>/, (_, length: string) => value.slice(-Number(length)));
    expect(redact(said, [value])).toBe(text.replace(/<\d+>/, '[redacted]'));
  }
  // Many addresses end with a word, and this text may belong to another address.
  expect(redact('the hibernation', ['https://hooks.example/hibernation'])).toBe('the hibernation');
  expect(redact('id xt9sYb2n', [value])).toBe('id xt9sYb2n');
});

test('redact leaves other fragments alone: seven characters, an end, a middle', () => {
  for (const text of ['no xoxb-12', 'ends with fGh1', 'xoxb-1234- is how it begins', 'at 1234-AbCd, say'])
    expect(redact(text, ['xoxb-1234-AbCd=fGh1'])).toBe(text);
});

test('redact is fast with texts and credentials that are made to be slow', () => {
  const secrets = Array.from({ length: 50 }, (_, index) => `${'a'.repeat(500)}${index}`);
  for (const text of ['a'.repeat(65_536), 'a...'.repeat(16_000), '%61'.repeat(20_000), '\\\\'.repeat(30_000)])
    expect(redact(text, secrets).length).toBeGreaterThan(0);
});

/** Distinct words that all begin alike, as a hostile secret may have them in its headers. */
const words = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `aaaaaaaa${String(index).padStart(4, '0')}`);
const MANY_CUTS = `before ${`${'a'.repeat(310)}...`.repeat(51)}`;

test('redact gives up a text that takes too many steps, and shows nothing of it', () => {
  const dashes = Array.from({ length: 8 }, (_, index) => `${index}${'-'.repeat(8_000)}`);
  const lengths = Array.from({ length: 40 }, (_, index) => 'a'.repeat(8 + index));
  const long = Array.from({ length: 32 }, (_, index) => `${'a'.repeat(1_000)}${index}${'b'.repeat(990)}`);
  expect(redact(MANY_CUTS, words(5_000))).toBe('[redacted]');
  expect(redact(`before ${`${'a'.repeat(2_000)}...`.repeat(8)}`, long)).toBe('[redacted]');
  expect(redact(`before ${'-'.repeat(16_000)}`, dashes)).toBe('[redacted]');
  expect(redact(`before ${'a'.repeat(16_000)}`, lengths)).toBe('[redacted]');
});

test('redact shows an ordinary answer though the credentials are many, and a slow one though they are hundreds', () => {
  expect(redact('no aaaaaaaa0007 here', words(5_000))).toBe('no [redacted] here');
  expect(redact(MANY_CUTS, words(600))).toMatch(/^before a+\[redacted\]\.{3}a/);
});

test('redact does not change a text without a credential, and does not search for values under 4 characters', () => {
  expect(redact('status 1 is on', ['1', 'on', ''])).toBe('status 1 is on');
  expect(redact('nothing here', [])).toBe('nothing here');
});

test('redact finds a credential with any text around it and any character in it', () => {
  const credential = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 });
  fc.assert(
    fc.property(fc.string(), credential, fc.string(), (before, value, after) => {
      // The text of the replacement itself is not a leak.
      fc.pre(!'[redacted]'.includes(value));
      const left = redact(before + value + after, [value]).split('[redacted]');
      expect(left.length).toBeGreaterThan(1);
      expect(left.some((part) => part.includes(value))).toBe(false);
    }),
    { seed: 20260105, numRuns: 300 },
  );
});
