import type { TeamchatMessage } from './message.ts';
import type { Fields } from './shape.ts';

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
    subtype: 'bot_message',
    bot_id: author,
    text,
    ts,
    ...(blocks.length > 0 && { blocks }),
    ...(attachments.length > 0 && { attachments }),
    ...threaded,
    ...(editedTs !== undefined && { edited: { user: author, ts: editedTs } }),
    ...(withMetadata && metadata !== undefined && { metadata }),
  };
}
