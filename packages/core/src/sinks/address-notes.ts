import { holdsPlaceholder } from './placeholder.ts';

/** What is sent to an address: the payload of a webhook sink, without or with `rendered`; a teamchat sink's message in its format; a card of msteams. */
type Sent = 'payload' | 'rendered' | 'text' | 'unset' | 'json' | 'card';

/** A chat's addresses, and what to do where they do not show what is sent. */
interface Chat {
  readonly name: string;
  readonly host: RegExp;
  readonly path?: RegExp;
  /** None: it is shown. */
  readonly remedies: Readonly<Partial<Record<Sent, string>>>;
}

const TEAMCHAT = 'use a sink of type teamchat, with this address as webhook_url';
/** Also for the cards of Teams, which no other chat shows. */
const forPayloads = (remedy: string): Chat['remedies'] => ({
  ...{ payload: remedy, rendered: remedy },
  card: remedy,
});
const forMessages = (remedy: string): Chat['remedies'] => ({ text: remedy, unset: remedy, json: remedy });
const forAll = (remedy: string): Chat['remedies'] => ({ ...forPayloads(remedy), ...forMessages(remedy) });

const WORKFLOW =
  'use an incoming webhook (hooks.slack.com/services/…), or write format: text, and let the workflow post its variable text';
const DISCORD = /^((canary|ptb)\.)?discord(app)?\.com$/;
const WITH_SLACK = 'put /slack at its end';
const CONNECTOR = 'make a workflow, and write its address: Teams has retired connectors';
const WORKFLOWS = 'use a sink of type msteams, with this address as webhook_url';
const CARD =
  'let the flow make its card from the fields of context, or from rendered with enable_renderer: true and a template';

/** The first that matches counts. */
const CHATS: readonly Chat[] = [
  // https://slack.com/help/articles/360041352714
  {
    name: "Slack's workflows",
    host: /^hooks\.slack(-gov)?\.com$/,
    path: /^\/(triggers|workflows)\//,
    // Who writes format: text has followed the remedy.
    remedies: {
      ...forPayloads(`use a sink of type teamchat, and there: ${WORKFLOW}`),
      ...{ unset: WORKFLOW, json: WORKFLOW },
    },
  },
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  { name: 'Slack', host: /^hooks\.slack(-gov)?\.com$/, remedies: forPayloads(TEAMCHAT) },
  // https://docs.slack.dev/apis/web-api
  {
    name: "Slack's Web API",
    host: /^([\w-]+\.)?slack(-gov)?\.com$/,
    path: /^\/api\//,
    remedies: forAll(
      'use a sink of type teamchat with delivery_mode thread, bot_token and channel_id, and no address',
    ),
  },
  // https://docs.discord.com/developers/resources/webhook#execute-slackcompatible-webhook
  {
    name: 'Discord',
    host: DISCORD,
    path: /^\/api(\/v\d+)?\/webhooks\/.*\/slack\/?$/,
    remedies: forPayloads(TEAMCHAT),
  },
  {
    name: 'Discord',
    host: DISCORD,
    path: /^\/api(\/v\d+)?\/webhooks\//,
    remedies: { ...forMessages(WITH_SLACK), ...forPayloads(`${TEAMCHAT}, and ${WITH_SLACK}`) },
  },
  // https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  {
    name: 'Microsoft Teams',
    host: /(^|\.)webhook\.office\.com$/,
    remedies: {
      ...forPayloads(`${TEAMCHAT} and format text`),
      ...{ json: 'set format to text', card: CONNECTOR },
    },
  },
  {
    name: 'Microsoft Teams or Power Automate',
    host: /\.(logic\.azure\.com|powerplatform\.com)$/,
    remedies: {
      ...forMessages(`${WORKFLOWS}; or a sink of type webhook, with this address as url, and ${CARD}`),
      payload: `${WORKFLOWS}, or ${CARD}`,
    },
  },
  // https://core.telegram.org/bots/api#making-requests
  {
    name: 'Telegram',
    host: /^api\.telegram\.org$/,
    remedies: forAll('use a sink of type botchat, with the token and chat_id'),
  },
];

/** Why a URL that may be used is probably a mistake, and what to do; never a part of it. */
export function addressNotes(field: string, text: string, sent: Sent): string[] {
  const { hostname, pathname } = new URL(text);
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const chat = CHATS.find((each) => each.host.test(host) && (each.path?.test(pathname) ?? true));
  const remedy = chat?.remedies[sent];
  const what =
    sent === 'payload' || sent === 'rendered'
      ? 'the payload of a webhook sink'
      : sent === 'card'
        ? 'the cards of an msteams sink'
        : 'the messages of a teamchat sink';
  return [
    ...(chat === undefined || remedy === undefined
      ? []
      : [`${field}: is an address of ${chat.name}, which does not show ${what}; ${remedy}`]),
    ...(holdsPlaceholder(decoded(text), 'address')
      ? [
          `${field}: holds a placeholder such as \${…}, {…} or <…>, which hnotif sends as it is; write the address itself${field === 'url' ? ': the body names plan, namespace and event' : ''}`,
        ]
      : []),
  ];
}

/** Without the escapes that other programs write for such characters. */
export const decoded = (url: string): string =>
  url.replace(/%(24|3c|3e|7b|7d)/gi, (escape) => decodeURIComponent(escape));
