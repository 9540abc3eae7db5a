import type { Clock } from '../../clock.ts';
import type { Transport } from '../../transport/client.ts';
import type { ReadySink } from '../sink.ts';
import type { WebhookConfig } from './config.ts';
import { payloadOf } from './message.ts';
import { outcomeOfAnswer, outcomeOfFailure } from './outcomes.ts';
import { signatureOf, signingKeyOf } from './signature.ts';

export interface SinkDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  /** hnotif's own, for `User-Agent`. */
  readonly version: string;
}

/**
 * A webhook that is ready to send. Every attempt carries the delivery's id as `webhook-id`; with signing secrets
 * it carries `webhook-timestamp` (of the attempt, in seconds) and `webhook-signature` too (Standard Webhooks).
 * A configured header takes the place of hnotif's own `Content-Type`, `Accept` or `User-Agent`.
 */
export function webhookSink(config: WebhookConfig, { transport, clock, version }: SinkDeps): ReadySink {
  const url = new URL(config.url.reveal());
  const fixed: Record<string, string> = {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': `hnotif/${version}`,
  };
  for (const [name, value] of config.headers) fixed[name.toLowerCase()] = value.reveal();
  const keys = config.signingSecrets
    .map((secret) => signingKeyOf(secret.reveal()))
    .filter((key) => key !== undefined);
  const secrets = credentialsOf(config, url);

  return {
    origin: url.origin,
    async deliver(delivery, signal) {
      const body = JSON.stringify(payloadOf(delivery));
      const headers: Record<string, string> = { ...fixed, 'webhook-id': delivery.id };
      if (keys.length > 0) {
        const timestamp = Math.floor(clock.now() / 1000);
        headers['webhook-timestamp'] = String(timestamp);
        headers['webhook-signature'] = signatureOf(keys, delivery.id, timestamp, body);
      }
      const reply = await transport.post({ url, headers, body, signal });
      return reply.kind === 'answer'
        ? outcomeOfAnswer(reply, secrets, clock.now())
        : outcomeOfFailure(reply, secrets);
    },
  };
}

/**
 * Everything in a configuration that a receiver might echo and nobody should read: the address in whole and in
 * its parts (a hook's token is often a path segment or a query value), header values in whole and without their
 * scheme, the signing secrets.
 */
function credentialsOf(config: WebhookConfig, url: URL): string[] {
  const values = config.headers.flatMap(([name, value]) => {
    const text = value.reveal();
    // `Bearer x`, `Basic dXNlcjpwYXNz`: servers echo the part after the scheme, or what it decodes to.
    const credential = /^\S+\s+(.*)$/.exec(text)?.[1] ?? '';
    const decoded = /^basic$/i.test(text.split(' ', 1)[0] ?? '')
      ? Buffer.from(credential, 'base64').toString()
      : '';
    const password = decoded.slice(decoded.indexOf(':') + 1);
    return HARMLESS.has(name.toLowerCase()) ? [] : [text, credential, decoded, password];
  });
  const segments = url.pathname.split('/').filter((segment) => segment.length >= 8);
  const path = url.pathname.length > 1 ? [url.pathname] : [];
  return [
    url.href,
    url.pathname + url.search,
    ...path,
    ...segments,
    ...url.searchParams.values(),
    ...values,
    ...config.signingSecrets.flatMap((secret) => signingForms(secret.reveal())),
  ].filter((text) => text !== '/');
}

/** Headers whose value is no credential, and whose words a receiver's error text needs. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** A signing secret as it is written, its base64 alone, also without padding, and the key as text. */
function signingForms(secret: string): string[] {
  const base64 = secret.replace(/^whsec_/, '');
  return [secret, base64, base64.replace(/=+$/, ''), Buffer.from(base64, 'base64').toString()];
}
