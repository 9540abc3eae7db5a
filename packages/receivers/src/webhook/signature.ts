import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** `absent`: no `webhook-signature` header. `unchecked`: there is one, but the receiver has no secret, or the message was cut off. */
export type SignatureStatus = 'absent' | 'unchecked' | 'valid' | 'invalid';

export interface SignatureCheck {
  readonly status: SignatureStatus;
  /** Why it is `invalid`; `''` otherwise. */
  readonly reason: string;
}

/** The allowed difference between `webhook-timestamp` and the receiver's clock, in seconds, in both directions. */
const TOLERANCE_S = 300;

/**
 * The keys of `whsec_…` secrets: the text after the prefix is the key in base64, of 24 to 64 bytes.
 * Throws a TypeError for other texts, without repeating the secret.
 */
export function parseSecrets(secrets: readonly string[]): Buffer[] {
  return secrets.map((secret, index) => {
    const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (key.length < 24 || key.length > 64)
      throw new TypeError(`signingSecrets[${index}] is not whsec_ and 24 to 64 bytes in base64`);
    return key;
  });
}

/**
 * Checks a request by the Standard Webhooks specification: HMAC-SHA256 of `id.timestamp.body`. One `v1,<base64>` entry of a
 * space-separated list must match one of the keys (several of either: rotation). Entries of other versions are ignored.
 * https://github.com/standard-webhooks/standard-webhooks
 * @param nowMs the receiver's wall clock, milliseconds since the epoch.
 */
export function checkSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  keys: readonly Buffer[],
  nowMs: number,
): SignatureCheck {
  const signatures = text(headers['webhook-signature']);
  if (signatures === '') return { status: 'absent', reason: '' };
  if (keys.length === 0) return { status: 'unchecked', reason: '' };
  const reason = fault(text(headers['webhook-id']), text(headers['webhook-timestamp']), signatures);
  return { status: reason === '' ? 'valid' : 'invalid', reason };

  function fault(id: string, timestamp: string, list: string): string {
    if (id === '') return 'webhook-id is missing';
    if (timestamp === '') return 'webhook-timestamp is missing';
    if (!/^\d{1,12}$/.test(timestamp)) return `webhook-timestamp is not whole seconds: ${timestamp}`;
    const age = nowMs / 1000 - Number(timestamp);
    if (Math.abs(age) > TOLERANCE_S)
      return `webhook-timestamp is ${Math.ceil(Math.abs(age))} s ${age > 0 ? 'old' : 'in the future'}, more than ${TOLERANCE_S} s`;
    const given = list.split(' ').filter((entry) => entry.startsWith('v1,'));
    if (given.length === 0) return 'webhook-signature has no v1 entry';
    const wanted = keys.map((key) => `v1,${sign(key, id, timestamp, body)}`);
    const matches = given.some((entry) => wanted.some((each) => equal(entry, each)));
    return matches ? '' : `no signature matches (entries: ${given.length}, secrets: ${keys.length})`;
  }
}

function sign(key: Buffer, id: string, timestamp: string, body: Buffer): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** In constant time for texts of one length. */
function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
