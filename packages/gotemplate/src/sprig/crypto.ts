import { createHash } from 'node:crypto';
import type { FuncMap } from '../value/func.ts';
import { toBytes } from '../value/text.ts';
import { paid } from './text/paid.ts';

function digest(algorithm: string) {
  return (text: string): string => createHash(algorithm).update(toBytes(text)).digest('hex');
}

/** The bytes are copied, and a hash looks at each of them several times. */
const DIGEST = { steps: 1 / 4, bytes: 1 };

const MODULUS = 65521;
/** Bytes after which the sums still are exact without a division. */
const STRETCH = 4096;

function adler32(text: string): string {
  const bytes = toBytes(text);
  let low = 1;
  let high = 0;
  for (let from = 0; from < bytes.length; from += STRETCH) {
    for (const byte of bytes.subarray(from, from + STRETCH)) {
      low += byte;
      high += low;
    }
    low %= MODULUS;
    high %= MODULUS;
  }
  return String(high * 65536 + low);
}

export const crypto: FuncMap = {
  sha1sum: paid('func(string) string', digest('sha1'), DIGEST),
  sha256sum: paid('func(string) string', digest('sha256'), DIGEST),
  sha512sum: paid('func(string) string', digest('sha512'), DIGEST),
  adler32sum: paid('func(string) string', adler32, DIGEST),
};
