import { plainFallback } from '../../render/fallback.ts';
import { renderBuiltin } from '../../render/builtin.ts';
import type { SinkSettings } from '../deps.ts';
import { outcomeOfFailure } from '../outcome-table.ts';
import type { Degradation } from '../degradation.ts';
import { CALLED_OFF, type Delivery, type ReadySink } from '../sink.ts';
import type { Source } from '../../render/context.ts';
import type { TemplateRunner } from '../../render/template.ts';
import type { WebhookConfig } from './config.ts';
import { payloadOf } from './message.ts';
import { doubtAbout, outcomeOfAnswer } from './outcomes.ts';
import { isPlainSegment } from './plain-segment.ts';
import { signatureOf, signingKeyOf } from './signature.ts';

/** Of the built-in line, in characters: receivers want payloads of some 20 kB (Standard Webhooks). */
const LONGEST_LINE = 4_000;

type WebhookDeps = Pick<SinkSettings, 'transport' | 'clock' | 'version' | 'templates' | 'address'>;

/**
 * A webhook that is ready to send. Every attempt carries the delivery's id as `webhook-id`; with signing secrets
 * it carries `webhook-timestamp` (of the attempt, in seconds) and `webhook-signature` too (Standard Webhooks).
 * With `enable_renderer` it carries the text that the template makes. A configured header takes the place of hnotif's own `Content-Type`, `Accept` or `User-Agent`.
 */
export function webhookSink(
  config: WebhookConfig,
  { transport, clock, version, templates, address }: WebhookDeps,
): ReadySink {
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
    rates: [],
    ignoresTemplate: config.enableRenderer ? undefined : 'enable_renderer is not true',
    suppresses: () => false,
    coalescesProgress: config.coalesceProgress,
    async deliver(delivery, { signal, slot, degraded: notice }) {
      const payload = payloadOf(delivery);
      const text = config.enableRenderer ? await rendered(delivery, templates, signal) : undefined;
      const body = JSON.stringify(text === undefined ? payload : { ...payload, rendered: text.text });
      // In this order: V8 takes many times as long to add a field to what was spread.
      const headers: Record<string, string> = { 'webhook-id': delivery.id, ...fixed };
      if (keys.length > 0) {
        const timestamp = Math.floor(clock.now() / 1000);
        headers['webhook-timestamp'] = String(timestamp);
        headers['webhook-signature'] = signatureOf(keys, delivery.id, timestamp, body);
      }
      if (!(await slot())) return CALLED_OFF;
      const reply = await transport.post({ url, owner: address.namespace, headers, body, signal });
      if (reply.kind === 'failed') return outcomeOfFailure(reply, secrets);
      const outcome = outcomeOfAnswer(reply, secrets, clock.now(), config.headers.length > 0);
      if (outcome.kind !== 'delivered') return outcome;
      for (const told of [text?.fault, doubtAbout(reply)]) if (told !== undefined) notice(told);
      return outcome;
    },
  };
}

interface RenderedText {
  readonly text: string;
  /** Why it is not what the custom template should have made. */
  readonly fault: Degradation | undefined;
}

/** The text of the custom template, or of the built-in one; plain text when the custom one fails. */
async function rendered(
  { event, plan, sinkName, template }: Delivery,
  templates: TemplateRunner,
  signal: AbortSignal,
): Promise<RenderedText> {
  const source: Source = { event, plan, sinkName, sinkType: 'webhook' };
  if (template === undefined)
    return { text: renderBuiltin('webhook', source, LONGEST_LINE), fault: undefined };
  const result = await templates.render(template, source, signal);
  return result.ok ? { text: result.text, fault: undefined } : { text: plainFallback(source), fault: result };
}

/**
 * Everything in a configuration that a receiver might echo and nobody should read: the address in whole and in
 * its parts (a hook's token is often a path segment or a query value) but for plain words, header values in whole and without their
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
    // `session=x; theme=dark`, `Token token="x"`.
    const pieces = text.split(/[\s;,="]+/).filter((piece) => piece.length >= SHORTEST_PIECE);
    return HARMLESS.has(name.toLowerCase()) ? [] : [text, credential, decoded, password, ...pieces];
  });
  const secret = url.pathname.split('/').filter((segment) => !isPlainSegment(segment));
  const segments = secret.filter((segment) => segment.length >= SHORTEST_PIECE);
  // A path of plain words is worth reading in an error.
  const path = secret.length > 0 ? [url.pathname] : [];
  return [
    ...(secret.length > 0 || url.search !== '' ? [url.href, url.pathname + url.search] : []),
    ...path,
    ...segments,
    ...url.searchParams.values(),
    ...values,
    ...config.signingSecrets.flatMap((secret) => signingForms(secret.reveal())),
  ].filter((text) => text !== '/');
}

/** Shorter pieces of a header or path are words more often than credentials. */
const SHORTEST_PIECE = 8;

/** Headers whose value is no credential, and whose words a receiver's error text needs. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** A signing secret as it is written, its base64 alone, also without padding, and the key as text. */
function signingForms(secret: string): string[] {
  const base64 = secret.replace(/^whsec_/, '');
  return [secret, base64, base64.replace(/=+$/, ''), Buffer.from(base64, 'base64').toString()];
}
