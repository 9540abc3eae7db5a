import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSignature, parseSecrets } from './signature.ts';

/** The test vector of the Standard Webhooks specification's own libraries. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const VECTOR = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const BODY = Buffer.from('{"test": 2432232314}');
const NOW = 1614265330_000;
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const check = (more: Record<string, string> = {}, body = BODY, now = NOW, secrets = [SECRET]) =>
  checkSignature({ ...VECTOR, ...more }, body, parseSecrets(secrets), now);

describe('a signature', () => {
  it('of the specification’s test vector is valid', () => {
    expect(check()).toEqual({ status: 'valid', reason: '' });
  });

  it('may be one of several, for any of the secrets', () => {
    const list = `v2,abc v1,AAAA ${VECTOR['webhook-signature']}`;
    expect(check({ 'webhook-signature': list }, BODY, NOW, [OTHER, SECRET]).status).toBe('valid');
  });

  it('of another secret, body, id or time does not match', () => {
    expect(check({}, BODY, NOW, [OTHER]).reason).toBe('no signature matches (entries: 1, secrets: 1)');
    expect(check({}, Buffer.from('{"test":2432232314}')).status).toBe('invalid');
    expect(check({ 'webhook-id': 'msg_1' }).status).toBe('invalid');
    expect(check({ 'webhook-timestamp': '1614265331' }).status).toBe('invalid');
  });

  it('holds for 300 s on both sides of the receiver’s clock', () => {
    expect(check({}, BODY, NOW + 300_000).status).toBe('valid');
    expect(check({}, BODY, NOW - 300_000).status).toBe('valid');
    expect(check({}, BODY, NOW + 300_001).reason).toBe('webhook-timestamp is 301 s old, more than 300 s');
    expect(check({}, BODY, NOW - 300_001).reason).toBe(
      'webhook-timestamp is 301 s in the future, more than 300 s',
    );
  });

  it('needs an id, whole seconds and a v1 entry', () => {
    expect(check({ 'webhook-id': '' }).reason).toBe('webhook-id is missing');
    expect(check({ 'webhook-timestamp': '' }).reason).toBe('webhook-timestamp is missing');
    expect(check({ 'webhook-timestamp': '1614265330.5' }).reason).toMatch(/not whole seconds/);
    expect(check({ 'webhook-signature': 'v1a,AAAA' }).reason).toBe('webhook-signature has no v1 entry');
  });

  it('that is not there is absent; without secrets one is unchecked', () => {
    expect(checkSignature({}, BODY, parseSecrets([SECRET]), NOW).status).toBe('absent');
    expect(check({}, BODY, NOW, []).status).toBe('unchecked');
  });

  it('made with a secret is valid for that one alone, whatever the body', () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(key, key, fc.uint8Array(), fc.uuid(), (mine, theirs, body, id) => {
        fc.pre(Buffer.compare(mine, theirs) !== 0);
        const signature = createHmac('sha256', mine)
          .update(`${id}.1614265330.`)
          .update(body)
          .digest('base64');
        const headers = { 'webhook-id': id, 'webhook-signature': `v1,${signature}` };
        const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;
        expect(check(headers, Buffer.from(body), NOW, [secretOf(mine)]).status).toBe('valid');
        expect(check(headers, Buffer.from(body), NOW, [secretOf(theirs)]).status).toBe('invalid');
      }),
      { seed: 2, numRuns: 100 },
    );
  });
});

describe('a secret', () => {
  it.each([
    ['without its prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['that is too short', 'whsec_AAAA'],
    ['that is too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['that is not base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaL-_w'],
  ])('%s is refused without being repeated', (_what, secret) => {
    expect(() => parseSecrets([SECRET, secret])).toThrow(
      'signingSecrets[1] is not whsec_ and 24 to 64 bytes in base64',
    );
  });
});
