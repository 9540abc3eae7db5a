import { storedText } from '@hnotif/judges/slack';
import type { TeamchatMessage } from './message.ts';
import type { Fields } from '@hnotif/judges/slack';

export const TEAM = 'T0HNOTIF';
/** The bot of incoming webhooks. */
export const WEBHOOK_BOT = 'B0HOOK';

/** The user of a bot. */
export const userOf = (bot: string): string => `U${bot.slice(1)}`;

/** The bot's user and app, as messages name them; those of incoming webhooks have no user. */
const appOf = (bot: string): Fields =>
  bot === WEBHOOK_BOT
    ? { subtype: 'bot_message', bot_id: bot }
    : { user: userOf(bot), bot_id: bot, app_id: `A${bot.slice(1)}`, team: TEAM };

/** A message in the Web API's form. */
export function messageBody(message: TeamchatMessage, withMetadata: boolean): Fields {
  const { ts, text, blocks, attachments, author, replies, metadata, editedTs } = message;
  const thread = message.threadTs ?? (replies.length > 0 ? ts : undefined);
  const threaded = {
    ...(thread !== undefined && { thread_ts: thread }),
    ...(replies.length > 0 && { reply_count: replies.length, latest_reply: replies.at(-1)?.ts }),
  };
  if (message.deleted)
    return {
      type: 'message',
      subtype: 'tombstone',
      hidden: true,
      text: 'This message was deleted.',
      ts,
      ...threaded,
    };
  return {
    type: 'message',
    ...appOf(author),
    // https://docs.slack.dev/reference/events/message/thread_broadcast
    ...(message.broadcast === true && { subtype: 'thread_broadcast' }),
    text: storedText(text),
    ts,
    ...(blocks.length > 0 && { blocks }),
    ...(attachments.length > 0 && { attachments }),
    ...threaded,
    ...(editedTs !== undefined && { edited: { user: userOf(author), ts: editedTs } }),
    ...(withMetadata && metadata !== undefined && { metadata }),
  };
}
