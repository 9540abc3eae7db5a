/** A chat whose addresses take a JSON of its own, and what to use instead of a webhook sink. */
interface Chat {
  readonly name: string;
  readonly host: RegExp;
  readonly path?: RegExp;
  readonly remedy: string;
}

const TEAMCHAT = 'use a sink of type teamchat, with this address as webhook_url';

/** The first that matches counts. */
const CHATS: readonly Chat[] = [
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  { name: 'Slack', host: /^hooks\.slack(-gov)?\.com$/, remedy: TEAMCHAT },
  // https://docs.discord.com/developers/resources/webhook#execute-slackcompatible-webhook
  {
    name: 'Discord',
    host: /^((canary|ptb)\.)?discord(app)?\.com$/,
    path: /^\/api(\/v\d+)?\/webhooks\/.*\/slack\/?$/,
    remedy: TEAMCHAT,
  },
  {
    name: 'Discord',
    host: /^((canary|ptb)\.)?discord(app)?\.com$/,
    path: /^\/api(\/v\d+)?\/webhooks\//,
    remedy: `${TEAMCHAT}, and put /slack at its end`,
  },
  // https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  { name: 'Microsoft Teams', host: /(^|\.)webhook\.office\.com$/, remedy: `${TEAMCHAT} and format text` },
  {
    name: 'Microsoft Teams or Power Automate',
    host: /\.(logic\.azure\.com|powerplatform\.com)$/,
    remedy:
      'let the flow make its card from the fields of context, or from rendered with enable_renderer: true and a template',
  },
  // https://core.telegram.org/bots/api#making-requests
  {
    name: 'Telegram',
    host: /^api\.telegram\.org$/,
    remedy: 'use a sink of type botchat, with the token and chat_id',
  },
];

/** A note if the address is that of a chat, which does not take a webhook's payload; undefined: it is not. */
export function noteOfChat({ hostname, pathname }: URL): string | undefined {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const chat = CHATS.find((each) => each.host.test(host) && (each.path?.test(pathname) ?? true));
  return (
    chat &&
    `url is an address of ${chat.name}, which does not show the payload of a webhook sink; ${chat.remedy}`
  );
}
