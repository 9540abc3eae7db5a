import { OWN_MESSAGE, type OutcomeRow } from '../outcome-table.ts';

/** An answer of the Bot API to sendMessage, and its meaning. The first row that matches counts. */
export interface AnswerRow extends OutcomeRow {
  /** `error_code`, which is the HTTP status, too. */
  readonly codes: readonly number[];
  /** Any of these in `description`, in any case; empty: the code is enough. */
  readonly says: readonly string[];
}

const MAY_PASS = 'it may pass by itself; if not, see whether Telegram has an outage';
const GATEWAY = 'what stands before the Bot API got no answer from it: the message may be there';
const TEMPLATE = 'correct the template';

/**
 * Descriptions are those of the Bot API's own source (https://github.com/tdlib/telegram-bot-api) and of the servers behind it
 * (https://core.telegram.org/method/messages.sendMessage), which come through in capitals.
 */
export const ANSWERS: readonly AnswerRow[] = [
  {
    codes: [401],
    says: [],
    kind: 'rejected-configuration',
    reason: 'TokenRejected',
    remedy: 'token is not valid (any more): get the present one from @BotFather and put it into the secret',
  },
  {
    codes: [404],
    says: [],
    kind: 'rejected-configuration',
    reason: 'TokenUnknown',
    remedy:
      'no bot has this token, or --bot-api-url is not the address of a Bot API: check token in the secret',
  },
  {
    codes: [400, 403],
    says: ['upgraded to a supergroup', 'channel_migrated', 'chat_migrated'],
    kind: 'rejected-configuration',
    reason: 'ChatMigrated',
    remedy: 'the group is a supergroup now: put its new id, which begins with -100, into chat_id',
  },
  {
    codes: [400],
    says: ["can't parse entities", "can't parse entity", 'entity_', 'entities_', 'invalid custom emoji'],
    kind: 'rejected-payload',
    reason: 'MarkupRejected',
    otherwise: OWN_MESSAGE,
    remedy: `${TEMPLATE}: values go through escapeHTML or escapeMarkdown, as parse_mode says`,
  },
  {
    codes: [400],
    says: ['message is too long', 'message_too_long', 'text is too long', 'msg_too_long'],
    kind: 'rejected-payload',
    reason: 'MessageTooLong',
    otherwise: OWN_MESSAGE,
    remedy: `${TEMPLATE}: a message has at most 4096 characters`,
  },
  {
    codes: [400],
    says: ['text is empty', 'must be non-empty', 'message_empty'],
    kind: 'rejected-payload',
    reason: 'MessageEmpty',
    otherwise: OWN_MESSAGE,
    remedy: `${TEMPLATE}: its output has no visible text`,
  },
  {
    codes: [400],
    says: ['encoded in utf-8', 'invalid unicode', 'unsupported parse_mode'],
    kind: 'rejected-payload',
    reason: 'TextRejected',
    otherwise: OWN_MESSAGE,
    remedy: TEMPLATE,
  },
  {
    codes: [400],
    says: [
      'chat not found',
      'chat_id is empty',
      'chat_id_invalid',
      'peer_id_invalid',
      'user_id_invalid',
      'channel_invalid',
      'username_invalid',
      'username_not_occupied',
      'user not found',
      'invalid user_id',
      'chat identifier',
    ],
    kind: 'rejected-configuration',
    reason: 'ChatNotFound',
    remedy:
      'check chat_id; to a person the bot can write only once they have started it, to a group or channel once it was added',
  },
  {
    codes: [400, 403],
    says: ['deactivated', 'chat was deleted', 'chat is deleted', 'channel_private', 'chat_forbidden'],
    kind: 'rejected-configuration',
    reason: 'ChatGone',
    remedy: 'the chat or its user was deleted: put another one into chat_id',
  },
  {
    codes: [400, 403],
    says: [
      'not enough rights',
      'have no rights',
      'need administrator rights',
      'no write access',
      'write_forbidden',
      'admin_required',
      'plain_forbidden',
      'chat_restricted',
      'user_banned_in_channel',
      'chat_guest_send_forbidden',
    ],
    kind: 'rejected-configuration',
    reason: 'RightsMissing',
    remedy: 'let the bot post there: make it an administrator, or give it the right to send messages',
  },
  {
    codes: [400],
    says: ['topic_closed'],
    kind: 'rejected-configuration',
    reason: 'TopicClosed',
    remedy: 'open the topic again; without message_thread_id it is the General topic of the group',
  },
  {
    codes: [400],
    says: ['topic_deleted', 'thread not found'],
    kind: 'rejected-configuration',
    reason: 'TopicDeleted',
    remedy:
      'the topic is not there: put the number of another one into message_thread_id, or after the colon of chat_id, or leave it out',
  },
  {
    codes: [403],
    says: ['blocked by the user', 'user_is_blocked'],
    kind: 'rejected-configuration',
    reason: 'BotBlocked',
    remedy: 'the person has to unblock the bot',
  },
  {
    codes: [403],
    says: ['was kicked', 'not a member', 'not a participant'],
    kind: 'rejected-configuration',
    reason: 'BotNotInChat',
    remedy: 'add the bot to the chat (again); to a channel, as an administrator',
  },
  {
    codes: [403],
    says: ["can't initiate conversation", "can't send messages to", 'user_is_bot'],
    kind: 'rejected-configuration',
    reason: 'ConversationNotStarted',
    remedy: 'the person has to start the bot first; no bot can write to a bot',
  },
  {
    codes: [403],
    says: [],
    kind: 'rejected-configuration',
    reason: 'Forbidden',
    remedy: 'check what the bot may do in the chat',
  },
  {
    codes: [407],
    says: [],
    kind: 'rejected-configuration',
    reason: 'ProxyUnauthorized',
    remedy: "check the proxy's credentials",
  },
  { codes: [408, 425], says: [], kind: 'transient', reason: 'RequestTimeout', remedy: MAY_PASS },
  {
    codes: [413],
    says: [],
    kind: 'rejected-payload',
    reason: 'MessageTooLong',
    otherwise: OWN_MESSAGE,
    remedy: `${TEMPLATE}: a message has at most 4096 characters`,
  },
  {
    codes: [420, 429],
    says: [],
    kind: 'throttled',
    reason: 'TooManyRequests',
    remedy:
      'Telegram takes about one message a second for a chat and 20 a minute for a group: ask for fewer events in onEvents, or lower rate_limit',
  },
  { codes: [502, 504], says: [], kind: 'ambiguous', reason: 'BadGateway', remedy: GATEWAY },
];

