import { describe, expect, it } from 'vitest';
import { send } from '../../test/raw-client.ts';
import { call, CHANNEL, chatsOfTest, post, read, TOKEN } from '../../test/teamchat.ts';

const start = chatsOfTest();
const json = 'application/json; charset=utf-8';
const bearer = { authorization: `Bearer ${TOKEN}` };

describe('the Web API', () => {
  it('tells a token’s owner', async () => {
    const chat = await start();
    expect(await call(chat, 'auth.test', {})).toMatchObject({
      ok: true,
      bot_id: 'B0HNOTIF',
      user_id: 'U0HNOTIF',
    });
    expect(chat.records[0]).toMatchObject({
      call: 'auth.test',
      answered: { status: 200, accepted: false },
      message: undefined,
    });
  });

  it.each([
    ['none', {}, 'not_authed'],
    ['one in JSON, where it is not looked for', { 'x-in-body': '1' }, 'not_authed'],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 'not_authed'],
    ['a wrong one', { authorization: 'Bearer xoxb-other' }, 'invalid_auth'],
    ['one of an account that is gone', { authorization: 'Bearer xoxb-1' }, 'account_inactive'],
    ['a revoked one', { authorization: 'Bearer xoxb-2' }, 'token_revoked'],
    ['one whose time is over', { authorization: 'Bearer xoxb-3' }, 'token_expired'],
  ])('refuses a call with %s for a token', async (_what, headers, error) => {
    const chat = await start({
      tokens: {
        [TOKEN]: {},
        'xoxb-1': { refused: 'account_inactive' },
        'xoxb-2': { refused: 'token_revoked' },
        'xoxb-3': { refused: 'token_expired' },
      },
    });
    const body = JSON.stringify({ channel: CHANNEL, text: 'a', token: TOKEN });
    const answer = await send(`${chat.apiUrl}/chat.postMessage`, {
      headers: { 'content-type': json, ...headers },
      body,
    });
    expect([answer.status, answer.body]).toEqual([200, JSON.stringify({ ok: false, error })]);
    expect(chat.records[0]?.params).not.toHaveProperty('token');
  });

  it('lets a token be revoked, and scopes be taken from it', async () => {
    const chat = await start();
    expect(await post(chat, { text: 'a' })).toMatchObject({ ok: true });
    chat.setToken(TOKEN, { scopes: ['chat:write'] });
    expect(await read(chat, 'conversations.history', { channel: CHANNEL })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'channels:history',
      provided: 'chat:write',
    });
    chat.setToken(TOKEN, { scopes: [] });
    expect(await post(chat, { text: 'a' })).toMatchObject({ error: 'missing_scope', needed: 'chat:write' });
    expect(await call(chat, 'chat.update', {})).toMatchObject({
      error: 'missing_scope',
      needed: 'chat:write',
    });
    expect(await call(chat, 'auth.test', {})).toMatchObject({ ok: true });
    chat.setToken(TOKEN, { refused: 'token_revoked' });
    expect(await call(chat, 'auth.test', {})).toMatchObject({ error: 'token_revoked' });
  });

  it.each([
    ['an unknown method', 'chat.posMessage', json, '{}', 'unknown_method'],
    ['no content type', 'chat.postMessage', undefined, '{}', 'missing_post_type'],
    ['an odd content type', 'chat.postMessage', 'text/plain', '{}', 'invalid_post_type'],
    ['an odd charset', 'chat.postMessage', 'application/json; charset=utf-16', '{}', 'invalid_charset'],
    ['what is not JSON', 'chat.postMessage', json, '{', 'invalid_json'],
    ['half a surrogate pair', 'chat.postMessage', json, '{"text":"\\udc00"}', 'invalid_json'],
    ['what is no object', 'chat.postMessage', json, '[]', 'json_not_object'],
    [
      'a form that is not UTF-8',
      'chat.update',
      'application/x-www-form-urlencoded',
      'a=%ff',
      'invalid_form_data',
    ],
    ['nothing at all', 'chat.postMessage', json, '', 'not_authed'],
  ])('refuses %s', async (_what, method, type, body, error) => {
    const chat = await start();
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const answer = await send(`${chat.apiUrl}/${method}`, { headers, body });
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error });
  });

  it('takes forms, in which lists and objects are JSON and the token may stand', async () => {
    const chat = await start();
    const body = new URLSearchParams({
      token: TOKEN,
      channel: '#hibernation',
      text: 'a',
      blocks: '[{"type":"divider"}]',
      metadata: '{"event_type":"t","event_payload":{"k":1}}',
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await send(`${chat.apiUrl}/chat.postMessage`, { headers, body });
    expect(JSON.parse(answer.body)).toMatchObject({ ok: true, channel: CHANNEL });
    expect(chat.channel(CHANNEL).messages).toMatchObject([
      { text: 'a', blocks: [{ type: 'divider' }], metadata: { event_type: 't', event_payload: { k: 1 } } },
    ]);
  });

  it('has a channel as it is when its messages are read', async () => {
    const chat = await start();
    const channel = chat.channel(CHANNEL);
    expect(channel.messages).toEqual([]);
    await post(chat, { text: 'a' });
    expect(channel.messages).toMatchObject([{ text: 'a' }]);
  });

  it('warns of JSON without a charset', async () => {
    const chat = await start();
    const answer = await call(chat, 'auth.test', {}, { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ ok: true, warning: 'missing_charset' });
    expect(answer).toHaveProperty('response_metadata.warnings', ['missing_charset']);
  });

  it('reads by GET, too, but does not write so', async () => {
    const chat = await start();
    const url = `${chat.apiUrl}/conversations.history?channel=${CHANNEL}`;
    const get = async (address: string): Promise<unknown> =>
      JSON.parse((await send(address, { method: 'GET', headers: bearer, body: '' })).body);
    expect(await get(url)).toEqual({ ok: true, messages: [], has_more: false });
    const write = `${chat.apiUrl}/chat.postMessage?channel=${CHANNEL}&text=a`;
    expect(await get(write)).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(chat.channel(CHANNEL).messages).toEqual([]);
  });

  it('limits the calls of a method, and the messages of a channel, when asked to', async () => {
    let now = 0;
    const chat = await start({
      channels: [{ id: CHANNEL }, { id: 'C2' }],
      rates: { messagesPerSecond: 0.5, callsPerMinute: { 'conversations.history': 1 } },
      now: () => now,
    });
    expect(await post(chat, { text: 'a' })).toMatchObject({ ok: true });
    const answer = await send(`${chat.apiUrl}/chat.postMessage`, {
      headers: { 'content-type': json, ...bearer },
      body: JSON.stringify({ channel: CHANNEL, text: 'b' }),
    });
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      429,
      '2',
      '{"ok":false,"error":"ratelimited"}',
    ]);
    expect(await post(chat, { channel: 'C2', text: 'a' })).toMatchObject({ ok: true });
    now = 2000;
    expect(await post(chat, { text: 'b' })).toMatchObject({ ok: true });
    expect(await read(chat, 'conversations.history', { channel: CHANNEL })).toMatchObject({ ok: true });
    expect(await read(chat, 'conversations.history', { channel: CHANNEL })).toMatchObject({ ok: false });
    expect(chat.records.at(-1)?.answered.status).toBe(429);
  });

  it('says in one line what a request was', async () => {
    const chat = await start();
    await post(chat, { text: 'a' });
    await post(chat, { blocks: [{ type: 'header' }] });
    await expect(chat.waitFor(() => false, { timeoutMs: 0 })).rejects.toThrow(
      /#1 POST \/api\/chat.postMessage, \d+ bytes, answered 200, accepted, message \d+\.\d+ "a"\n.*invalid_blocks; missing required field: text/,
    );
  });
});
