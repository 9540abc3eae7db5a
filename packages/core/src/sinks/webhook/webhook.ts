import { judgeBody } from '@hnotif/judges/webhook';
import { renderBuiltin } from '../../render/builtin.ts';
import type { Source } from '../../render/context.ts';
import { plainFallback } from '../../render/fallback.ts';
import type { TemplateRunner } from '../../render/template.ts';
import { invalidIn, type TlsConfig, TLS_KEYS } from '../../requests/tls-files.ts';
import { type SinkDefinition, sinkOf } from '../definition.ts';
import type { Degradation } from '../degradation.ts';
import type { SinkSettings } from '../deps.ts';
import { outputDoubt } from '../output-doubt.ts';
import { FALLBACK_LEVELS, type Protocol, sender } from '../send.ts';
import type { Delivery, ReadySink } from '../sink.ts';
import { readWebhookConfig, WEBHOOK_CONFIG, type WebhookConfig } from './config.ts';
import { credentialsOf } from './credentials.ts';
import { payloadOf } from './message.ts';
import { degradationOf, outcomeOfAnswer } from './outcomes.ts';
import { signatureOf, signingKeyOf } from './signature.ts';

/** Any HTTP server, by the rules of Standard Webhooks. */
export const WEBHOOK: SinkDefinition = {
  schema: WEBHOOK_CONFIG,
  example: '{"url": "https://…"}',
  receiver: 'the receiver',
  files: TLS_KEYS,
  read(json, settings, files) {
    const reading = readWebhookConfig(json, (url) => settings.transport.problem(url));
    const certificate = settings.transport.readTls(files);
    return reading.ok && !certificate.ok
      ? { ok: false, problems: [certificate.problem] }
      : sinkOf(reading, (config) =>
          webhookSink(config, certificate.ok ? certificate.tls : undefined, settings),
        );
  },
  dropsRepeats: true,
  isRateLimited: false,
  showsLinks: false,
  judge: judgeBody,
  // Of the receiver itself nothing is known.
  knowsRules: false,
  judgeOutput: (rendered) => ({ verdict: judgeBody({ rendered }), reading: 'plain' }),
  longestText: undefined,
  preview: {
    chat: undefined,
    label: 'The field “rendered”',
    textOf: ({ rendered }) => (typeof rendered === 'string' ? rendered : undefined),
  },
};

/** Of the built-in line, in characters: receivers want payloads of some 20 kB (Standard Webhooks). */
const LONGEST_LINE = 4_000;

/**
 * Each request carries the delivery's id as `webhook-id`; with signing secrets also `webhook-timestamp` (of the request, in seconds)
 * and `webhook-signature` (Standard Webhooks). A configured header replaces hnotif's own `Content-Type`, `Accept` or `User-Agent`.
 */
function webhookSink(config: WebhookConfig, tls: TlsConfig | undefined, settings: SinkSettings): ReadySink {
  const { clock, version, templates } = settings;
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

  const protocol: Protocol = {
    url,
    tls,
    credentials: credentialsOf(config, url),
    headers(body, { id }) {
      // In this order: V8 takes many times as long to add a field to what was spread.
      const headers: Record<string, string> = { 'webhook-id': id, ...fixed };
      if (keys.length > 0) {
        const timestamp = Math.floor(clock.now() / 1000);
        headers['webhook-timestamp'] = String(timestamp);
        headers['webhook-signature'] = signatureOf(keys, id, timestamp, body);
      }
      return headers;
    },
    async makeMessage(delivery, _, signal) {
      // The payload has one form: nothing is sent after a refusal.
      const message = { content: payloadOf(delivery), level: FALLBACK_LEVELS.plain, degradation: undefined };
      if (!config.enableRenderer) return message;
      const { text, degradation } = await rendered(delivery, templates, signal);
      return { ...message, content: { ...message.content, rendered: text }, degradation };
    },
    outcomeOf: (answer) =>
      outcomeOfAnswer(answer, protocol.credentials, clock.now(), config.headers.length > 0),
    degradationOf: degradationOf,
  };

  return {
    origin: url.origin,
    rates: [],
    ignoresTemplate: config.enableRenderer
      ? undefined
      : 'enable_renderer is not true in the configuration; set it there',
    suppresses: () => false,
    invalidAt: (now) => (tls === undefined ? [] : invalidIn(tls, now)),
    coalescesProgress: config.coalesceProgress,
    deliver: sender(protocol, settings),
  };
}

/** The text of the custom template, or of the built-in one; plain text when the custom one fails. */
async function rendered(
  { event, plan, sinkName, template }: Delivery,
  templates: TemplateRunner,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly degradation: Degradation | undefined }> {
  const source: Source = { event, plan, sinkName, sinkType: 'webhook' };
  if (template === undefined)
    return { text: renderBuiltin('webhook', source, LONGEST_LINE), degradation: undefined };
  const result = await templates.render(template, source, signal);
  if (result.ok)
    return { text: result.text, degradation: outputDoubt(template, source, result.text, 'plain') };
  const { reason, message } = result;
  return { text: plainFallback(source), degradation: { reason, message } };
}
