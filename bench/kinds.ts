import { readFileSync } from 'node:fs';
import type { SinkType, SinkAddress } from '@hnotif/core/resources';

/** A kind of sink, as the benchmarks configure it. */
export interface Kind {
  readonly name: string;
  readonly type: SinkType;
  /** The custom template; undefined: there is none. */
  readonly template: string | undefined;
  /** The content of the secret, for a receiver with this origin. */
  readonly config: (origin: string, to: SinkAddress) => object;
}

/** Limits that are never reached: the benchmark measures the work, not the wait. */
const RATE_LIMIT = { rate: 1e6, unit: 'second', burst: 1e6 };

/** Some thirty nodes of Go's template language, as in templates of users. */
const CUSTOM = readFileSync('examples/templates/incident.tmpl', 'utf8');

const webhook = (name: string, more: object, template?: string): Kind => ({
  name,
  type: 'webhook',
  template,
  config: (origin) => ({ url: `${origin}/hook`, ...more }),
});

const channel = (format: 'text' | 'json'): Kind => ({
  name: `teamchat ${format}`,
  type: 'teamchat',
  template: undefined,
  config: (origin, to) => ({
    webhook_url: `${origin}/services/T0/B0/${to.notification}`,
    format,
    rate_limit: RATE_LIMIT,
  }),
});

export const WEBHOOK = webhook('webhook raw', {});

export const KINDS: readonly Kind[] = [
  WEBHOOK,
  webhook('webhook built-in template', { enable_renderer: true }),
  webhook('webhook custom template', { enable_renderer: true }, CUSTOM),
  {
    name: 'botchat',
    type: 'botchat',
    template: undefined,
    config: () => ({ token: '123456789:AAbb-CC_dd', chat_id: '-1001234567890', rate_limit: RATE_LIMIT }),
  },
  channel('text'),
  channel('json'),
  {
    name: 'teamchat thread',
    type: 'teamchat',
    template: undefined,
    config: () => ({
      delivery_mode: 'thread',
      bot_token: 'xoxb-000000000000-bench',
      channel_id: 'C0000000001',
      format: 'json',
      rate_limit: RATE_LIMIT,
    }),
  },
];
