import { WebClient, type WebAPIPlatformError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { CHANNEL, chatsOfTest, TOKEN } from '../../test/teamchat.ts';
import type { TeamchatReceiver } from '../index.ts';

const start = chatsOfTest();
const clientOf = ({ apiUrl }: TeamchatReceiver, token = TOKEN): WebClient =>
  new WebClient(token, {
    slackApiUrl: `${apiUrl}/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });

/** What the client reports about a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<WebAPIPlatformError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error as WebAPIPlatformError;
  throw new Error('the call did not fail');
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } }) as const;
const cell = { type: 'raw_text', text: 'a' } as const;

describe("Slack's client", () => {
  it('posts, replies, updates, and reads the history', async () => {
    const chat = await start();
    const client = clientOf(chat);
    expect(await client.auth.test()).toMatchObject({ ok: true, user_id: 'U0HNOTIF' });
    const root = await client.chat.postMessage({
      channel: CHANNEL,
      text: 'begins',
      blocks: [section('*begins*'), { type: 'table', rows: [[cell]] }],
      unfurl_links: false,
      metadata: { event_type: 'night', event_payload: { plan: 'a/b' } },
    });
    expect(root).toMatchObject({ ok: true, channel: CHANNEL, message: { text: 'begins' } });
    const ts = root.ts ?? '';
    await client.chat.postMessage({ channel: CHANNEL, thread_ts: ts, text: 'goes on' });
    await client.chat.update({
      channel: CHANNEL,
      ts,
      text: 'ends',
      attachments: [{ color: 'good', text: 'a' }],
    });
    const { messages } = await client.conversations.history({ channel: CHANNEL, include_all_metadata: true });
    expect(messages).toMatchObject([
      { ts, text: 'ends', reply_count: 1, attachments: [{ text: 'a' }], metadata: { event_type: 'night' } },
    ]);
    const replies = await client.conversations.replies({ channel: CHANNEL, ts });
    expect(replies.messages?.map(({ text }) => text)).toEqual(['ends', 'goes on']);
  });

  it('gets refusals with Slack’s word and its details', async () => {
    const chat = await start();
    const client = clientOf(chat);
    const post = (message: object) => client.chat.postMessage({ channel: CHANNEL, text: 'a', ...message });
    for (const [call, error, messages] of [
      [
        post({ blocks: [section('x'.repeat(3001))] }),
        'invalid_blocks',
        [
          '[ERROR] failed to match all allowed schemas [json-pointer:/blocks/0/text]',
          '[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
        ],
      ],
      [
        post({ blocks: [1, 2].map(() => ({ type: 'table', rows: [[cell]] })) }),
        'invalid_attachments',
        ['[ERROR] only_one_table_allowed'],
      ],
      [client.chat.postMessage({ channel: CHANNEL, text: '' }), 'no_text', undefined],
      [client.chat.postMessage({ channel: 'C1', text: 'a' }), 'channel_not_found', undefined],
      [client.chat.update({ channel: CHANNEL, ts: '1.000000', text: 'a' }), 'message_not_found', undefined],
      [clientOf(chat, 'xoxb-other').auth.test(), 'invalid_auth', undefined],
    ] as const) {
      const { data } = await errorOf(call);
      expect(data).toMatchObject({ ok: false, error });
      expect(data.response_metadata?.messages).toEqual(messages);
    }
    expect(chat.channel(CHANNEL).messages).toEqual([]);
  });

  it('is told how long to wait', async () => {
    const chat = await start({ rates: { messagesPerSecond: 1 / 60 } });
    const client = clientOf(chat);
    await client.chat.postMessage({ channel: CHANNEL, text: 'a' });
    const error = await errorOf(client.chat.postMessage({ channel: CHANNEL, text: 'b' }));
    expect(error).toMatchObject({
      code: 'slack_webapi_rate_limited_error',
      retryAfter: expect.any(Number) as number,
    });
  });
});
