import { describe, expect, it } from 'vitest';
import { ManualTimer } from '../../test/manual-timer.ts';
import { send } from '../../test/raw-client.ts';
import { CHANNEL, chatsOfTest, hook, post, postTs, read } from '../../test/teamchat.ts';
import { teamchatFault } from './fault.ts';
import type { TeamchatReceiver } from './receiver.ts';

const start = chatsOfTest();
const texts = (chat: TeamchatReceiver): string[] => chat.channel(CHANNEL).messages.map(({ text }) => text);

/** Posts a message, and returns how the exchange ended without a readable answer. */
const tell = (chat: TeamchatReceiver, text: string): ReturnType<typeof send> =>
  send(`${chat.apiUrl}/chat.postMessage`, {
    headers: { 'content-type': 'application/json', authorization: 'Bearer xoxb-test' },
    body: JSON.stringify({ channel: CHANNEL, text }),
  });

describe('a fault', () => {
  it('that accepts a message leaves it in the channel, though the sender does not know', async () => {
    const chat = await start();
    chat.faults.add({ fault: { kind: 'reset-after-accept' }, times: 1 });
    expect(await tell(chat, 'a')).toMatchObject({ status: undefined, error: 'ECONNRESET' });
    expect(texts(chat)).toEqual(['a']);
    expect(chat.records[0]).toMatchObject({ message: { text: 'a' }, answered: { accepted: true } });
    const found = await read(chat, 'conversations.history', { channel: CHANNEL });
    expect(found).toMatchObject({ messages: [{ text: 'a' }] });
  });

  it('that does not, does not', async () => {
    const chat = await start();
    chat.faults.add({ fault: { kind: 'reset-before-accept', afterBytes: 3 }, times: 1 });
    chat.faults.add({ fault: { kind: 'status', status: 503 }, times: 1 });
    chat.faults.add({ fault: { kind: 'garbage' }, times: 1 });
    expect((await tell(chat, 'a')).error).toBe('ECONNRESET');
    expect((await tell(chat, 'b')).status).toBe(503);
    expect((await tell(chat, 'c')).status).toBeUndefined();
    expect(texts(chat)).toEqual([]);
    expect(chat.records).toMatchObject([
      { error: 'request_timeout', message: undefined },
      { error: undefined, message: undefined, params: { text: 'b' } },
      { error: undefined, message: undefined },
    ]);
  });

  it('that accepts by its status leaves the message there', async () => {
    const chat = await start();
    chat.faults.add({ fault: { kind: 'status', status: 200, body: 'o' }, times: 1 });
    chat.faults.add({ fault: { kind: 'truncated-body', body: 'o' }, times: 1 });
    chat.faults.add({ fault: { kind: 'status', status: 429, accepted: true } });
    for (const text of ['a', 'b', 'c']) await hook(chat, { text });
    expect(texts(chat)).toEqual(['a', 'b', 'c']);
  });

  it('never makes an accepted message of one that is not in order', async () => {
    const chat = await start();
    chat.faults.add({ fault: { kind: 'reset-after-accept' } });
    await hook(chat, { text: '' });
    expect(texts(chat)).toEqual([]);
    expect(chat.records[0]).toMatchObject({ error: 'no_text', answered: { accepted: false } });
  });

  it('that hangs takes the message in when it is released, and its ts is of that moment', async () => {
    const chat = await start();
    chat.faults.add({ fault: { kind: 'hang' }, times: 1 });
    const late = tell(chat, 'late');
    await chat.waitFor((records) => records.length === 1);
    await postTs(chat, { text: 'other' });
    expect(texts(chat)).toEqual(['other']);
    expect(chat.release()).toBe(1);
    expect((await late).body).toContain('"ok":true');
    expect(texts(chat)).toEqual(['other', 'late']);
    expect(chat.records[0]).toMatchObject({
      message: { text: 'late' },
      answered: { status: 200, fault: 'hang', accepted: true },
    });
    expect(chat.stats()).toMatchObject({ accepted: 2, hanging: 0 });
  });

  it('that hangs may have taken it in before', async () => {
    const chat = await start();
    chat.faults.add({ fault: { kind: 'hang', accepted: true }, times: 1 });
    const late = tell(chat, 'a');
    await chat.waitFor((records) => records.length === 1);
    expect(texts(chat)).toEqual(['a']);
    chat.release();
    expect((await late).body).toContain('"ok":true');
    expect(texts(chat)).toEqual(['a']);
    expect(chat.stats().accepted).toBe(1);
  });

  it('of latency takes the message in before the wait', async () => {
    const timer = new ManualTimer();
    const chat = await start({ after: timer.after });
    chat.faults.add({ fault: { kind: 'latency', ms: 5 } });
    const late = tell(chat, 'a');
    await chat.waitFor((records) => records.length === 1);
    expect(texts(chat)).toEqual(['a']);
    timer.fire();
    expect((await late).status).toBe(200);
    expect(texts(chat)).toEqual(['a']);
  });

  it('may be for one method alone, or for what a form or JSON says', async () => {
    const chat = await start();
    chat.faults.add({ match: { call: 'chat.update' }, fault: teamchatFault('edit_window_closed') });
    chat.faults.add({
      match: {
        call: 'chat.postMessage',
        json: (body) => (body as { thread_ts?: unknown }).thread_ts !== undefined,
      },
      fault: teamchatFault('internal_error', { accepted: true, messages: ['[ERROR] lost'] }),
    });
    chat.faults.add({
      match: {
        json: (body) => (body as { channel?: unknown }).channel === CHANNEL,
        path: '/api/conversations.history',
      },
      fault: teamchatFault('ratelimited', { retryAfter: { inSeconds: 30 } }),
    });
    const ts = await postTs(chat, { text: 'root' });
    expect(await post(chat, { text: 'reply', thread_ts: ts })).toEqual({
      status: 200,
      ok: false,
      error: 'internal_error',
      response_metadata: { messages: ['[ERROR] lost'] },
    });
    expect(chat.channel(CHANNEL).messages).toMatchObject([{ text: 'root', replies: [{ text: 'reply' }] }]);
    const form = `channel=${CHANNEL}`;
    const limited = await send(`${chat.apiUrl}/conversations.history`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    });
    expect([limited.status, limited.headers['retry-after'], limited.body]).toEqual([
      429,
      '30',
      '{"ok":false,"error":"ratelimited"}',
    ]);
    const update = await send(`${chat.apiUrl}/chat.update`, {
      headers: { 'content-type': 'application/json' },
    });
    expect([update.status, update.body]).toEqual([200, '{"ok":false,"error":"edit_window_closed"}']);
    expect(chat.records.map(({ answered }) => answered.accepted)).toEqual([true, true, false, false]);
  });
});
