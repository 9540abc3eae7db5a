import type { SinkType } from '../../../hnotif/src/resources/kinds.ts';

interface SinkChoice {
  readonly id: string;
  /** For people. */
  readonly label: string;
  readonly type: SinkType;
  /** The configuration in the sink's secret, with credentials that are none. */
  readonly config: object;
}

const SLACK_HOOK = { webhook_url: 'https://hooks.slack.com/services/T0000000/B0000000/example' };
const SLACK_BOT = { delivery_mode: 'thread', bot_token: 'xoxb-example', channel_id: 'C0123456789' };
const TELEGRAM = { token: '123456789:AAexample-token_of-a-bot', chat_id: '-1001234567890' };

/** The sinks to choose from. */
export const SINKS = [
  {
    id: 'slack-text',
    label: 'Slack: text',
    type: 'teamchat',
    config: { ...SLACK_HOOK, format: 'text' },
  },
  {
    id: 'slack-json',
    label: 'Slack: blocks in JSON',
    type: 'teamchat',
    config: { ...SLACK_HOOK, format: 'json' },
  },
  {
    id: 'slack-thread-text',
    label: 'Slack thread: text',
    type: 'teamchat',
    config: { ...SLACK_BOT, format: 'text' },
  },
  {
    id: 'slack-thread-json',
    label: 'Slack thread: blocks',
    type: 'teamchat',
    config: { ...SLACK_BOT, format: 'json' },
  },
  {
    id: 'telegram-html',
    label: 'Telegram: HTML',
    type: 'botchat',
    config: { ...TELEGRAM, parse_mode: 'HTML' },
  },
  {
    id: 'telegram-markdown',
    label: 'Telegram: MarkdownV2',
    type: 'botchat',
    config: { ...TELEGRAM, parse_mode: 'MarkdownV2' },
  },
  {
    id: 'webhook',
    label: 'Webhook: rendered text',
    type: 'webhook',
    config: { url: 'https://receiver.example.com/nights', enable_renderer: true },
  },
] as const satisfies readonly SinkChoice[];

export type SinkId = (typeof SINKS)[number]['id'];

/** By its id. */
export const sinkChoice = (id: SinkId): SinkChoice & { readonly id: SinkId } =>
  SINKS.find((each) => each.id === id) ?? SINKS[0];