const NO_CHAT =
  'a web page answered, not Telegram: check --bot-api-url, and what proxies and firewalls on the way refuse';

/** For a web page instead of an answer in JSON, by its status. The first row that matches counts. */
export const PAGES: readonly AnswerRow[] = [
  { codes: [200, 201, 202, 203, 204], says: [], kind: 'transient', reason: 'NotAChat', remedy: NO_CHAT },
  {
    codes: [401, 403, 404, 405, 410],
    says: [],
    kind: 'rejected-configuration',
    reason: 'NotAChat',
    remedy: NO_CHAT,
  },
  { codes: [502, 504], says: [], kind: 'ambiguous', reason: 'NotAChat', remedy: NO_CHAT },
  {
    codes: [500, 501, 503, 520, 521, 522, 523, 525, 526],
    says: [],
    kind: 'transient',
    reason: 'NotAChat',
    remedy: NO_CHAT,
  },
];

/** For other codes. */
export const OTHER_ANSWERS = {
  /** Below 400, but no success. */
  strange: {
    kind: 'ambiguous',
    reason: 'UnexpectedAnswer',
    remedy: 'this is not an answer of a Bot API: check --bot-api-url and the proxies between',
  },
  redirect: {
    kind: 'rejected-configuration',
    reason: 'Redirected',
    remedy: 'redirects are not followed: set --bot-api-url to the final address',
  },
  refused: {
    kind: 'rejected-payload',
    reason: 'BadRequest',
    remedy: 'check the template and chat_id against what it says',
    otherwise: 'check chat_id against what it says',
  },
  failing: { kind: 'transient', reason: 'ServerError', remedy: MAY_PASS },
} as const satisfies Record<string, OutcomeRow>;
