import { expect, test } from 'vitest';
import { readBotchatConfig } from './config.ts';

const TOKEN = '123456789:canary-Token_x';
const CHAT = '-1001234567890';

const read = (json: unknown) => readBotchatConfig(json);
/** The configuration that is read when these fields are given besides token and chat_id. */
function configOf(fields: object = {}) {
  const reading = read({ token: TOKEN, chat_id: CHAT, ...fields });
  if (!reading.ok) throw new Error(reading.problems.join());
  return reading.config;
}
const problemsOf = (json: unknown): readonly string[] => {
  const reading = read(json);
  return reading.ok ? [] : reading.problems;
};

test('token and chat_id are enough', () => {
  const { token, ...others } = configOf();
  expect(token.reveal()).toBe(TOKEN);
  expect(others).toEqual({
    board: undefined,
    chatId: CHAT,
    coalesceProgress: false,
    linkPreview: false,
    parseMode: 'HTML',
    rate: { perSecond: 5, burst: 10 },
    silence: false,
    topic: undefined,
  });
});

test('the token is kept as a secret', () => {
  expect(JSON.stringify(read({ token: TOKEN, chat_id: CHAT }))).not.toContain('canary');
});

test.each<[string, object, object]>([
  ['blanks around the token', { token: ` ${TOKEN}\n` }, {}],
  ['a positive one', { chat_id: '  42 ' }, { chatId: '42' }],
  ['a plus and zeros', { chat_id: '+0042' }, { chatId: '42' }],
  ['a chat_id beyond 2^53', { chat_id: '-1009007199254740993' }, { chatId: '-1009007199254740993' }],
  ['the least one', { chat_id: '-9223372036854775808' }, { chatId: '-9223372036854775808' }],
  ['a name of 32', { chat_id: `@${'a'.repeat(32)}` }, { chatId: `@${'a'.repeat(32)}` }],
  ['markdownv2 with blanks', { parse_mode: ' markdownv2 ' }, { parseMode: 'MarkdownV2' }],
  [
    'a rate a minute',
    { rate_limit: { rate: 20, unit: 'minute', burst: 3 } },
    { rate: { perSecond: 20 / 60, burst: 3 } },
  ],
  ['a number', { chat_id: 42 }, { chatId: '42' }],
  ['a chat with a topic', { chat_id: '-1001234567890:42' }, { chatId: CHAT, topic: 42 }],
  ['a name with a topic, and blanks', { chat_id: ' @nights : 42 ' }, { chatId: '@nights', topic: 42 }],
  ['a topic', { message_thread_id: 42 }, { chatId: CHAT, topic: 42 }],
  ['a topic as text', { message_thread_id: ' 42 ' }, { topic: 42 }],
  ['the same topic twice', { chat_id: `${CHAT}:42`, message_thread_id: 42 }, { topic: 42 }],
  ['the General topic', { message_thread_id: 1 }, { topic: undefined }],
  ['null as topic', { message_thread_id: null }, { topic: undefined }],
  ['silence', { disable_notification: true }, { silence: true }],
  ['silence but for failures', { disable_notification: ' Non-Failures' }, { silence: 'non-failures' }],
  ['previews of links', { link_preview: true }, { linkPreview: true }],
  ['part of a rate', { rate_limit: { burst: 1 } }, { rate: { perSecond: 5, burst: 1 } }],
  ['another part', { rate_limit: { unit: 'minute' } }, { rate: { perSecond: 5 / 60, burst: 10 } }],
])('%s is accepted', (_what, fields, expected) => {
  expect(configOf(fields)).toMatchObject(expected);
});

