import { createHmac } from 'node:crypto';

/** Both bounds are Standard Webhooks': 192 to 512 bits. */
const KEY_BYTES = { min: 24, max: 64 };

/**
 * The key in a signing secret of the form `whsec_` + base64 (Standard Webhooks, "Signature scheme"); undefined
 * when it is not of that form or its key has not 24 to 64 bytes.
 */
export function signingKeyOf(secret: string): Buffer | undefined {
  const match = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret);
  if (match?.[1] === undefined) return undefined;
  const key = Buffer.from(match[1], 'base64');
  return key.length >= KEY_BYTES.min && key.length <= KEY_BYTES.max ? key : undefined;
}

/**
 * The value of `webhook-signature`: one `v1,…` for each key, so that a receiver that knows either the old or the
 * new secret accepts the message during a rotation. `timestamp` is in seconds since the epoch.
 */
export function signatureOf(keys: readonly Buffer[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
