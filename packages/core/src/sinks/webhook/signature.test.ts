import { expect, test } from 'vitest';
import { signatureOf, signingKeyOf } from './signature.ts';

// The example of the Standard Webhooks reference libraries.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const BODY = '{"test": 2432232314}';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const keyOf = (secret: string): Buffer => signingKeyOf(secret) ?? Buffer.alloc(0);

test('the test vector of Standard Webhooks gives its signature', () => {
  expect(signatureOf([keyOf(SECRET)], ID, 1614265330, BODY)).toBe(SIGNATURE);
});

test('every key signs, in order, separated by spaces', () => {
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const both = signatureOf([keyOf(other), keyOf(SECRET)], ID, 1614265330, BODY).split(' ');
  expect(both).toHaveLength(2);
  expect(both[1]).toBe(SIGNATURE);
  expect(both[0]).not.toBe(SIGNATURE);
});

test.each([
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_',
  'whsec_tooShort',
  'whsec_not base64 at all not base64 at all',
  `whsec_${Buffer.alloc(65).toString('base64')}`,
  `whsec_${Buffer.alloc(23).toString('base64')}`,
  `${SECRET}\n`,
])('%j is not a signing secret', (text) => {
  expect(signingKeyOf(text)).toBeUndefined();
});

test.each([24, 32, 64])('a key of %i bytes is accepted', (length) => {
  expect(keyOf(`whsec_${Buffer.alloc(length, 1).toString('base64')}`)).toHaveLength(length);
});
