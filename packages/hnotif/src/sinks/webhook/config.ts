import { z } from 'zod';
import { Secret } from '../../transport/secret.ts';
import { headerProblems, kindOf } from './headers.ts';
import { signingKeyOf } from './signature.ts';

/** A webhook's configuration, checked. What may be a credential is a `Secret`. */
export interface WebhookConfig {
  /** Absolute, without user and password. */
  readonly url: Secret;
  /** As configured; names are unique whatever their case. */
  readonly headers: readonly (readonly [name: string, value: Secret])[];
  /** Empty: deliveries are not signed. */
  readonly signingSecrets: readonly Secret[];
}

export type ConfigReading =
  | { readonly ok: true; readonly config: WebhookConfig; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** For a rotation two are enough; each one costs every delivery a signature. */
const MOST_SIGNING_SECRETS = 3;

const SIGNING_SECRET_FORM = '"whsec_" and the base64 of 24 to 64 random bytes';

/** Every message says the field, what was found (its kind, never its value) and what to do. */
const must = (field: string, what: string, remedy: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined
    ? `${field}: is missing; ${remedy}`
    : `${field}: must be ${what}, found ${kindOf(issue.input)}; ${remedy}`;

const shape = z.object(
  {
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
      .refine((enabled) => !enabled, {
        error:
          'enable_renderer: true is not served by this version yet; leave it out to get the structured payload',
      })
      .optional(),
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
  },
  { error: ({ input }) => `the configuration must be a JSON object, found ${kindOf(input)}` },
);

/**
 * Reads the parsed JSON of a webhook's secret. `refuses` says why nothing may be sent to a URL (the transport
 * knows), or undefined. Fields that are not known are accepted and named in the notes.
 */
export function readWebhookConfig(json: unknown, refuses: (url: URL) => string | undefined): ConfigReading {
  const parsed = shape.safeParse(json);
  const problems = parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
  const address = typeof json === 'object' && json !== null && 'url' in json ? json.url : undefined;
  if (typeof address === 'string') problems.push(...urlProblems(address, refuses));
  if (!parsed.success || problems.length > 0) return { ok: false, problems };
  const { url, headers, signing_secret } = parsed.data;
  const config: WebhookConfig = {
    url: new Secret(new URL(url).href),
    headers: Object.entries(headers).map(([name, value]) => [name, new Secret(String(value))]),
    signingSecrets: signing_secret.map((text) => new Secret(text)),
  };
  return { ok: true, config, notes: unknownFields(json) };
}

/** What the servers and proxies in use take at least (RFC 9110 section 4.1 asks for 8000 octets). */
const LONGEST_URL = 8_000;

function urlProblems(text: string, refuses: (url: URL) => string | undefined): string[] {
  if (text.length > LONGEST_URL) return [`url: is longer than ${LONGEST_URL} characters; give a shorter one`];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return ['url: is no absolute URL; write it like https://hooks.example.com/path'];
  if (url.username !== '' || url.password !== '')
    return ['url: holds a user name or password; put them into headers as Authorization instead'];
  const refusal = refuses(url);
  return refusal === undefined ? [] : [`url: ${refusal}`];
}

/** Of the fields that are not known; a secret has room for a hundred thousand. */
const MOST_NAMED = 10;

/** A name that does not look like a field's may be a value that slipped: it is counted, not shown. */
function unknownFields(json: unknown): string[] {
  const unknown = Object.keys(json as object).filter((name) => !Object.hasOwn(shape.shape, name));
  const names = unknown.filter((name) => /^[a-z][a-z_-]{0,39}$/i.test(name)).slice(0, MOST_NAMED);
  const others = unknown.length - names.length;
  return [
    ...names.map((name) => `field ${name} is not known and has no effect`),
    ...(others > 0 ? [`${others} more that are not known have no effect`] : []),
  ];
}
