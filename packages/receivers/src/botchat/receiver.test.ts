import { describe, expect, it } from 'vitest';
import { BOT, botchatsOfTest, GROUP, refused, sendMessage, sendRaw } from '../../test/botchat.ts';
import { ManualTimer } from '../../test/manual-timer.ts';
import { send } from '../../test/raw-client.ts';
import { botchatFault, botchatFlood } from '../index.ts';

const start = botchatsOfTest();

describe('a botchat receiver', () => {
  it('takes a reply to a message of the chat, and refuses one to a message that is not there', async () => {
    const receiver = await start();
    await sendMessage(receiver, { text: 'a' });
    const to = (message_id: number, more = {}) => ({ text: 'b', reply_parameters: { message_id, ...more } });
    expect((await sendMessage(receiver, to(1))).result).toMatchObject({
      reply_to_message: { message_id: 1, text: 'a' },
    });
    expect(await sendMessage(receiver, to(7))).toMatchObject({
      error_code: 400,
      description: 'Bad Request: message to be replied not found',
    });
    expect(await sendMessage(receiver, { text: 'b', reply_to_message_id: 7 })).toMatchObject({
      error_code: 400,
    });
    const anyway = await sendMessage(receiver, to(7, { allow_sending_without_reply: true }));
    expect(anyway.result).not.toHaveProperty('reply_to_message');
    expect(await sendMessage(receiver, { text: 'b', reply_parameters: [] })).toMatchObject({
      description: 'Bad Request: object expected as reply parameters',
    });
  });

  it('has topics, which may be closed or deleted', async () => {
    const receiver = await start();
    receiver.setChat({ id: GROUP, topics: { 42: 'open', 43: 'closed', 44: 'deleted' } });
    const send = (message_thread_id?: number | string) =>
      sendMessage(receiver, { text: 'a', message_thread_id, disable_notification: true });
    expect((await send(42)).result).toMatchObject({
      chat: { is_forum: true },
      message_thread_id: 42,
      is_topic_message: true,
    });
    expect((await send()).result).not.toHaveProperty('message_thread_id');
    expect(await send(43)).toMatchObject({ description: 'Bad Request: TOPIC_CLOSED' });
    expect(await send('44')).toMatchObject({ description: 'Bad Request: TOPIC_DELETED' });
    // General has no number for senders.
    for (const none of [45, 1])
      expect(await send(none)).toMatchObject({ description: 'Bad Request: message thread not found' });
    expect(receiver.chat(GROUP).messages.map(({ topic, silent }) => [topic, silent])).toEqual([
      [42, true],
      [undefined, true],
    ]);
    const plain = { chat_id: -5, text: 'a', message_thread_id: 42 };
    expect(await sendMessage(receiver, plain)).toMatchObject({
      description: 'Bad Request: message thread not found',
    });
  });

  it('takes a message in and answers it as its readers see it', async () => {
    const receiver = await start({ now: () => 1_767_643_200_999 });
    const link_preview_options = { is_disabled: true };
    const params = { text: ' <b>Done</b> x.org ', parse_mode: 'html', link_preview_options };
    const entities = [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'url', offset: 5, length: 5 },
    ];
    expect(await sendMessage(receiver, params)).toEqual({
      status: 200,
      ok: true,
      result: {
        message_id: 1,
        from: { id: 123456, is_bot: true, first_name: 'hnotif', username: 'hnotif_bot' },
        chat: { id: GROUP, type: 'supergroup', title: 'hnotif' },
        date: 1_767_643_200,
        text: 'Done x.org',
        entities,
        link_preview_options,
      },
    });
    expect(receiver.chat(GROUP).messages).toEqual([
      {
        message_id: 1,
        chat: { id: GROUP, type: 'supergroup', title: 'hnotif' },
        date: 1_767_643_200,
        text: 'Done x.org',
        entities,
        previewDisabled: true,
        source: { text: ' <b>Done</b> x.org ', parse_mode: 'html' },
      },
    ]);
    expect(receiver.records[0]).toMatchObject({
      call: 'sendMessage',
      params: { chat_id: String(GROUP), link_preview_options: '{"is_disabled":true}' },
      refusal: undefined,
      message: { message_id: 1 },
      answered: { status: 200, accepted: true },
    });
  });

  it('says nothing of previews where there is no link', async () => {
    const params = { text: 'a', link_preview_options: { is_disabled: true } };
    expect((await sendMessage(await start(), params)).result).not.toHaveProperty('link_preview_options');
  });

  it('reads parameters from a form, the query and JSON', async () => {
    const receiver = await start();
    const url = `${receiver.url}/bot${BOT}/SendMessage`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ chat_id: '5', text: 'ä & b+c', parse_mode: '' }).toString();
    expect((await send(url, { headers: form, body })).status).toBe(200);
    expect((await send(`${url}?chat_id=5&text=100%+%C3%BC`, { method: 'GET', body: '' })).status).toBe(200);
    expect((await send(`${url}?chat_id=5`, { headers: form, body: 'chat_id=6&text=c&text=d' })).status).toBe(
      200,
    );
    expect((await sendRaw(receiver, '{"chat_id":5,"text":12}')).status).toBe(200);
    expect(receiver.chat(5).messages.map(({ text }) => text)).toEqual(['ä & b+c', '100% ü', 'c', '12']);
  });

  it.each([
    ['a text that is not UTF-8', 'text=%FF', 'strings must be encoded in UTF-8'],
    ['half an emoji', { text: '\ud83c' }, 'strings must be encoded in UTF-8'],
    ['what is not JSON', '{"chat_id":', "can't parse JSON"],
    ['what is no object', '[]', 'JSON object expected'],
    ['no text', {}, 'message text is empty'],
    ['another mode', { text: 'a', parse_mode: 'Text' }, 'unsupported parse_mode'],
    ['entities', { text: 'a', entities: [] }, 'entities are not simulated'],
    [
      'options that are none',
      { text: 'a', link_preview_options: 'x' },
      "can't parse link preview options JSON object",
    ],
    [
      'options that are no object',
      { text: 'a', link_preview_options: [] },
      'object expected as link preview options',
    ],
    [
      'a switch that is none',
      { text: 'a', link_preview_options: { is_disabled: 1 } },
      'field "is_disabled" must be of type Boolean',
    ],
  ])('refuses %s', async (_what, params, reason) => {
    const receiver = await start();
    const isForm = typeof params === 'string' && params.startsWith('text=');
    const answer = isForm
      ? await send(`${receiver.url}/bot${BOT}/sendMessage?${params}`)
      : typeof params === 'string'
        ? await sendRaw(receiver, params)
        : await sendRaw(receiver, { chat_id: GROUP, ...params });
    expect({ status: answer.status, ...(JSON.parse(answer.body) as object) }).toEqual(
      refused(400, `Bad Request: ${reason}`),
    );
    expect(receiver.records[0]).toMatchObject({ refusal: { code: 400 }, answered: { accepted: false } });
  });

  it('refuses bytes of JSON that are not UTF-8', async () => {
    const receiver = await start();
    const url = `${receiver.url}/bot${BOT}/sendMessage`;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"chat_id":5,"text":"\xff"}', 'latin1'),
    });
    expect(await response.json()).toMatchObject({
      description: 'Bad Request: strings must be encoded in UTF-8',
    });
  });

  it('knows no other path, method or verb', async () => {
    const receiver = await start();
    expect((await send(receiver.url)).status).toBe(404);
    expect((await send(`${receiver.url}/bot${BOT}/sendPhoto`)).status).toBe(404);
    expect((await send(`${receiver.url}/bot${BOT}/sendMessage`, { method: 'PUT' })).status).toBe(405);
    expect(receiver.records.map(({ call }) => call)).toEqual(['', '', 'sendMessage']);
  });

  it('finds every chat where it was not told which there are', async () => {
    const receiver = await start();
    for (const [chat_id, type] of [
      [7, 'private'],
      [-7, 'group'],
      [GROUP, 'supergroup'],
      ['@nights', 'channel'],
    ] as const) {
      expect(await sendMessage(receiver, { chat_id, text: 'a' })).toMatchObject({
        result: { chat: { type } },
      });
    }
    const again = await sendMessage(receiver, { chat_id: '@Nights', text: 'b' });
    const { result } = again as { result: { chat: { id: number } } };
    expect(receiver.chat(result.chat.id).messages.map(({ text }) => text)).toEqual(['a', 'b']);
  });

  it('keeps a message that a fault accepts, and none that it does not', async () => {
    const receiver = await start();
    receiver.faults.add({ times: 1, fault: { kind: 'reset-after-accept' } });
    receiver.faults.add({ times: 1, fault: { kind: 'reset-before-accept', afterBytes: 1 } });
    receiver.faults.add({ times: 1, match: { call: 'sendMessage' }, fault: botchatFlood(7) });
    receiver.faults.add({
      times: 1,
      fault: botchatFault({ code: 403, description: 'Forbidden: bot was blocked by the user' }, true),
    });
    expect((await sendRaw(receiver, { chat_id: GROUP, text: '1' })).error).toBe('ECONNRESET');
    expect((await sendRaw(receiver, { chat_id: GROUP, text: '2' })).error).toBe('ECONNRESET');
    const flood = await sendRaw(receiver, { chat_id: GROUP, text: '3' });
    expect(JSON.parse(flood.body)).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
    expect(flood.headers['retry-after']).toBe('7');
    expect((await sendRaw(receiver, { chat_id: GROUP, text: '4' })).status).toBe(403);
    expect(await sendMessage(receiver, { text: '5' })).toMatchObject({ result: { message_id: 3 } });
    expect(receiver.chat(GROUP).messages.map(({ text }) => text)).toEqual(['1', '4', '5']);
  });

  it('counts a message that is late when it comes', async () => {
    const timer = new ManualTimer();
    const receiver = await start({ after: timer.after });
    receiver.faults.add({ fault: { kind: 'latency', ms: 5000 } });
    const answer = sendMessage(receiver, { text: 'late' });
    await receiver.waitFor((records) => records.length === 1);
    expect(receiver.chat(GROUP).messages).toHaveLength(1);
    timer.fire();
    expect(await answer).toMatchObject({ status: 200 });
  });
});
