import type { ChannelSettings, ChatSettings, TeamchatOptions } from '@hnotif/receivers';
import type { Manifest } from './api.ts';
import { addressIn, configOf } from './manifests.ts';

/** The accounts that the simulated receivers know. They refuse all others, as the real ones do. */
export interface Accounts {
  /** The keys with which webhooks are signed. */
  readonly signingSecrets: readonly string[];
  readonly teamchat: Required<Pick<TeamchatOptions, 'channels' | 'tokens' | 'webhooks'>>;
  readonly botchat: { readonly tokens: readonly string[]; readonly chats: readonly ChatSettings[] };
  /** The workflows of Teams, by the path of their addresses. */
  readonly workflows: ReadonlyMap<string, Workflow>;
}

export interface Workflow {
  readonly name: string;
  readonly signature: string;
}

/**
 * The accounts in the secrets of the manifests. A channel, chat or workflow has the name of the first secret that uses it. Incoming
 * webhooks and workflows must be of the `origins` (scheme, host and port).
 */
export function accountsOf(
  manifests: readonly Manifest[],
  origins: { readonly teamchat: string; readonly msteams: string },
): Accounts {
  const signingSecrets = new Set<string>();
  const channels = new Map<string, ChannelSettings>();
  const webhooks = new Map<string, { readonly channel: string }>();
  const tokens = new Set<string>();
  const bots = new Set<string>();
  const chats = new Map<string, ChatSettings>();
  const workflows = new Map<string, Workflow>();
  for (const manifest of manifests) {
    const { name } = manifest.metadata;
    const config = configOf(manifest);
    for (const secret of [config.signing_secret].flat())
      if (typeof secret === 'string') signingSecrets.add(secret);

    const webhook = addressIn(config, 'webhook_url');
    if (webhook?.origin === origins.teamchat && !webhooks.has(webhook.pathname)) {
      const id = `C0DEV${channels.size + 1}`;
      channels.set(id, { id, name });
      webhooks.set(webhook.pathname, { channel: id });
    }
    if (webhook?.origin === origins.msteams && !workflows.has(webhook.pathname))
      workflows.set(webhook.pathname, { name, signature: webhook.searchParams.get('sig') ?? '' });
    const id = wordIn(config, 'channel_id');
    if (id !== '' && !channels.has(id)) channels.set(id, { id, name });
    tokens.add(wordIn(config, 'bot_token'));

    bots.add(wordIn(config, 'token'));
    const chat = wordIn(config, 'chat_id');
    if (!chats.has(chat)) chats.set(chat, chatSettings(chat, name, chats.size));
  }
  const named = [...tokens].filter((token) => token !== '');
  return {
    signingSecrets: [...signingSecrets],
    teamchat: {
      channels: [...channels.values()],
      tokens: Object.fromEntries(named.map((token) => [token, {}])),
      webhooks: Object.fromEntries(webhooks),
    },
    botchat: {
      tokens: [...bots].filter((token) => token !== ''),
      chats: [...chats.values()].filter(({ id }) => Number.isSafeInteger(id) && id !== 0),
    },
    workflows,
  };
}

/** A number is the id of a chat. A chat with a name gets an id. */
function chatSettings(chat: string, title: string, index: number): ChatSettings {
  return chat.startsWith('@')
    ? { id: -1_001_000_000_000 - index, type: 'channel', username: chat.slice(1), title }
    : { id: Number(chat), title };
}

/** The text of a field, trimmed as sinks do it; `''` if there is none. */
function wordIn(config: Readonly<Record<string, unknown>>, field: string): string {
  const value = config[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}
