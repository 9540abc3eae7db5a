import { Receiver, type ReceiverOptions } from '../receiver.ts';
import type { Context, Manners } from './context.ts';
import { makeTeamchatHandler } from './handler.ts';
import { Limiter, type TeamchatRates } from './limiter.ts';
import type { TeamchatMessage } from './message.ts';
import { describeTeamchatRecord, type TeamchatFindings } from './record.ts';
import { Tokens, type TokenSettings } from './tokens.ts';
import type { WebhookSettings } from './webhook.ts';
import { Workspace, type ChannelSettings } from './workspace.ts';

export interface TeamchatOptions extends ReceiverOptions, Partial<Manners> {
  /** Default: one, `C0HIBERNATE` named `hibernation`. */
  readonly channels?: readonly ChannelSettings[];
  /** The Web API's tokens. Default: `xoxb-test`, with all necessary scopes. */
  readonly tokens?: Readonly<Record<string, TokenSettings>>;
  /** Incoming webhooks by path. Default: every path under `/services/` posts to the first channel. */
  readonly webhooks?: Readonly<Record<string, WebhookSettings>>;
  /** Default: no limits. */
  readonly rates?: TeamchatRates;
}

/** Starts a chat; resolves when it listens. */
export async function startTeamchatReceiver(options: TeamchatOptions = {}): Promise<TeamchatReceiver> {
  const receiver = new TeamchatReceiver(options);
  await receiver.listen();
  return receiver;
}

/** One workspace of Slack: incoming webhooks, and the part of the Web API for posting and finding messages. */
export class TeamchatReceiver extends Receiver<TeamchatFindings> {
  readonly #context: Context;

  constructor(options: TeamchatOptions) {
    const { channels = [{ id: 'C0HIBERNATE', name: 'hibernation' }], tokens = { 'xoxb-test': {} } } = options;
    const now = options.now ?? Date.now;
    const context: Context = {
      workspace: new Workspace(channels, now, options.keepMessages),
      tokens: new Tokens(tokens),
      limiter: new Limiter(options.rates ?? {}, now),
      manners: {
        pageSize: options.pageSize ?? 15,
        lostThreads: options.lostThreads ?? 'unthread',
        updateKeepsBlocks: options.updateKeepsBlocks ?? false,
        editWindow: options.editWindow ?? Infinity,
      },
      now,
    };
    const webhooks = options.webhooks && new Map(Object.entries(options.webhooks));
    const webhook = (path: string): WebhookSettings | undefined => {
      const settings = webhooks === undefined && path.startsWith('/services/') ? {} : webhooks?.get(path);
      return settings && { channel: channels[0]?.id, ...settings };
    };
    super(options, {
      path: '',
      handle: makeTeamchatHandler(context, webhook),
      describe: describeTeamchatRecord,
    });
    this.#context = context;
  }

  /** The Web API's base, without a slash at the end: `http://127.0.0.1:1234/api`. */
  get apiUrl(): string {
    return `${this.origin}/api`;
  }

  /** The URL of an incoming webhook. */
  webhookUrl(path = '/services/T0HNOTIF/B0HOOK/secret'): string {
    return this.origin + path;
  }

  /**
   * A channel by its ID, as its readers see it when `messages` is read. All its messages are created then, so read them only if you need
   * them.
   * @throws RangeError for an unknown channel
   */
  channel(id: string): { readonly name: string; readonly messages: readonly TeamchatMessage[] } {
    const { workspace } = this.#context;
    const channel = workspace.channel(id);
    if (channel === undefined) throw new RangeError(`no channel ${id}`);
    return {
      name: channel.name,
      get messages() {
        return workspace.messages(id);
      },
    };
  }

  /** Creates a channel, or changes one: archives it, removes the bot from it. */
  setChannel(id: string, settings: Omit<ChannelSettings, 'id'>): void {
    this.#context.workspace.setChannel(id, settings);
  }

  /** Creates a token, or changes one: revokes it, removes scopes. */
  setToken(token: string, settings: TokenSettings): void {
    this.#context.tokens.set(token, settings);
  }

  /** Deletes a message like a user; false if it does not exist. A root with replies becomes a placeholder. */
  deleteMessage(ts: string): boolean {
    return this.#context.workspace.remove(ts);
  }
}