test.each<[string, object, string]>([
  ['a token of another type', { token: 87654321 }, 'token: must be a string, found a number; '],
  ['null as token', { token: null }, 'token: must be a string, found null; '],
  ['an empty token', { token: ' ' }, 'token: is empty; '],
  ['a token without its number', { token: 'canary-Token_x' }, 'token: is not of the form '],
  ['a token with a slash', { token: '123:canary/x' }, 'token: is not of the form '],
  ['a token with a blank', { token: '123:canary x' }, 'token: is not of the form '],
  ['a token with a line break', { token: '123:canary\nx' }, 'token: is not of the form '],
  ['a token with a question mark', { token: '123:canary?x' }, 'token: is not of the form '],
  ['a token with a percent sign', { token: '123:canary%2f' }, 'token: is not of the form '],
  [
    'a placeholder',
    { token: '${TELEGRAM_TOKEN}' },
    'token: holds a placeholder, which nothing has replaced; ',
  ],
  ['a token as in the address', { token: 'bot123:canary' }, 'token: begins with "bot", '],
  ['null as chat_id', { chat_id: null }, 'chat_id: must be a number or a string, found null; '],
  ['"-0" as chat_id', { chat_id: '-0' }, 'chat_id: is 0 or larger '],
  ['a chat_id beyond 64 bits', { chat_id: '9223372036854775808' }, 'chat_id: is 0 or larger '],
  ['one below 64 bits', { chat_id: '-9223372036854775809' }, 'chat_id: is 0 or larger '],
  ['a fraction as text', { chat_id: '87654321.5' }, 'chat_id: is neither a number nor a name; '],
  [
    'a number that JSON rounds',
    { chat_id: -1009007199254740993 },
    'chat_id: is too large for a number in JSON, ',
  ],
  ['no token', { token: undefined }, 'token: is missing; copy the token from @BotFather'],
  ['no chat_id', { chat_id: undefined }, 'chat_id: is missing; give '],
  ['a name without @', { chat_id: 'canary' }, 'chat_id: is a name without @; '],
  [
    'a link to a message',
    { chat_id: 'https://t.me/c/1234567890/42' },
    'chat_id: is a link; write -1001234567890, and the number of the topic, if the group has topics, into message_thread_id',
  ],
  ['an address', { chat_id: 'https://web.telegram.org/k/#-1' }, 'chat_id: is a link; '],
  ['a link', { chat_id: 'https://t.me/canary' }, 'chat_id: is a link; '],
  ['a short name', { chat_id: '@no' }, 'chat_id: is not a valid name '],
  ['0 as chat_id', { chat_id: 0 }, 'chat_id: is 0, '],
  ['"0" as chat_id', { chat_id: '0' }, 'chat_id: is 0 or larger '],
  ['a fraction', { chat_id: 1.5 }, 'chat_id: is not a whole number; '],
  ['an empty chat_id', { chat_id: '' }, 'chat_id: is empty; '],
  ['a chat_id of another type', { chat_id: [4711] }, 'chat_id: must be a number or a string, found a list; '],
  ['the legacy mode', { parse_mode: 'Markdown' }, "parse_mode: Markdown is Telegram's legacy mode "],
  ['another mode', { parse_mode: 'canary' }, 'parse_mode: is neither HTML nor MarkdownV2; '],
  ['an empty mode', { parse_mode: '' }, 'parse_mode: is neither HTML nor MarkdownV2; '],
  [
    'a mode of another type',
    { parse_mode: 7 },
    'parse_mode: must be "HTML" or "MarkdownV2", found a number; ',
  ],
  ['a long name', { chat_id: `@${'a'.repeat(33)}` }, 'chat_id: is not a valid name '],
  ['a name with a hyphen', { chat_id: '@canary-x' }, 'chat_id: is not a valid name '],
  ['another text', { chat_id: 'canary canary' }, 'chat_id: is neither a number nor a name; '],
  ['no topic after the colon', { chat_id: '-1001234567890:canary' }, 'chat_id: is not a chat and a topic; '],
  ['a topic of 0 in chat_id', { chat_id: '-1001234567890:0' }, 'chat_id: is not a chat and a topic; '],
  ['a token as chat_id', { chat_id: '123:canary-Token_x' }, 'chat_id: is not a chat and a topic; '],
  [
    'a topic of 0',
    { message_thread_id: 0 },
    'message_thread_id: must be the number of a topic, from 1 to 2147483647, found a number that is negative, 0, ',
  ],
  ['a topic beyond 31 bits', { message_thread_id: 2 ** 31 }, 'message_thread_id: must be the number '],
  [
    'a name as topic',
    { message_thread_id: 'canary' },
    'message_thread_id: must be the number of a topic, from 1 to 2147483647, found a text that is no such number; ',
  ],
  [
    'an empty topic',
    { message_thread_id: ' ' },
    'message_thread_id: must be the number of a topic, from 1 to 2147483647, found an empty text; ',
  ],
  [
    'a list as topic',
    { message_thread_id: [42] },
    'message_thread_id: must be the number of a topic, from 1 to 2147483647, found a list; ',
  ],
  [
    'two topics',
    { chat_id: '-1001234567890:42', message_thread_id: 43 },
    'message_thread_id: is not the topic in chat_id; ',
  ],
  [
    'another silence',
    { disable_notification: 'canary' },
    'disable_notification: is neither true, false nor ',
  ],
  [
    'a preview of another type',
    { link_preview: 'canary' },
    'link_preview: must be true or false, found a string; ',
  ],
  ['a rate of 0', { rate_limit: { rate: 0 } }, 'rate_limit.rate: must be above 0; '],
  ['another unit', { rate_limit: { unit: 'hour' } }, 'rate_limit.unit: is neither second nor minute; '],
  ['a burst of 0', { rate_limit: { burst: 0 } }, 'rate_limit.burst: must be at least 1; '],
])('%s is one problem that names the field and the remedy, never the value', (_what, fields, start) => {
  const problems = problemsOf({ token: TOKEN, chat_id: CHAT, ...fields });
  expect(problems).toHaveLength(1);
  expect(problems[0]?.startsWith(start), problems[0]).toBe(true);
  expect(problems[0]).not.toMatch(/canary|87654321/);
});

