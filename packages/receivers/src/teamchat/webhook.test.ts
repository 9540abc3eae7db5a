import { describe, expect, it } from 'vitest';
import { send } from '../../test/raw-client.ts';
import { CHANNEL, chatsOfTest, hook, postTs } from '../../test/teamchat.ts';
import { WEBHOOK_ERRORS, type WebhookError } from './webhook.ts';

const start = chatsOfTest();
const words = Object.keys(WEBHOOK_ERRORS) as WebhookError[];

describe('an incoming webhook', () => {
  it('posts a text, and answers ok', async () => {
    const chat = await start({ now: () => 1_767_643_200_123 });
    const answer = await hook(chat, { text: 'Good *night*' });
    expect([answer.status, answer.body, answer.headers['content-type']]).toEqual([200, 'ok', 'text/html']);
    const message = {
      ts: '1767643200.123000',
      channel: CHANNEL,
      text: 'Good *night*',
      mrkdwn: true,
      edits: [],
    };
    expect(chat.channel(CHANNEL).messages).toMatchObject([message]);
    expect(chat.records).toMatchObject([
      {
        call: 'webhook',
        path: '/services/T0HNOTIF/B0HOOK/secret',
        params: { text: 'Good *night*' },
        error: undefined,
        message,
        answered: { status: 200, fault: undefined, accepted: true },
      },
    ]);
  });

  it('takes a form with the payload in it, too', async () => {
    const chat = await start();
    const body = new URLSearchParams({ payload: '{"text":"a+b & ü"}' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(chat.webhookUrl(), { headers, body })).body).toBe('ok');
    expect(chat.channel(CHANNEL).messages[0]?.text).toBe('a+b & ü');
  });

  it.each([
    ['what is not JSON', '{"text":', 'application/json'],
    ['what is no object', '["text"]', 'application/json'],
    ['a text that is none', '{"text":1}', 'application/json'],
    ['JSON that says it is a form', '{"text":"a"}', 'application/x-www-form-urlencoded'],
    ['JSON without a content type', '{"text":"a"}', ''],
    ['half a surrogate pair', '{"text":"a\\ud83d"}', 'application/json'],
    ['half a surrogate pair in a block', '{"blocks":[{"type":"\\udc00"}]}', 'application/json'],
    ['a name that is none', '{"text":"a","username":7}', 'application/json'],
  ])('refuses %s as an invalid payload', async (_what, body, type) => {
    const chat = await start();
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    expect(await send(chat.webhookUrl(), { headers, body })).toMatchObject({
      status: 400,
      body: 'invalid_payload',
    });
    expect(chat.channel(CHANNEL).messages).toEqual([]);
    expect(chat.records[0]?.answered.accepted).toBe(false);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const chat = await start();
    const bytes = Buffer.from('{"text":"\xff"}', 'latin1');
    const answer = await fetch(chat.webhookUrl(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bytes,
    });
    expect([answer.status, await answer.text()]).toEqual([400, 'invalid_payload']);
  });

  it.each([[{}], [{ text: '' }], [{ text: ' \n' }], [{ text: null, blocks: [], attachments: [] }]])(
    'refuses %j for want of a text',
    async (payload) => {
      const chat = await start();
      expect(await hook(chat, payload)).toMatchObject({ status: 400, body: 'no_text' });
    },
  );

  it.each([
    ['blocks that are no list', { type: 'divider' }],
    ['a block that is no object', ['divider']],
    ['text', 'x'],
  ])('refuses %s', async (_what, blocks) => {
    const chat = await start();
    expect(await hook(chat, { blocks })).toMatchObject({ status: 400, body: 'invalid_blocks_format' });
  });

  it.each([['a'], [[{ blocks: {} }]], [[{ blocks: [{ type: 'button' }] }]]])(
    'refuses attachments %j',
    async (attachments) => {
      const chat = await start();
      expect(await hook(chat, { text: 'a', attachments })).toMatchObject({
        status: 400,
        body: 'invalid_attachments',
      });
    },
  );

  it.each(words)('may be refused with %s', async (refused) => {
    const chat = await start({ webhooks: { '/services/x': { refused } } });
    const answer = await hook(chat, { text: 'a' }, '/services/x');
    expect(answer).toMatchObject({ status: WEBHOOK_ERRORS[refused], body: refused });
  });

  it('is not there at other paths, and posts to the channel that is its own', async () => {
    const chat = await start({
      channels: [{ id: 'C1' }, { id: 'C2' }],
      webhooks: { '/services/a': {}, '/hooks/b': { channel: 'C2' }, '/services/c': { channel: 'C3' } },
    });
    expect(await hook(chat, { text: 'a' }, '/services/a')).toMatchObject({ status: 200 });
    expect(await hook(chat, { text: 'b' }, '/hooks/b?x=1')).toMatchObject({ status: 200 });
    expect(await hook(chat, { text: 'c' }, '/services/c')).toMatchObject({
      status: 404,
      body: 'channel_not_found',
    });
    expect(await hook(chat, { text: 'd' }, '/services/d')).toMatchObject({ status: 404, body: 'no_service' });
    expect(await hook(chat, { text: 'e' }, '/elsewhere')).toMatchObject({
      status: 404,
      body: 'no such page',
    });
    expect(['C1', 'C2'].map((id) => chat.channel(id).messages.map(({ text }) => text))).toEqual([
      ['a'],
      ['b'],
    ]);
    expect(() => chat.channel('C3')).toThrow(RangeError);
  });

  it('posts no more to a channel that is archived', async () => {
    const chat = await start();
    chat.setChannel(CHANNEL, { archived: true });
    expect(await hook(chat, { text: 'a' })).toMatchObject({ status: 410, body: 'channel_is_archived' });
    chat.setChannel(CHANNEL, { archived: false });
    expect((await hook(chat, { text: 'a' })).body).toBe('ok');
  });

  it('may reply to a message', async () => {
    const chat = await start();
    const root = await postTs(chat, { text: 'root' });
    await hook(chat, { text: 'reply', thread_ts: root });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'root', replies: [{ text: 'reply' }] }]);
  });

  it('takes POSTs alone', async () => {
    const chat = await start();
    expect(await send(chat.webhookUrl(), { method: 'GET', body: '' })).toMatchObject({ status: 400 });
  });

  it('takes a message a second when asked to, and says when to come again', async () => {
    let now = 0;
    const chat = await start({ rates: { messagesPerSecond: 1, burst: 2 }, now: () => now });
    const statuses = async (count: number): Promise<(number | undefined)[]> => {
      const answers: (number | undefined)[] = [];
      for (let n = 0; n < count; n++) answers.push((await hook(chat, { text: 'a' })).status);
      return answers;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    const answer = await hook(chat, { text: 'a' });
    expect([answer.headers['retry-after'], answer.body]).toEqual([
      '1',
      '{"retry_after":1,"ok":false,"error":"rate_limited"}',
    ]);
    now = 999;
    expect(await statuses(1)).toEqual([429]);
    now = 1000;
    expect(await statuses(2)).toEqual([200, 429]);
    expect((await hook(chat, { text: 'a' }, '/services/other')).status).toBe(200);
    expect(chat.channel(CHANNEL).messages).toHaveLength(4);
  });
});
