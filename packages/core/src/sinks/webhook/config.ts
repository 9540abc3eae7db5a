import * as z from 'zod';
import { Secret } from '../../redaction/secret.ts';
import { addressNotes } from '../address-notes.ts';
import { coalesceProgress, type ConfigReading, must, unknownFields } from '../config.ts';
import { urlProblems } from '../url-problems.ts';
import { headerNotes, headerProblems } from './headers.ts';
import { signingKeyOf } from './signature.ts';

/** A webhook's configuration, checked. A value that may be a credential is a `Secret`. */
export interface WebhookConfig {
  /** Absolute, without user and password. */
  readonly url: Secret;
  /** As configured; names are unique in any case. */
  readonly headers: readonly (readonly [name: string, value: Secret])[];
  /** Whether payloads carry `rendered`. */
  readonly enableRenderer: boolean;
  readonly coalesceProgress: boolean;
  /** Empty: deliveries are not signed. */
  readonly signingSecrets: readonly Secret[];
}

/** For a rotation two are enough; each one costs every delivery a signature. */
const MOST_SIGNING_SECRETS = 3;

const SIGNING_SECRET_FORM = '"whsec_" and the base64 of 24 to 64 random bytes';

export const WEBHOOK_CONFIG = z.object({
  url: z.string({ error: must('url', 'a string', 'give the https address that takes the POST') }),
  headers: z
    .record(z.string(), z.unknown(), {
      error: must('headers', 'an object of strings', 'write {"Name": "value"} or leave it out'),
    })
    .superRefine((headers, context) => {
      for (const message of headerProblems(headers)) context.addIssue({ code: 'custom', message });
    })
    .default({}),
  enable_renderer: z
    .boolean({ error: must('enable_renderer', 'true or false', 'write it without quotes or leave it out') })
    .default(false),
  coalesce_progress: coalesceProgress,
  signing_secret: z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z
      .array(
        z
          .string({ error: must('signing_secret', 'a string', `write ${SIGNING_SECRET_FORM}`) })
          .refine((text) => signingKeyOf(text) !== undefined, {
            error: `signing_secret: is not of the form that Standard Webhooks asks for; write ${SIGNING_SECRET_FORM}`,
          }),
      )
      .min(1, { error: 'signing_secret: is an empty list; leave it out to send without a signature' })
      .max(MOST_SIGNING_SECRETS, {
        error: `signing_secret: at most ${MOST_SIGNING_SECRETS} may be given; remove the oldest`,
      })
      .default([]),
  ),
});

const CERTIFICATES = 'certificates are the keys tls.crt, tls.key and ca.crt of the secret';
/** Fields that webhooks of other programs have. */
const NO_FIELDS = {
  method: 'each message is a POST',
  tls: CERTIFICATES,
  ca: CERTIFICATES,
  cert: CERTIFICATES,
  client_cert: CERTIFICATES,
  insecure_skip_verify: `certificates are always checked; ${CERTIFICATES}`,
  username: 'headers may hold {"Authorization": "Basic …"}',
};

/**
 * Reads the parsed JSON of a webhook's secret. `refuses` says why nothing may be sent to a URL (the transport
 * knows), or undefined. Fields that are not known are accepted and named in the notes.
 */
export function readWebhookConfig(
  json: unknown,
  refuses: (url: URL) => string | undefined,
): ConfigReading<WebhookConfig> {
  const parsed = WEBHOOK_CONFIG.safeParse(json);
  const problems = parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
  const address = typeof json === 'object' && json !== null && 'url' in json ? json.url : undefined;
  if (typeof address === 'string') problems.push(...urlProblems('url', address, refuses));
  const unknown = unknownFields(json, WEBHOOK_CONFIG.shape, NO_FIELDS);
  if (!parsed.success || problems.length > 0) return { ok: false, problems: [...problems, ...unknown] };
  const { url, headers, enable_renderer, coalesce_progress, signing_secret } = parsed.data;
  const config: WebhookConfig = {
    url: new Secret(new URL(url).href),
    headers: Object.entries(headers).map(([name, value]) => [name, new Secret(String(value))]),
    enableRenderer: enable_renderer,
    coalesceProgress: coalesce_progress,
    signingSecrets: signing_secret.map((text) => new Secret(text)),
  };
  return {
    ok: true,
    config,
    notes: [
      ...unknown,
      ...addressNotes('url', url, enable_renderer ? 'rendered' : 'payload'),
      ...headerNotes(headers),
    ],
  };
}
