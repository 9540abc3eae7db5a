import { badRequest, type Refusal } from './refusal.ts';

export type ChatType = 'private' | 'group' | 'supergroup' | 'channel';

/** The bot's membership in a chat. */
export type Standing =
  /** It may write there. */
  | 'member'
  /** The user has never written to it. */
  | 'stranger'
  /** The user has blocked it, or an administrator of the group or channel has removed it. */
  | 'banned'
  /** It has not been added, or has left. */
  | 'outside'
  /** It is a member, but may not write. */
  | 'muted'
  /** The user's account, or the group, was deleted. */
  | 'gone';

/** Nobody but administrators may write to a closed topic. */
export type Topic = 'open' | 'closed' | 'deleted';

export interface ChatSettings {
  /** Users have positive ids, groups negative ones; those of supergroups and channels begin with -100. */
  readonly id: number;
  /** Default: by the sign and the size of the id. */
  readonly type?: ChatType;
  /** Default: `hnotif`. */
  readonly title?: string;
  /** An alternative name of the chat, with an `@` before it. Default: none. */
  readonly username?: string;
  /** Default `member`. */
  readonly standing?: Standing;
  /** The topics by their numbers, besides General. Default: the chat has none. */
  readonly topics?: Readonly<Record<number, Topic>>;
  /** The supergroup that the group has become. Default: none. */
  readonly migratedTo?: number;
}

/** A chat as the Bot API writes it (core.telegram.org/bots/api#chat). */
export interface Chat {
  readonly id: number;
  readonly type: ChatType;
  readonly title?: string;
  readonly first_name?: string;
  readonly username?: string;
  /** Whether it has topics. */
  readonly is_forum?: true;
}

export function chatOf({ id, type = typeOf(id), title = 'hnotif', username, topics }: ChatSettings): Chat {
  const names = type === 'private' ? { first_name: title } : { title };
  const forum = topics !== undefined && { is_forum: true as const };
  return { id, type, ...names, ...(username !== undefined && { username }), ...forum };
}

/** Why a message for a topic is refused; undefined if it is taken. General has no number for senders. */
export function topicRefusal({ topics = {} }: ChatSettings, topic: number): Refusal | undefined {
  switch (topics[topic]) {
    case 'open':
      return undefined;
    case 'closed':
      return badRequest('TOPIC_CLOSED');
    case 'deleted':
      return badRequest('TOPIC_DELETED');
    case undefined:
      return badRequest('message thread not found');
  }
}

function typeOf(id: number): ChatType {
  if (id > 0) return 'private';
  return id < -1_000_000_000_000 ? 'supergroup' : 'group';
}

/** Why a message for a chat is refused; undefined if the bot may write. */
export function refusalOf(settings: ChatSettings): Refusal | undefined {
  const { standing = 'member', migratedTo } = settings;
  const { type } = chatOf(settings);
  if (migratedTo !== undefined) {
    return {
      code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: migratedTo },
    };
  }
  if (standing === 'member') return undefined;
  const description = type === 'private' ? ALONE[standing] : among(standing, type);
  return { code: description.startsWith('Forbidden') ? 403 : 400, description };
}

// The messages of github.com/tdlib/telegram-bot-api, as seen in practice.
const ALONE: Readonly<Record<Exclude<Standing, 'member'>, string>> = {
  stranger: "Forbidden: bot can't initiate conversation with a user",
  banned: 'Forbidden: bot was blocked by the user',
  outside: 'Bad Request: chat not found',
  muted: 'Forbidden: bot was blocked by the user',
  gone: 'Forbidden: user is deactivated',
};

function among(standing: Exclude<Standing, 'member'>, type: ChatType): string {
  switch (standing) {
    case 'stranger':
      return 'Bad Request: chat not found';
    case 'banned':
      return `Forbidden: bot was kicked from the ${type} chat`;
    case 'outside':
      return `Forbidden: bot is not a member of the ${type} chat`;
    case 'muted':
      return type === 'channel'
        ? 'Bad Request: need administrator rights in the channel chat'
        : 'Bad Request: not enough rights to send text messages to the chat';
    case 'gone':
      return `Forbidden: the ${type} chat was deleted`;
  }
}
