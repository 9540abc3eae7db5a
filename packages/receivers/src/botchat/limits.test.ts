import { describe, expect, it } from 'vitest';
import { BOT, botchatsOfTest, GROUP, refused, sendMessage, sendRaw } from '../../test/botchat.ts';
import { send } from '../../test/raw-client.ts';

const start = botchatsOfTest();

describe('the length of a text', () => {
  it.each([
    ['of letters', 'x'],
    ['of emoji, which have two units', '🌙'],
  ])('%s is 1 to 4096 UTF-16 units', async (_what, letter) => {
    const receiver = await start();
    const most = letter.repeat(4096 / letter.length);
    expect(await sendMessage(receiver, { text: '' })).toEqual(
      refused(400, 'Bad Request: message text is empty'),
    );
    expect(await sendMessage(receiver, { text: letter })).toMatchObject({ status: 200 });
    expect(await sendMessage(receiver, { text: most })).toMatchObject({
      status: 200,
      result: { text: most },
    });
    expect(await sendMessage(receiver, { text: `${most}${letter}` })).toEqual(
      refused(400, 'Bad Request: message is too long'),
    );
    expect(receiver.chat(GROUP).messages.map(({ text }) => text)).toEqual([letter, most]);
  });

  it.each([
    ['HTML', `<b>${'&lt;'.repeat(4096)}</b>`, `<b>${'&lt;'.repeat(4097)}</b>`],
    ['MarkdownV2', `*${'\\.'.repeat(4096)}*`, `*${'\\.'.repeat(4097)}*`],
  ])('is counted after the entities of %s are parsed', async (parse_mode, most, more) => {
    const receiver = await start();
    expect(await sendMessage(receiver, { text: most, parse_mode })).toMatchObject({ status: 200 });
    expect(await sendMessage(receiver, { text: more, parse_mode })).toEqual(
      refused(400, 'Bad Request: message is too long'),
    );
    expect(await sendMessage(receiver, { text: ' \n', parse_mode })).toEqual(
      refused(400, 'Bad Request: text must be non-empty'),
    );
  });

  it('with its markup is 32 KB at most', async () => {
    const receiver = await start();
    const text = (bytes: number): string => `${'<b></b>'.repeat(4000)}`.padEnd(bytes, 'x');
    expect(await sendMessage(receiver, { text: text(32_000), parse_mode: 'HTML' })).toMatchObject({
      status: 200,
    });
    expect(await sendMessage(receiver, { text: text(32_769), parse_mode: 'HTML' })).toEqual(
      refused(400, 'Bad Request: text is too long'),
    );
  });
});

