import type { BotchatMessage } from './message.ts';
import type { Params } from './params.ts';

export type ReplyReading =
  /** `to` undefined: the message is no reply. */
  | { readonly ok: true; readonly to: BotchatMessage | undefined }
  | { readonly ok: false; readonly description: string };

/**
 * Reads `reply_parameters`, a JSON object, or the older `reply_to_message_id`, and finds the message among those of the chat.
 * core.telegram.org/bots/api#replyparameters
 */
export function readReply(params: Params, messages: readonly BotchatMessage[]): ReplyReading {
  const {
    reply_parameters: text = '',
    reply_to_message_id: old = '',
    allow_sending_without_reply = '',
  } = params;
  let json: unknown = old === '' ? undefined : { message_id: Number(old), allow_sending_without_reply };
  if (text !== '' && text !== 'null')
    try {
      json = JSON.parse(text);
    } catch {
      return { ok: false, description: "can't parse reply parameters JSON object" };
    }
  if (json === undefined) return { ok: true, to: undefined };
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { ok: false, description: 'object expected as reply parameters' };
  const { message_id: id, allow_sending_without_reply: allowed } = json as Readonly<Record<string, unknown>>;
  const to = messages.find(({ message_id }) => message_id === id);
  return to !== undefined || /^(?:true|1)$/i.test(String(allowed))
    ? { ok: true, to }
    : { ok: false, description: 'message to be replied not found' };
}
