import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SinkType } from '@hnotif/core/resources';

/** A kind of sink, as the benchmarks configure it. */
export interface Kind {
  readonly name: string;
  readonly type: SinkType;
  /** The custom template; undefined: there is none. */
  readonly template?: string;
  /** Whether the receiver speaks TLS. */
  readonly tls?: boolean;
  /** The content of the secret, for a receiver with this origin. */
  readonly config: (origin: string) => object;
}

/** Limits that are never reached: the benchmark measures the work, not the wait. */
const RATE_LIMIT = { rate: 1e6, unit: 'second', burst: 1e6 };

/** Some thirty nodes of Go's template language, as in templates of users. */
const CUSTOM = readFileSync(
  join(import.meta.dirname, '../../../../../examples/templates/incident.tmpl'),
  'utf8',
);

const webhook = (name: string, more: object, template?: string): Kind => ({
  ...{ name, type: 'webhook', config: (origin) => ({ url: `${origin}/hook`, ...more }) },
  ...(template !== undefined && { template }),
});

export const channel = (origin: string, format = 'json'): object => ({
  ...{ webhook_url: `${origin}/services/T0/B0/NAMESPACE`, format, rate_limit: RATE_LIMIT },
});

export const THREAD = {
  ...{ delivery_mode: 'thread', bot_token: 'xoxb-000000000000-bench', channel_id: 'C0000000001' },
  ...{ format: 'json', rate_limit: RATE_LIMIT },
};

export const KINDS: readonly Kind[] = [
  webhook('webhook raw', {}),
  { ...webhook('webhook raw, TLS', {}), tls: true },
  webhook('webhook built-in template', { enable_renderer: true }),
  webhook('webhook custom template', { enable_renderer: true }, CUSTOM),
  {
    ...{ name: 'botchat', type: 'botchat' },
    config: () => ({ token: '123456789:AAbb-CC_dd', chat_id: '-1001234567890', rate_limit: RATE_LIMIT }),
  },
  ...['text', 'json'].map((format): Kind => ({
    ...{ name: `teamchat ${format}`, type: 'teamchat', config: (origin) => channel(origin, format) },
  })),
  { name: 'teamchat thread', type: 'teamchat', config: () => THREAD },
];
