import { expect, it, onTestFinished } from 'vitest';
import { botchatsOfTest, GROUP, sendMessage } from '../test/botchat.ts';
import { call, CHANNEL, chatsOfTest, postTs } from '../test/teamchat.ts';
import { startMsteamsReceiver } from './index.ts';

const startTeamchat = chatsOfTest();
const startBotchat = botchatsOfTest();

it('teamchat keeps the threads of a channel that changed last, and the last edits', async () => {
  const chat = await startTeamchat({ keepMessages: 2 });
  const root = await postTs(chat, { text: 'root' });
  const lost = await postTs(chat, { text: 'lost' });
  const reply = await postTs(chat, { text: 'reply', thread_ts: lost });
  for (const text of ['1', '2', '3']) await call(chat, 'chat.update', { channel: CHANNEL, ts: root, text });
  await postTs(chat, { text: 'new' });
  expect(chat.channel(CHANNEL).messages).toMatchObject([
    { text: '3', edits: [{ text: '1' }, { text: '2' }] },
    { text: 'new' },
  ]);
  for (const ts of [lost, reply])
    expect(await call(chat, 'chat.update', { channel: CHANNEL, ts, text: 'x' })).toMatchObject({
      error: 'message_not_found',
    });
  await postTs(chat, { text: 'reply', thread_ts: root });
  await postTs(chat, { text: 'newer' });
  expect(chat.channel(CHANNEL).messages.map(({ text }) => text)).toEqual(['3', 'newer']);
});

it('botchat keeps the newest messages of a chat', async () => {
  const receiver = await startBotchat({ keepMessages: 2 });
  for (const text of ['a', 'b', 'c']) await sendMessage(receiver, { text });
  expect(receiver.chat(GROUP).messages.map(({ text }) => text)).toEqual(['b', 'c']);
});

it('msteams keeps the newest cards', async () => {
  const receiver = await startMsteamsReceiver({ keepMessages: 2 });
  onTestFinished(() => receiver.close());
  for (const text of ['a', 'b', 'c']) {
    const content = { type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlock', text }] };
    const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
    await fetch(receiver.webhookUrl(), {
      method: 'POST',
      body: JSON.stringify({ type: 'message', attachments }),
    });
  }
  expect(receiver.messages).toMatchObject([
    { cards: [{ body: [{ text: 'b' }] }] },
    { cards: [{ body: [{ text: 'c' }] }] },
  ]);
});
