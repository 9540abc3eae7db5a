import { describe, expect, it } from 'vitest';
import { call, CHANNEL, chatsOfTest, post, postTs } from '../../test/teamchat.ts';

const start = chatsOfTest();
const metadata = {
  event_type: 'hnotif_root',
  event_payload: { key: 'k', list: [1, true], inner: { a: 'b' } },
};

describe('chat.postMessage', () => {
  it('gives the message back with its channel’s ID and its ts', async () => {
    const chat = await start({ now: () => 1_767_643_200_000 });
    expect(await post(chat, { channel: 'hibernation', text: 'a', metadata })).toEqual({
      status: 200,
      ok: true,
      channel: CHANNEL,
      ts: '1767643200.000000',
      message: {
        type: 'message',
        user: 'U0HNOTIF',
        bot_id: 'B0HNOTIF',
        app_id: 'A0HNOTIF',
        team: 'T0HNOTIF',
        text: 'a',
        ts: '1767643200.000000',
        metadata,
      },
    });
    // One microsecond later, although the clock stands still.
    expect(await post(chat, { text: 'b' })).toMatchObject({ ts: '1767643200.000001' });
  });

  it.each([
    ['<b> & c', '&lt;b&gt; &amp; c'],
    ['a &lt; b &amp; c', 'a &lt; b &amp; c'],
    [
      '<https://a.example|x> <!here> <@U123> <#C123> < >',
      '<https://a.example|x> <!here> <@U123> <#C123> &lt; &gt;',
    ],
    ['<!date^1^{date}> 1 > 0', '&lt;!date^1^{date}&gt; 1 &gt; 0'],
  ])('gives %s back as Slack stores it', async (text, stored) => {
    const { message } = await post(await start(), { text });
    expect(message).toMatchObject({ text: stored });
  });

  it.each([
    ['no channel', { channel: undefined }, 'invalid_arguments'],
    ['an unknown channel', { channel: 'C0NOWHERE' }, 'channel_not_found'],
    ['a channel that is archived', { channel: 'C0OLD' }, 'is_archived'],
    ['a channel that the bot was not invited to', { channel: 'C0FOREIGN' }, 'not_in_channel'],
    ['nothing to say', {}, 'no_text'],
    ['blanks', { text: '  ' }, 'no_text'],
    ['a text that is none', { text: {} }, 'invalid_arguments'],
    ['a name that is none', { text: 'a', username: 7 }, 'invalid_arguments'],
    ['an emoji that is none', { text: 'a', icon_emoji: [':moon:'] }, 'invalid_arguments'],
    ['an icon that is none', { text: 'a', icon_url: {} }, 'invalid_arguments'],
    ['a way of parsing that is none', { text: 'a', parse: false }, 'invalid_arguments'],
    ['blocks that are no list', { blocks: {} }, 'invalid_blocks_format'],
    ['blocks within blocks, as JSON', { blocks: '{"blocks":[]}' }, 'invalid_blocks_format'],
    ['attachments that are no list', { attachments: {} }, 'invalid_attachments'],
    ['an attachment’s blocks that are no list', { attachments: [{ blocks: {} }] }, 'invalid_attachments'],
    ['metadata that is none', { text: 'a', metadata: 'x' }, 'invalid_metadata_format'],
    ['metadata without its payload', { text: 'a', metadata: { event_type: 'a' } }, 'invalid_metadata_format'],
    [
      'metadata without its type',
      { text: 'a', metadata: { ...metadata, event_type: '' } },
      'invalid_metadata_format',
    ],
    ['metadata with more', { text: 'a', metadata: { ...metadata, more: 1 } }, 'invalid_metadata_schema'],
    [
      'metadata that is deep',
      { text: 'a', metadata: { event_type: 'a', event_payload: { a: { b: { c: 1 } } } } },
      'invalid_metadata_schema',
    ],
    [
      'metadata that is long',
      { text: 'a', metadata: { event_type: 'a', event_payload: { a: 'x'.repeat(8192) } } },
      'metadata_too_large',
    ],
    ['a thread’s ts that is a number', { text: 'a', thread_ts: 1767643200.000001 }, 'invalid_thread_ts'],
    ['a thread’s ts that is empty', { text: 'a', thread_ts: '' }, 'invalid_thread_ts'],
    ['a thread’s ts in another form', { text: 'a', thread_ts: '1767643200' }, 'invalid_thread_ts'],
  ])('refuses %s', async (_what, args, error) => {
    const chat = await start({
      channels: [{ id: CHANNEL }, { id: 'C0OLD', archived: true }, { id: 'C0FOREIGN', member: false }],
    });
    expect(await post(chat, args)).toMatchObject({ status: 200, ok: false, error });
    expect(chat.channel(CHANNEL).messages).toEqual([]);
    expect(chat.records[0]).toMatchObject({ error, answered: { accepted: false } });
  });

  it('tells which argument is none, and where an attachment’s blocks are not in order', async () => {
    const chat = await start();
    expect(await post(chat, { text: 'a', parse: 1 })).toMatchObject({
      errors: ['must provide a string [json-pointer:/parse]'],
    });
    const attachments = [{}, { color: '#f00', blocks: [{ type: 'divider' }, { type: 'button' }] }];
    const fault = 'unsupported type: button [json-pointer:/attachments/1/blocks/1/type]';
    expect(await post(chat, { attachments })).toEqual({
      status: 200,
      ok: false,
      error: 'invalid_attachments',
      errors: [fault],
      response_metadata: { messages: [`[ERROR] ${fault}`] },
    });
    expect(chat.records[1]?.errors).toEqual([fault]);
  });

  it('takes names and icons, and attachments with blocks, without, and with none', async () => {
    const chat = await start();
    const looks = { username: '', icon_emoji: ':moon:', icon_url: 'https://x.test/y', parse: 'none' };
    const attachments = [{ blocks: [{ type: 'divider' }] }, { text: 'a' }, { blocks: [] }];
    expect(await post(chat, { ...looks, attachments })).toMatchObject({ ok: true });
    expect(await post(chat, { text: 'a', username: null, attachments: null })).toMatchObject({ ok: true });
  });

  it('posts to a public channel uninvited with the scope for it', async () => {
    const chat = await start({
      channels: [{ id: CHANNEL, member: false }],
      tokens: { 'xoxb-test': { scopes: ['chat:write', 'chat:write.public'] } },
    });
    expect(await post(chat, { text: 'a' })).toMatchObject({ ok: true });
  });

  it('puts replies into their thread, in their order', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    const first = await post(chat, { text: 'first', thread_ts: root });
    expect(first).toMatchObject({ message: { thread_ts: root } });
    await post(chat, { text: 'other' });
    // A reply's own ts leads to the same thread.
    await post(chat, { text: 'second', thread_ts: first.ts });
    expect(chat.channel(CHANNEL).messages).toMatchObject([
      {
        text: 'root',
        ts: root,
        threadTs: undefined,
        replies: [{ text: 'first', threadTs: root }, { text: 'second' }],
      },
      { text: 'other', replies: [] },
    ]);
    expect(chat.records[1]?.message).toMatchObject({ text: 'first', threadTs: root });
  });

  it('posts a reply into the channel when its root is gone, and does not tell', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    expect(chat.deleteMessage(root)).toBe(true);
    expect(chat.deleteMessage(root)).toBe(false);
    const answer = await post(chat, { text: 'reply', thread_ts: root });
    expect(answer).toMatchObject({ ok: true });
    expect(answer).not.toHaveProperty('message.thread_ts');
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'reply', threadTs: undefined }]);
  });

  it('refuses it instead when asked to', async () => {
    const chat = await start({ lostThreads: 'refuse' });
    expect(await post(chat, { text: 'reply', thread_ts: '1767643200.000001' })).toMatchObject({
      error: 'thread_not_found',
    });
  });

  it('keeps the thread of a deleted root that has replies', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    const first = await postTs(chat, { text: 'first', thread_ts: root });
    chat.deleteMessage(root);
    expect(await post(chat, { text: 'second', thread_ts: root })).toMatchObject({
      message: { thread_ts: root },
    });
    expect(chat.channel(CHANNEL).messages).toMatchObject([
      { ts: root, deleted: true, replies: [{ text: 'first' }, { text: 'second' }] },
    ]);
    expect(await call(chat, 'chat.update', { channel: CHANNEL, ts: root, text: 'a' })).toMatchObject({
      error: 'message_not_found',
    });
    // With its last reply it is removed, too.
    for (const ts of [first, chat.channel(CHANNEL).messages[0]?.replies[1]?.ts ?? '']) chat.deleteMessage(ts);
    expect(chat.channel(CHANNEL).messages).toEqual([]);
  });
});

