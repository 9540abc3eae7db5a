import type { SinkType } from '../resources/kinds.ts';

/** A sink to try in the template editor. */
export interface SinkExample {
  /** In links to the editor, so it never changes. */
  readonly id: string;
  /** For people. */
  readonly label: string;
  /** The configuration, with credentials that are none. */
  readonly config: object;
  /** What follows ```gotmpl in the cookbook (docs/howto/templates.md) at a template for it. Default: the cookbook has none. */
  readonly recipe?: string;
  /** Whether hnotif makes its message without a template. Default: it has one. */
  readonly isBuiltIn?: true;
}

const SLACK_HOOK = { webhook_url: 'https://hooks.slack.com/services/T0000000/B0000000/example' };
const SLACK_BOT = { delivery_mode: 'thread', bot_token: 'xoxb-example', channel_id: 'C0123456789' };
const TELEGRAM = { token: '123456789:AAexample-token_of-a-bot', chat_id: '-1001234567890' };

const layout = (block_layout: string): object => ({ ...SLACK_HOOK, format: 'json', block_layout });

/** Of each type of sink. They are apart from the definitions, because the page loads these without the sinks. */
export const EXAMPLES = {
  teamchat: [
    {
      id: 'slack-text',
      label: 'Slack: text',
      config: { ...SLACK_HOOK, format: 'text' },
      recipe: 'teamchat text',
    },
    {
      id: 'slack-json',
      label: 'Slack: blocks in JSON',
      config: { ...SLACK_HOOK, format: 'json' },
      recipe: 'teamchat json',
    },
    { id: 'slack-default', label: 'Slack: built in, default', config: layout('default'), isBuiltIn: true },
    { id: 'slack-compact', label: 'Slack: built in, compact', config: layout('compact'), isBuiltIn: true },
    { id: 'slack-auto', label: 'Slack: built in, auto', config: layout('auto'), isBuiltIn: true },
    {
      id: 'slack-two-targets',
      label: 'Slack: built in, max_targets 2',
      config: { ...layout('default'), max_targets: 2 },
      isBuiltIn: true,
    },
    { id: 'slack-thread-text', label: 'Slack thread: text', config: { ...SLACK_BOT, format: 'text' } },
    { id: 'slack-thread-json', label: 'Slack thread: blocks', config: { ...SLACK_BOT, format: 'json' } },
  ],
  botchat: [
    {
      id: 'telegram-html',
      label: 'Telegram: HTML',
      config: { ...TELEGRAM, parse_mode: 'HTML' },
      recipe: 'botchat HTML',
    },
    {
      id: 'telegram-markdown',
      label: 'Telegram: MarkdownV2',
      config: { ...TELEGRAM, parse_mode: 'MarkdownV2' },
      recipe: 'botchat MarkdownV2',
    },
  ],
  webhook: [
    {
      id: 'webhook',
      label: 'Webhook: rendered text',
      config: { url: 'https://receiver.example.com/nights', enable_renderer: true },
      recipe: 'webhook',
    },
  ],
  msteams: [
    {
      id: 'msteams',
      label: 'Microsoft Teams: text',
      config: { webhook_url: 'https://default.example.environment.api.powerplatform.com/workflows/example' },
    },
  ],
} as const satisfies Readonly<Record<SinkType, readonly SinkExample[]>>;