describe('markup', () => {
  it.each([
    ['HTML', '<b>a', `Can't find end tag corresponding to start tag "b"`],
    ['HTML', 'a <', 'Unclosed start tag at byte offset 2'],
    ['HTML', '<h1>a</h1>', 'Unsupported start tag "h1" at byte offset 0'],
    ['MarkdownV2', 'a.', "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ['MarkdownV2', '*a', "Can't find end of Bold entity at byte offset 0"],
  ])('of %s that cannot be read is refused: %s', async (parse_mode, text, reason) => {
    const receiver = await start();
    expect(await sendMessage(receiver, { text, parse_mode })).toEqual(
      refused(400, `Bad Request: can't parse entities: ${reason}`),
    );
    expect(receiver.chat(GROUP).messages).toEqual([]);
  });

  it.each([...'_*[]()~`>#+-=|{}.!'])('of MarkdownV2 wants %s escaped, save in code', async (character) => {
    const receiver = await start();
    const answers = await Promise.all(
      [`a${character}b`, `a\\${character}b`, `\`${character === '`' ? '\\`' : character}\``].map((text) =>
        sendMessage(receiver, { text, parse_mode: 'MarkdownV2' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200]);
  });

  it.each([undefined, 'HTML', 'MarkdownV2'])(
    'in mode %s is found without marks, but not in code',
    async (parse_mode) => {
      const text = '@user #tag /command x\\.org'.replace('\\', parse_mode === 'MarkdownV2' ? '\\' : '');
      const plain = text.replace('#', parse_mode === 'MarkdownV2' ? '\\#' : '#');
      const answer = await sendMessage(await start(), { text: plain, parse_mode });
      expect(answer).toMatchObject({
        result: {
          text: '@user #tag /command x.org',
          entities: [
            { type: 'mention', offset: 0, length: 5 },
            { type: 'hashtag', offset: 6, length: 4 },
            { type: 'bot_command', offset: 11, length: 8 },
            { type: 'url', offset: 20, length: 5 },
          ],
        },
      });
      const coded = await sendMessage(await start(), { text: `<code>${text}</code>`, parse_mode: 'HTML' });
      expect(coded).toMatchObject({ result: { entities: [{ type: 'code' }] } });
    },
  );
});

describe('a token', () => {
  it('that is none is no address; one that is not in force is refused', async () => {
    const receiver = await start({ tokens: [BOT] });
    const text = { chat_id: GROUP, text: 'a' };
    expect((await sendRaw(receiver, text)).status).toBe(200);
    for (const [token, code, description] of [
      ['123456:other', 401, 'Unauthorized'],
      ['nonsense', 404, 'Not Found'],
      ['123456', 404, 'Not Found'],
    ] as const) {
      const { status, body } = await sendRaw(receiver, text, token);
      expect({ status, ...(JSON.parse(body) as object) }).toEqual(refused(code, description));
    }
    expect(receiver.chat(GROUP).messages).toHaveLength(1);
  });

  it('is checked by getMe', async () => {
    const receiver = await start({ tokens: [BOT] });
    const me = await send(`${receiver.url}/bot${BOT}/getMe`, { method: 'GET', body: '' });
    expect(JSON.parse(me.body)).toMatchObject({ ok: true, result: { id: 123456, is_bot: true } });
    expect((await send(`${receiver.url}/bot1:x/getMe`)).status).toBe(401);
  });
});

describe('a chat', () => {
  it.each([
    [{ id: 5, standing: 'banned' }, 403, 'Forbidden: bot was blocked by the user'],
    [{ id: 5, standing: 'stranger' }, 403, "Forbidden: bot can't initiate conversation with a user"],
    [{ id: 5, standing: 'gone' }, 403, 'Forbidden: user is deactivated'],
    [{ id: -5, standing: 'banned' }, 403, 'Forbidden: bot was kicked from the group chat'],
    [{ id: -5, standing: 'gone' }, 403, 'Forbidden: the group chat was deleted'],
    [{ id: GROUP, standing: 'banned' }, 403, 'Forbidden: bot was kicked from the supergroup chat'],
    [{ id: GROUP, standing: 'outside' }, 403, 'Forbidden: bot is not a member of the supergroup chat'],
    [
      { id: GROUP, standing: 'muted' },
      400,
      'Bad Request: not enough rights to send text messages to the chat',
    ],
    [
      { id: GROUP, type: 'channel', standing: 'outside' },
      403,
      'Forbidden: bot is not a member of the channel chat',
    ],
    [
      { id: GROUP, type: 'channel', standing: 'muted' },
      400,
      'Bad Request: need administrator rights in the channel chat',
    ],
  ] as const)('%j refuses what is sent to it', async (settings, code, description) => {
    const receiver = await start({ chats: [settings] });
    expect(await sendMessage(receiver, { chat_id: settings.id, text: 'a' })).toEqual(
      refused(code, description),
    );
    receiver.setChat({ ...settings, standing: 'member' });
    expect(await sendMessage(receiver, { chat_id: settings.id, text: 'a' })).toMatchObject({ status: 200 });
  });

  it('that is not there is not found', async () => {
    const receiver = await start({ chats: [{ id: GROUP, username: 'Nights' }] });
    for (const chat_id of [GROUP, String(GROUP), '@nights']) {
      expect(await sendMessage(receiver, { chat_id, text: 'a' })).toMatchObject({ status: 200 });
    }
    for (const chat_id of [1, '@other', 'nights', '1.5', '-', '12345678901234567890']) {
      expect(await sendMessage(receiver, { chat_id, text: 'a' })).toEqual(
        refused(400, 'Bad Request: chat not found'),
      );
    }
    expect(await sendMessage(receiver, { chat_id: '', text: 'a' })).toEqual(
      refused(400, 'Bad Request: chat_id is empty'),
    );
    expect(receiver.chat(GROUP).messages).toHaveLength(3);
  });

  it('that has become a supergroup tells where it is now', async () => {
    const receiver = await start({ chats: [{ id: -5, migratedTo: GROUP }, { id: GROUP }] });
    expect(await sendMessage(receiver, { chat_id: -5, text: 'a' })).toEqual(
      refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: GROUP,
      }),
    );
  });

  it('is looked for after the markup is read, and before the text is measured', async () => {
    const receiver = await start({ chats: [] });
    expect(await sendMessage(receiver, { text: '<b>', parse_mode: 'HTML' })).toMatchObject({
      description: expect.stringContaining("can't parse entities") as unknown,
    });
    expect(await sendMessage(receiver, { text: 'x'.repeat(5000) })).toMatchObject({
      description: 'Bad Request: chat not found',
    });
  });
});

describe('how much a bot may send', () => {
  it.each([
    ['a second to a chat', { perChatPerSecond: 1 }, 1, [5], 1000, 1],
    ['a minute to a group', { perGroupPerMinute: 20 }, 20, [GROUP], 60_000, 60],
    ['a second to all', { perSecond: 30 }, 30, [1, 2, 3, -4], 1000, 1],
  ])('%s', async (_what, rates, most, chats, window, seconds) => {
    let now = 1_767_643_200_000;
    const receiver = await start({ rates, now: () => now });
    const one = (n: number): ReturnType<typeof sendMessage> =>
      sendMessage(receiver, { chat_id: chats[n % chats.length], text: 'a' });
    for (let n = 0; n < most; n++) expect(await one(n)).toMatchObject({ status: 200 });
    const tooMany = refused(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
    expect(await one(most)).toEqual(tooMany);
    const { headers } = await sendRaw(receiver, { chat_id: chats[0], text: 'a' });
    expect(headers['retry-after']).toBe(String(seconds));
    now += window - 1;
    expect(await one(0)).toMatchObject({ status: 429, parameters: { retry_after: 1 } });
    now += 1;
    expect(await one(0)).toMatchObject({ status: 200 });
    expect(receiver.stats()).toMatchObject({ accepted: most + 1 });
  });

  it('a minute is no matter between two people', async () => {
    const receiver = await start({ rates: { perGroupPerMinute: 1 }, now: () => 0 });
    for (let n = 0; n < 3; n++) {
      expect(await sendMessage(receiver, { chat_id: 7, text: 'a' })).toMatchObject({ status: 200 });
    }
  });
});
