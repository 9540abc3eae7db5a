import { FakeChat, type Fields, type Stored } from '../../../teamchat/thread/testing/fake-chat.ts';

/** A chat of the Bot API, in memory: the part that a board needs. */
export class FakeBot extends FakeChat {
  override roots(): Stored[] {
    return this.messages.filter(({ thread, deleted }) => thread === undefined && !deleted);
  }

  protected override perform(method: string, fields: Fields): Fields {
    return method === 'sendMessage' ? this.#send(fields) : this.#edit(fields);
  }

  #send({ chat_id: channel, text, reply_parameters: to }: Fields): Fields {
    const ts = String(this.messages.length + 1);
    const { message_id: thread } = (to ?? {}) as { readonly message_id?: number };
    this.messages.push({
      ...{ channel: String(channel), ts, text: String(text), metadata: undefined },
      ...{ thread: thread === undefined ? undefined : String(thread) },
      ...{ blocks: [], deleted: false, statuses: [] },
    });
    return { ok: true, result: { message_id: Number(ts) } };
  }

  #edit({ message_id: id, text }: Fields): Fields {
    const i = this.messages.findIndex(({ ts, deleted }) => ts === String(id) && !deleted);
    const old = this.messages[i];
    if (old === undefined) return refusal('message to edit not found');
    if (old.text === text) return refusal('message is not modified: the same content');
    this.messages[i] = { ...old, text: String(text) };
    return { ok: true, result: { message_id: id } };
  }
}

const refusal = (why: string): Fields => ({ ok: false, error_code: 400, description: `Bad Request: ${why}` });
