// Not Node's. Browsers have only asynchronous hashes, and a template cannot wait.
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { FuncMap } from '../value/func.ts';
import { toBytes } from '../value/text.ts';
import { paid } from './text/paid.ts';

const ofText =
  (hash: (bytes: Uint8Array) => Uint8Array) =>
  (text: string): string =>
    bytesToHex(hash(toBytes(text)));

/** Costs for each character: the bytes are copied; a hash reads each byte several times, a checksum once. */
const HASH = { steps: 1, bytes: 1 };
const SUM = { steps: 1 / 4, bytes: 1 };

const MODULUS = 65521;
/** After this number of bytes, the sums are still exact without a division. */
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
  sha1sum: paid('func(string) string', ofText(sha1), HASH),
  sha256sum: paid('func(string) string', ofText(sha256), HASH),
  sha512sum: paid('func(string) string', ofText(sha512), HASH),
  adler32sum: paid('func(string) string', adler32, SUM),
};
