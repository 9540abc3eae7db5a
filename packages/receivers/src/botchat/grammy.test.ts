import { Api, GrammyError } from 'grammy';
import { describe, expect, it } from 'vitest';
import { BOT, botchatsOfTest, GROUP } from '../../test/botchat.ts';
import { botchatFlood, type BotchatReceiver } from '../index.ts';

const start = botchatsOfTest();
const apiOf = ({ url }: BotchatReceiver, token = BOT): Api => new Api(token, { apiRoot: url });

/** What grammY reports about a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<GrammyError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof GrammyError) return error;
  throw new Error('the call did not end in an error of the Bot API', { cause: error });
}

describe('grammY', () => {
  it('sends messages, and reads what the chat shows', async () => {
    const receiver = await start({ tokens: [BOT] });
    const api = apiOf(receiver);
    expect(await api.getMe()).toMatchObject({ id: 123456, is_bot: true });
    const sent = await api.sendMessage(GROUP, '<b>Done</b> 🌙 x.org', {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    });
    expect(sent).toMatchObject({
      message_id: 1,
      chat: { id: GROUP, type: 'supergroup' },
      text: 'Done 🌙 x.org',
      entities: [
        { type: 'bold', offset: 0, length: 4 },
        { type: 'url', offset: 8, length: 5 },
      ],
    });
    const reply = await api.sendMessage(GROUP, 'a', { reply_parameters: { message_id: sent.message_id } });
    expect(reply.reply_to_message).toMatchObject({ message_id: 1 });
    expect(receiver.chat(GROUP).messages).toHaveLength(2);
  });

  it('changes a message; an unchanged and a deleted one are refused', async () => {
    const receiver = await start({ rates: { perGroupPerMinute: 3 }, now: () => 1_767_643_200_000 });
    const api = apiOf(receiver);
    const { message_id } = await api.sendMessage(GROUP, '<b>1</b> of 2', { parse_mode: 'HTML' });
    const edit = (text: string) => api.editMessageText(GROUP, message_id, text, { parse_mode: 'HTML' });
    expect(await edit('<b>2</b> of 2')).toMatchObject({
      message_id,
      text: '2 of 2',
      edit_date: 1_767_643_200,
    });
    expect(receiver.chat(GROUP).messages).toMatchObject([{ text: '2 of 2', edits: [{ text: '1 of 2' }] }]);
    expect(await errorOf(edit('<b>2</b> of 2'))).toMatchObject({
      error_code: 400,
      description: expect.stringMatching(/^Bad Request: message is not modified: /) as unknown,
    });
    expect(await errorOf(edit('<b>3'))).toMatchObject({ error_code: 400 });
    // The same text in another style is another content. An edit counts for the limit.
    await edit('2 of 2');
    expect(await errorOf(edit('3 of 3'))).toMatchObject({ error_code: 429 });
    receiver.deleteMessage(GROUP, message_id);
    expect(receiver.chat(GROUP).messages).toEqual([]);
    expect(await errorOf(edit('3 of 3'))).toMatchObject({
      description: 'Bad Request: message to edit not found',
    });
    expect(() => receiver.deleteMessage(GROUP, message_id)).toThrow('there is no message');
  });

  it('gets refusals with their code and description', async () => {
    const receiver = await start({ tokens: [BOT], chats: [{ id: GROUP }, { id: 7, standing: 'banned' }] });
    const api = apiOf(receiver);
    for (const [call, error_code, description] of [
      [
        api.sendMessage(GROUP, 'a.', { parse_mode: 'MarkdownV2' }),
        400,
        "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
      ],
      [api.sendMessage(GROUP, 'x'.repeat(4097)), 400, 'Bad Request: message is too long'],
      [api.sendMessage(8, 'a'), 400, 'Bad Request: chat not found'],
      [api.sendMessage(7, 'a'), 403, 'Forbidden: bot was blocked by the user'],
      [apiOf(receiver, '1:other').getMe(), 401, 'Unauthorized'],
    ] as const)
      expect(await errorOf(call)).toMatchObject({ error_code, description });
    expect(receiver.chat(GROUP).messages).toEqual([]);
  });

  it('is told how long to wait, and where a group has gone', async () => {
    const receiver = await start({ chats: [{ id: -5, migratedTo: GROUP }, { id: GROUP }] });
    const api = apiOf(receiver);
    expect(await errorOf(api.sendMessage(-5, 'a'))).toMatchObject({
      error_code: 400,
      parameters: { migrate_to_chat_id: GROUP },
    });
    receiver.faults.add({ times: 1, fault: botchatFlood(7) });
    expect(await errorOf(api.sendMessage(GROUP, 'a'))).toMatchObject({
      error_code: 429,
      parameters: { retry_after: 7 },
    });
    expect(await api.sendMessage(GROUP, 'a')).toMatchObject({ message_id: 1 });
  });
});