test('all faults are reported together', () => {
  const problems = problemsOf({ chat_id: 0, parse_mode: 'x', rate_limit: { rate: -1, unit: 'x', burst: 0 } });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'token',
    'chat_id',
    'parse_mode',
    'rate_limit.rate',
    'rate_limit.unit',
    'rate_limit.burst',
  ]);
});

test('unknown fields are accepted and reported', () => {
  const reading = read({ token: TOKEN, chat_id: CHAT, chatId: 'canary', 'canary 1': 2 });
  expect(reading.ok && reading.notes).toEqual([
    'field chatId is not known and has no effect',
    '1 more field is not known and has no effect',
  ]);
});

test('unknown fields of rate_limit are reported, too: users would believe in a limit that does not exist', () => {
  const reading = read({
    token: TOKEN,
    chat_id: CHAT,
    rate_limit: { rate: 5, per: 'minute', 'canary 1': 2 },
  });
  expect(reading.ok && reading.notes).toEqual([
    'field rate_limit.per is not known and has no effect',
    '1 more field of rate_limit is not known and has no effect',
  ]);
});

test('fields of the Bot API that have another name here are told with ours', () => {
  const reading = read({ token: TOKEN, chat_id: CHAT, topic: 4, disable_web_page_preview: true });
  expect(reading.ok && reading.notes).toEqual([
    'field topic is not known and has no effect: use message_thread_id',
    'field disable_web_page_preview is not known and has no effect: use link_preview, its opposite',
  ]);
});

test.each([
  [{}, { quietMs: 15 * 60_000, maxMs: 12 * 3_600_000 }, ['Failure', 'Recovery']],
  [
    { alerts: [' failure '], board_quiet: 30, board_max: 1_440 },
    { quietMs: 30 * 60_000, maxMs: 24 * 3_600_000 },
    ['Failure'],
  ],
  [{ alerts: [] }, {}, []],
])('a board with %j', (fields, limits, alerts) => {
  const { board } = configOf({ delivery_mode: ' Board ', ...fields });
  expect(board?.limits).toMatchObject(limits);
  expect([...(board?.alerts ?? [])]).toEqual(alerts);
});

test.each([
  [{ delivery_mode: 'thread' }, 'delivery_mode: is none of message, board; '],
  [{ alerts: ['Start'] }, 'alerts: entry 1 is none of Failure, Recovery; '],
  [{ board_max: 1_441 }, 'board_max: must be a whole number of minutes from 1 to 1440; '],
])('%j has one problem', (fields, problem) => {
  expect(problemsOf({ token: TOKEN, chat_id: CHAT, ...fields })).toEqual([expect.stringContaining(problem)]);
});

test('fields of a board have no effect on single messages', () => {
  const reading = read({ token: TOKEN, chat_id: CHAT, alerts: ['Failure'], board_quiet: 5 });
  expect(reading.ok && reading.config.board).toBeUndefined();
  expect(reading.ok && reading.notes).toEqual([
    'alerts, board_quiet have no effect unless delivery_mode is board',
  ]);
});
