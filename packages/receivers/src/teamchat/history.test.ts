import { describe, expect, it } from 'vitest';
import { CHANNEL, chatsOfTest, postTs, read, type Json } from '../../test/teamchat.ts';
import type { TeamchatReceiver } from './receiver.ts';

const start = chatsOfTest();
const history = (chat: TeamchatReceiver, args: Record<string, string> = {}): Promise<Json> =>
  read(chat, 'conversations.history', { channel: CHANNEL, ...args });
const repliesOf = (chat: TeamchatReceiver, args: Record<string, string> = {}): Promise<Json> =>
  read(chat, 'conversations.replies', { channel: CHANNEL, ...args });

interface Message extends Json {
  readonly ts: string;
  readonly text: string;
}
const messages = (answer: Json): Message[] => answer.messages as Message[];
const texts = (answer: Json): string[] => messages(answer).map(({ text }) => text);
const cursor = (answer: Json): string => (answer.response_metadata as { next_cursor: string }).next_cursor;

/** A chat whose clock advances by a second with each message. */
async function filled(count: number, options: Parameters<typeof start>[0] = {}): Promise<TeamchatReceiver> {
  let second = 1_767_643_200;
  const chat = await start({ now: () => second++ * 1000, ...options });
  for (let n = 1; n <= count; n++) await postTs(chat, { text: `m${n}` });
  return chat;
}

describe('conversations.history', () => {
  it('gives the newest messages first, fifteen at a time, however many are asked for', async () => {
    const chat = await filled(32);
    const first = await history(chat, { limit: '200' });
    expect(texts(first)).toEqual(Array.from({ length: 15 }, (_, n) => `m${32 - n}`));
    expect(first.has_more).toBe(true);
    const second = await history(chat, { cursor: cursor(first) });
    expect(texts(second)).toEqual(Array.from({ length: 15 }, (_, n) => `m${17 - n}`));
    const third = await history(chat, { cursor: cursor(second) });
    expect(third).toMatchObject({ ok: true, has_more: false });
    expect(third).not.toHaveProperty('response_metadata');
    expect(texts(third)).toEqual(['m2', 'm1']);
  });

  it('may have larger pages, and smaller ones', async () => {
    const chat = await filled(20, { pageSize: 999 });
    expect(texts(await history(chat))).toHaveLength(20);
    expect(texts(await history(chat, { limit: '3' }))).toEqual(['m20', 'm19', 'm18']);
  });

  it('gives what lies between two moments, with or without those', async () => {
    const chat = await filled(5);
    const ts = chat.channel(CHANNEL).messages.map((message) => message.ts);
    const [, second = '', , fourth = ''] = ts;
    const range = { oldest: second, latest: fourth };
    expect(texts(await history(chat, range))).toEqual(['m3']);
    expect(texts(await history(chat, { ...range, inclusive: 'true' }))).toEqual(['m4', 'm3', 'm2']);
    expect(texts(await history(chat, { oldest: String(Math.floor(Number(fourth))) }))).toEqual(['m5']);
    expect(texts(await history(chat, { latest: second, inclusive: '1', limit: '1' }))).toEqual(['m2']);
  });

  it('shows roots without their replies, and metadata when asked for it', async () => {
    const chat = await start();
    const metadata = { event_type: 'hnotif_root', event_payload: { key: 'k' } };
    const root = await postTs(chat, { text: 'root', metadata });
    const reply = await postTs(chat, { text: 'reply', thread_ts: root });
    const [plain] = messages(await history(chat));
    expect(plain).toMatchObject({ text: 'root', thread_ts: root, reply_count: 1, latest_reply: reply });
    expect(plain).not.toHaveProperty('metadata');
    expect(messages(await history(chat, { include_all_metadata: 'true' }))).toMatchObject([{ metadata }]);
  });

  it('shows where a deleted root has been', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root', metadata: { event_type: 'a', event_payload: {} } });
    await postTs(chat, { text: 'reply', thread_ts: root });
    chat.deleteMessage(root);
    const [left] = messages(await history(chat, { include_all_metadata: 'true' }));
    expect(left).toMatchObject({ subtype: 'tombstone', ts: root });
    expect(left).not.toHaveProperty('metadata');
  });

  it.each([
    ['no channel', { channel: '' }, 'invalid_arguments'],
    ['an unknown channel', { channel: 'C0NOWHERE' }, 'channel_not_found'],
    ['a channel that the bot was not invited to', { channel: 'C0FOREIGN' }, 'not_in_channel'],
    ['a private channel without its scope', { channel: 'G0PRIVATE' }, 'missing_scope'],
    ['a moment that is none', { oldest: 'now' }, 'invalid_ts_oldest'],
    ['another moment that is none', { latest: '-1' }, 'invalid_ts_latest'],
    ['a limit that is none', { limit: '0' }, 'invalid_limit'],
    ['a cursor that is none', { cursor: 'x' }, 'invalid_cursor'],
  ])('refuses %s', async (_what, args: Record<string, string>, error) => {
    const chat = await start({
      channels: [{ id: CHANNEL }, { id: 'C0FOREIGN', member: false }, { id: 'G0PRIVATE' }],
      tokens: { 'xoxb-test': { scopes: ['channels:history'] } },
    });
    expect(await history(chat, args)).toMatchObject({ ok: false, error });
  });
});

describe('conversations.replies', () => {
  it('gives the root, then its thread, the oldest first', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    for (let n = 1; n <= 20; n++) await postTs(chat, { text: `r${n}`, thread_ts: root });
    await postTs(chat, { text: 'other' });
    const first = await repliesOf(chat, { ts: root });
    expect(texts(first)).toEqual(['root', ...Array.from({ length: 14 }, (_, n) => `r${n + 1}`)]);
    expect(messages(first).every((each) => each.thread_ts === root)).toBe(true);
    const second = await repliesOf(chat, { ts: root, cursor: cursor(first) });
    expect(texts(second)).toEqual(['r15', 'r16', 'r17', 'r18', 'r19', 'r20']);
    expect(second.has_more).toBe(false);
  });

  it('gives the newer ones alone, after the root, when asked to', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    await postTs(chat, { text: 'r1', thread_ts: root });
    const second = await postTs(chat, { text: 'r2', thread_ts: root });
    expect(texts(await repliesOf(chat, { ts: root, oldest: second, inclusive: 'true' }))).toEqual([
      'root',
      'r2',
    ]);
  });

  it('gives a message without a thread, or a reply, alone', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    expect(texts(await repliesOf(chat, { ts: root }))).toEqual(['root']);
    await postTs(chat, { text: 'r1', thread_ts: root });
    const second = await postTs(chat, { text: 'r2', thread_ts: root });
    expect(texts(await repliesOf(chat, { ts: second }))).toEqual(['r2']);
  });

  it('refuses what is not there', async () => {
    const chat = await start();
    expect(await repliesOf(chat)).toMatchObject({ error: 'invalid_arguments' });
    expect(await repliesOf(chat, { ts: '1767643200.000001' })).toMatchObject({ error: 'thread_not_found' });
    const root = await postTs(chat, { text: 'root' });
    expect(await repliesOf(chat, { ts: root, limit: 'x' })).toMatchObject({ error: 'invalid_limit' });
    chat.deleteMessage(root);
    expect(await repliesOf(chat, { ts: root })).toMatchObject({ error: 'thread_not_found' });
  });
});
