import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainSegment } from './plain-segment.ts';

test.each([
  ...['', 'v1', 'v12', 'api', 'hooks', 'webhooks', 'notifications', 'hibernation', 'on-call', 'oncall'],
  ...['plan_events', 'storefront', 'checkout', 'warehouse', 'payments', 'kubernetes', 'incoming-webhooks'],
  ...['night.log', 'callbacks', 'receivers', 'integrations', 'automation', 'infrastructure', 'production'],
])('%j is plain', (segment) => {
  expect(isPlainSegment(segment)).toBe(true);
});

test.each([
  // Slack's and Telegram's, those of other chats, and keys in whatever alphabet.
  ...['T012AB3CD', 'B024BE7LH', 'XXXXXXXXXXXXXXXXXXXXXXXX', 'bot123456789:AAbb-CC_dd'],
  ...['xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqZL', 'xoxb-canary'],
  ...['4i7gxbqwkjg8pxq8b9kn1ezcfe', 'd3b07384-d113-4ec6-a7b1-1f0b3c4d5e6f', 'deadbeefdeadbeef', 'qzxkwvbn'],
  ...[
    'Notifications',
    'notifications2',
    'not%69fications',
    'v1234',
    'v',
    'x',
    'aaaaaaaa',
    'hibernationhibernation',
  ],
  ...['correct-horse-battery-staple', 'abcd-efgh-ijkl-mnop', 'bcd', 'hmm', 'secret:', 'café', 'a b'],
])('%j may be a credential', (segment) => {
  expect(isPlainSegment(segment)).toBe(false);
});

const letters = (alphabet: string, least: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: least, maxLength: 64 });

test.each<[string, fc.Arbitrary<string>]>([
  ['hex', letters('0123456789abcdef', 16)],
  ['base32', letters('abcdefghijklmnopqrstuvwxyz234567', 20)],
  ['base36', letters('0123456789abcdefghijklmnopqrstuvwxyz', 16)],
  ['base62', letters('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 12)],
  ['lower case alone', letters('abcdefghijklmnopqrstuvwxyz', 20)],
  ['base64url', fc.integer({ min: 12, max: 48 }).map((size) => randomBytes(size).toString('base64url'))],
])('no token of %s counts as plain', (_, token) => {
  fc.assert(
    fc.property(token, (text) => !isPlainSegment(text)),
    { seed: 20260105, numRuns: 2_000 },
  );
});
