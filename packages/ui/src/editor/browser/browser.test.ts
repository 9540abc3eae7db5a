import fc from 'fast-check';
import { createHmac, hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Buffer as Ours } from './buffer.ts';
import * as ours from './crypto.ts';

const text = fc.string({ unit: 'binary' });
/** What signing secrets and headers are made of. */
const ascii = fc.string({ unit: 'binary-ascii' });

describe('what stands in for Node in a browser does the same', () => {
  it('digests', () => {
    fc.assert(
      fc.property(text, fc.uint8Array({ minLength: 24, maxLength: 64 }), (body, key) => {
        for (const encoding of ['hex', 'base64', 'base64url'] as const)
          expect(ours.hash('sha256', body, encoding)).toBe(hash('sha256', body, encoding));
        expect(ours.createHmac('sha256', key).update(body).digest('base64')).toBe(
          createHmac('sha256', key).update(body).digest('base64'),
        );
      }),
      { seed: 5 },
    );
  });

  it('counts bytes, and reads Base64', () => {
    fc.assert(
      fc.property(text, ascii, fc.uint8Array(), (any, characters, bytes) => {
        expect(Ours.byteLength(any)).toBe(Buffer.byteLength(any));
        expect(Ours.from(bytes).toString()).toBe(Buffer.from(bytes).toString());
        for (const encoded of [
          characters,
          Buffer.from(bytes).toString('base64'),
          Buffer.from(bytes).toString('base64url'),
        ]) {
          expect([...Ours.from(encoded, 'base64')]).toEqual([...Buffer.from(encoded, 'base64')]);
          expect(Ours.from(encoded, 'base64').toString()).toBe(Buffer.from(encoded, 'base64').toString());
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
