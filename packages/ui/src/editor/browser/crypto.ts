/** What messages need of node:crypto, for the page: synchronous, as in Node. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { toBase64, toHex } from './encodings.ts';

type Encoding = 'hex' | 'base64' | 'base64url';

const encoded = (bytes: Uint8Array, encoding: Encoding): string => {
  if (encoding === 'hex') return toHex(bytes);
  const base64 = toBase64(bytes);
  return encoding === 'base64' ? base64 : base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};

export const hash = (_: 'sha256', text: string, encoding: Encoding): string =>
  encoded(sha256(utf8ToBytes(text)), encoding);

export function createHmac(_: 'sha256', key: Uint8Array) {
  const running = hmac.create(sha256, key);
  const digest = (encoding: Encoding): string => encoded(running.digest(), encoding);
  return {
    update(text: string) {
      running.update(utf8ToBytes(text));
      return { digest };
    },
  };
}
