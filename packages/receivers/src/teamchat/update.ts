import { stringOf } from './arguments.ts';
import { checkTeamchatMessage } from './check.ts';
import type { Context } from './context.ts';
import { readMetadata } from './metadata.ts';
import { contentRefusal } from './post.ts';
import { messageBody } from './render.ts';
import { refuse, type Ruling } from './ruling.ts';
import type { Fields } from '@hnotif/judges/slack';
import { missingScope, type Bearer } from './tokens.ts';

/** Bytes of `text`, measured in practice. chat.postMessage cuts a longer text instead of refusing it. */
const LONGEST_TEXT = 4000;

/** https://docs.slack.dev/reference/methods/chat.update */
export function updateMessage(fields: Fields, bearer: Bearer, context: Context): Ruling {
  const { workspace, manners, now } = context;
  const scope = missingScope(bearer, 'chat:write');
  if (scope !== undefined) return scope;
  const [named, ts] = [stringOf(fields.channel), stringOf(fields.ts)];
  if (named === undefined || ts === undefined)
    return refuse('invalid_arguments', {
      errors: [`missing required field: ${named === undefined ? 'channel' : 'ts'}`],
    });
  // Other than chat.postMessage, this method accepts only IDs.
  const channel = workspace.channel(named);
  if (channel === undefined) return refuse('channel_not_found');
  if (channel.archived) return refuse('is_inactive');
  const old = workspace.find(channel.id, ts);
  if (old === undefined) return refuse('message_not_found');
  if (old.author !== bearer.bot) return refuse('cant_update_message');
  if (now() / 1000 - Number(ts) > manners.editWindow) return refuse('edit_window_closed');
  if (Buffer.byteLength(stringOf(fields.text) ?? '') > LONGEST_TEXT) return refuse('msg_too_long');
  const metadata = fields.metadata == null ? old.metadata : readMetadata(fields.metadata);
  if (metadata !== undefined && 'error' in metadata) return refuse(String(metadata.error));

  const check = checkTeamchatMessage(fields);
  if (check.error !== undefined) return contentRefusal(check);
  const { entities, warnings } = check;
  const keepsBlocks = fields.blocks == null && (manners.updateKeepsBlocks || fields.text == null);
  const content = {
    ...check.content,
    text: fields.text == null ? old.text : check.content.text,
    blocks: keepsBlocks ? old.blocks : check.content.blocks,
    attachments: fields.attachments == null ? old.attachments : check.content.attachments,
  };
  return {
    error: undefined,
    takes: true,
    warnings,
    entities,
    act: () => {
      const message = workspace.update(ts, { content, entities, metadata });
      return {
        message,
        body: { ok: true, channel: channel.id, ts, text: message.text, message: messageBody(message, true) },
      };
    },
  };
}
