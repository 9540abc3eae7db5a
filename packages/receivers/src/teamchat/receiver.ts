import { Receiver, type ReceiverOptions } from '../receiver.ts';
import type { Context, Manners } from './context.ts';
import { makeTeamchatJudge } from './judge.ts';
import { Limiter, type TeamchatRates } from './limiter.ts';
import type { TeamchatMessage } from './message.ts';
import { describeTeamchatRecord, type TeamchatFindings } from './record.ts';
import { Tokens, type TokenSettings } from './tokens.ts';
import type { WebhookSettings } from './webhook.ts';
import { Workspace, type ChannelSettings } from './workspace.ts';

export interface TeamchatOptions extends ReceiverOptions, Partial<Manners> {
  /** Default: one, `C0HIBERNATE` named `hibernation`. */
  readonly channels?: readonly ChannelSettings[];
  /** The Web API's tokens. Default: `xoxb-test`, with all scopes that are needed. */
  readonly tokens?: Readonly<Record<string, TokenSettings>>;
  /** Incoming webhooks by path. Default: every path under `/services/` posts to the first channel. */
  readonly webhooks?: Readonly<Record<string, WebhookSettings>>;
  /** Default: nothing is too much. */
  readonly rates?: TeamchatRates;
}

/** Starts a chat; resolves when it listens. */
export async function startTeamchatReceiver(options: TeamchatOptions = {}): Promise<TeamchatReceiver> {
  const receiver = new TeamchatReceiver(options);
  await receiver.listen();
  return receiver;
}

/** One workspace of Slack: incoming webhooks and as much of the Web API as posting and finding messages takes. */
export class TeamchatReceiver extends Receiver<TeamchatFindings> {
  readonly #context: Context;

  constructor(options: TeamchatOptions) {
    const { channels = [{ id: 'C0HIBERNATE', name: 'hibernation' }], tokens = { 'xoxb-test': {} } } = options;
    const now = options.now ?? Date.now;
    const context: Context = {
      workspace: new Workspace(channels, now),
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
      judge: makeTeamchatJudge(context, webhook),
      describe: describeTeamchatRecord,
    });
    this.#context = context;
  }

  /** The Web API's base, without a slash at the end: `http://127.0.0.1:1234/api`. */
  get apiUrl(): string {
    return `${this.origin}/api`;
  }

  /** An incoming webhook's address. */
  webhookUrl(path = '/services/T0HNOTIF/B0HOOK/secret'): string {
    return this.origin + path;
  }

  /**
   * A channel as its readers see it when `messages` is read, by its ID. All its messages are made then, so read them only if you need them.
   * Throws a RangeError where there is none.
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

  /** Makes a channel, or changes one: archives it, removes the bot from it. */
  setChannel(id: string, settings: Omit<ChannelSettings, 'id'>): void {
    this.#context.workspace.setChannel(id, settings);
  }

  /** Makes a token, or changes one: revokes it, takes scopes away. */
  setToken(token: string, settings: TokenSettings): void {
    this.#context.tokens.set(token, settings);
  }

  /** Deletes a message as a user does; false where it is not there. A root that has replies leaves its place to them. */
  deleteMessage(ts: string): boolean {
    return this.#context.workspace.remove(ts);
  }
}