describe('chat.update', () => {
  const divider = { type: 'divider' };
  const update = (
    chat: Parameters<typeof call>[0],
    args: Parameters<typeof call>[2],
    headers?: Record<string, string>,
  ): ReturnType<typeof call> => call(chat, 'chat.update', { channel: CHANNEL, ...args }, headers);

  it('puts other content there, and remembers what was', async () => {
    const chat = await start();
    const ts = await postTs(chat, { text: 'one', blocks: [divider], metadata });
    expect(await update(chat, { ts, text: 'two', blocks: [divider, divider] })).toMatchObject({
      ok: true,
      channel: CHANNEL,
      ts,
      text: 'two',
      message: { text: 'two', edited: { user: 'U0HNOTIF' }, metadata },
    });
    await update(chat, { ts, text: 'three <!here>', blocks: [divider], metadata: {} });
    expect(chat.channel(CHANNEL).messages).toMatchObject([
      {
        ts,
        text: 'three <!here>',
        metadata: undefined,
        entities: [{ kind: 'mention', who: '!here' }],
        edits: [{ text: 'one' }, { text: 'two', blocks: [divider, divider] }],
      },
    ]);
    expect(chat.stats()).toMatchObject({ requests: 3, accepted: 3 });
  });

  it('keeps what is left out, but a text alone takes the blocks away', async () => {
    const chat = await start();
    const attachments = [{ text: 'a' }];
    const ts = await postTs(chat, { text: 'one', blocks: [divider], attachments });
    await update(chat, { ts, attachments: [{ text: 'b' }] });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'one', blocks: [divider] }]);
    await update(chat, { ts, blocks: [divider, divider] });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'one', blocks: [divider, divider] }]);
    await update(chat, { ts, text: 'two' });
    expect(chat.channel(CHANNEL).messages).toMatchObject([
      { text: 'two', blocks: [], attachments: [{ text: 'b' }] },
    ]);
  });

  it('keeps the blocks beside a new text where it has its older manners', async () => {
    const chat = await start({ updateKeepsBlocks: true });
    const ts = await postTs(chat, { text: 'one', blocks: [divider] });
    await update(chat, { ts, text: 'two' });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'two', blocks: [divider] }]);
    await update(chat, { ts, text: 'three', blocks: [] });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'three', blocks: [] }]);
  });

  it('changes a reply, too', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    const ts = await postTs(chat, { text: 'reply', thread_ts: root });
    await update(chat, { ts, text: 'changed' });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'root', replies: [{ text: 'changed' }] }]);
  });

  it('takes a text of 4,000 bytes', async () => {
    const chat = await start();
    const ts = await postTs(chat, { text: 'one' });
    expect(await update(chat, { ts, text: 'ü'.repeat(2000) })).toMatchObject({ ok: true });
    expect(await update(chat, { ts, text: `${'ü'.repeat(2000)}u` })).toMatchObject({ error: 'msg_too_long' });
  });

  it.each([
    ['no ts', { text: 'a' }, 'invalid_arguments'],
    ['no channel', { channel: undefined, ts: '1767643200.000001', text: 'a' }, 'invalid_arguments'],
    [
      'a channel by its name',
      { channel: 'hibernation', ts: '1767643200.000001', text: 'a' },
      'channel_not_found',
    ],
    ['a message that is not there', { ts: '1767643200.000001', text: 'a' }, 'message_not_found'],
  ])('refuses %s', async (_what, args, error) => {
    const chat = await start();
    expect(await update(chat, args)).toMatchObject({ ok: false, error });
  });

  it('refuses what a message may not become', async () => {
    const chat = await start({ channels: [{ id: CHANNEL }, { id: 'C2' }] });
    const ts = await postTs(chat, { text: 'one' });
    expect(await update(chat, { ts })).toMatchObject({ error: 'no_text' });
    expect(await update(chat, { ts, blocks: [{ type: 'header' }] })).toMatchObject({
      error: 'invalid_blocks',
    });
    expect(await update(chat, { ts, text: 'a', metadata: 1 })).toMatchObject({
      error: 'invalid_metadata_format',
    });
    expect(await update(chat, { ts, channel: 'C2', text: 'a' })).toMatchObject({
      error: 'message_not_found',
    });
    chat.setChannel(CHANNEL, { archived: true });
    expect(await update(chat, { ts, text: 'a' })).toMatchObject({ error: 'is_inactive' });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'one', edits: [] }]);
  });

  it('changes its own bot’s messages alone', async () => {
    const chat = await start({ tokens: { 'xoxb-test': {}, 'xoxb-other': { bot: 'B2' } } });
    const ts = await postTs(chat, { text: 'one' });
    const other = { authorization: 'Bearer xoxb-other' };
    expect(await update(chat, { ts, text: 'a' }, other)).toMatchObject({ error: 'cant_update_message' });
  });

  it('changes messages for a while only when asked to', async () => {
    let now = 1_767_643_200_000;
    const chat = await start({ editWindow: 60, now: () => now });
    const ts = await postTs(chat, { text: 'one' });
    now += 60_000;
    expect(await update(chat, { ts, text: 'two' })).toMatchObject({ ok: true });
    now += 1;
    expect(await update(chat, { ts, text: 'three' })).toMatchObject({ error: 'edit_window_closed' });
  });
});
