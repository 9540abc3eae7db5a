import * as z from 'zod';
import { Secret } from '../../redaction/secret.ts';
import { addressNotes } from '../address-notes.ts';
import {
  coalesceProgress,
  type ConfigReading,
  must,
  rateLimit,
  type RateLimit,
  unknownFields,
} from '../config.ts';
import { urlProblems } from '../url-problems.ts';

/** The configuration of an msteams sink, checked. */
export interface MsteamsConfig {
  readonly webhookUrl: Secret;
  readonly rate: RateLimit;
  readonly coalesceProgress: boolean;
}

export const MSTEAMS_CONFIG = z.object({
  webhook_url: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    z.string({ error: must('webhook_url', 'a string', 'give the URL of the workflow') }),
  ),
  // Teams takes four requests a second.
  rate_limit: rateLimit({ rate: 1, unit: 'second', burst: 4 }),
  coalesce_progress: coalesceProgress,
});

/** Fields that other programs have. */
const OTHER_NAMES = {
  title:
    'the heading of a card follows from its event; templateRef of the sink names a template for another text',
  text: 'templateRef of the sink in the notification names a template for the text',
};

/**
 * Reads the parsed JSON of an msteams sink's secret. `refuses` says why nothing may be sent to a URL (the transport knows), or
 * undefined. Unknown fields are accepted and named in the notes.
 */
export function readMsteamsConfig(
  json: unknown,
  refuses: (url: URL) => string | undefined,
): ConfigReading<MsteamsConfig> {
  const parsed = MSTEAMS_CONFIG.safeParse(json);
  const unknown = unknownFields(json, MSTEAMS_CONFIG.shape, OTHER_NAMES);
  const problems = parsed.success
    ? urlProblems('webhook_url', parsed.data.webhook_url, refuses)
    : parsed.error.issues.map(({ message }) => message);
  if (!parsed.success || problems.length > 0) return { ok: false, problems: [...problems, ...unknown] };
  const { webhook_url, rate_limit, coalesce_progress } = parsed.data;
  const config: MsteamsConfig = {
    webhookUrl: new Secret(new URL(webhook_url).href),
    rate: rate_limit,
    coalesceProgress: coalesce_progress,
  };
  return { ok: true, config, notes: [...unknown, ...addressNotes('webhook_url', webhook_url, 'card')] };
}
