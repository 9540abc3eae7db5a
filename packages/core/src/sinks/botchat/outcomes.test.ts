import { expect, test } from 'vitest';
import type { Answer } from '../../requests/reply.ts';
import { ANSWERS } from './outcome-rows.ts';
import { migratedTo, outcomeOfAnswer, updateRefusal } from './outcomes.ts';

const NOW = Date.UTC(2026, 0, 5, 20);
const TOKEN = '123456789:canary-Token_x';
const SECRETS = [`/bot${TOKEN}/sendMessage`, `bot${TOKEN}`, TOKEN, 'canary-Token_x'];

const answer = (status: number, body: unknown = '', headers: Record<string, string> = {}): Answer => ({
  kind: 'answer',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  truncated: false,
  hidden: false,
});
const refusal = (code: number, description: string, parameters?: object): Answer =>
  answer(code, { ok: false, error_code: code, description, parameters });
const outcomeOf = (from: Answer) => outcomeOfAnswer(from, SECRETS, NOW);

test('ok is delivered', () => {
  expect(outcomeOf(answer(200, { ok: true, result: { message_id: 1 } }))).toEqual({
    kind: 'delivered',
    status: 200,
  });
});

test('an ok whose body is incomplete is delivered', () => {
  const long = { ...answer(200, '{"ok":true,"result":{"message_id":1,"text":"…'), truncated: true };
  expect(outcomeOf(long).kind).toBe('delivered');
  expect(outcomeOf({ ...long, truncated: false })).toMatchObject({
    kind: 'ambiguous',
    reason: 'UnexpectedAnswer',
  });
});

test.each<[string, string, number, string]>([
  ['rejected-configuration', 'TokenRejected', 401, 'Unauthorized'],
  ['rejected-configuration', 'TokenUnknown', 404, 'Not Found'],
  [
    'rejected-configuration',
    'ChatMigrated',
    400,
    'Bad Request: group chat was upgraded to a supergroup chat',
  ],
  [
    'rejected-payload',
    'MarkupRejected',
    400,
    'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 3',
  ],
  ['rejected-payload', 'MarkupRejected', 400, 'Bad Request: ENTITY_TEXT_INVALID'],
  ['rejected-payload', 'MessageTooLong', 400, 'Bad Request: message is too long'],
  ['rejected-payload', 'MessageTooLong', 400, 'Bad Request: MESSAGE_TOO_LONG'],
  ['rejected-payload', 'MessageEmpty', 400, 'Bad Request: message text is empty'],
  ['rejected-payload', 'MessageEmpty', 400, 'Bad Request: text must be non-empty'],
  ['rejected-payload', 'TextRejected', 400, 'Bad Request: strings must be encoded in UTF-8'],
  ['rejected-payload', 'TextRejected', 400, 'Bad Request: unsupported parse_mode'],
  ['rejected-configuration', 'ChatNotFound', 400, 'Bad Request: chat not found'],
  ['rejected-configuration', 'ChatNotFound', 400, 'Bad Request: PEER_ID_INVALID'],
  ['rejected-configuration', 'ChatGone', 403, 'Forbidden: user is deactivated'],
  ['rejected-configuration', 'ChatGone', 403, 'Forbidden: the group chat was deleted'],
  [
    'rejected-configuration',
    'RightsMissing',
    400,
    'Bad Request: not enough rights to send text messages to the chat',
  ],
  [
    'rejected-configuration',
    'RightsMissing',
    400,
    'Bad Request: need administrator rights in the channel chat',
  ],
  ['rejected-configuration', 'RightsMissing', 400, 'Bad Request: CHAT_WRITE_FORBIDDEN'],
  ['rejected-configuration', 'TopicClosed', 400, 'Bad Request: TOPIC_CLOSED'],
  ['rejected-configuration', 'TopicDeleted', 400, 'Bad Request: TOPIC_DELETED'],
  ['rejected-configuration', 'TopicDeleted', 400, 'Bad Request: message thread not found'],
  ['rejected-configuration', 'BotBlocked', 403, 'Forbidden: bot was blocked by the user'],
  ['rejected-configuration', 'BotNotInChat', 403, 'Forbidden: bot was kicked from the group chat'],
  ['rejected-configuration', 'BotNotInChat', 403, 'Forbidden: bot is not a member of the channel chat'],
  [
    'rejected-configuration',
    'ConversationNotStarted',
    403,
    "Forbidden: bot can't initiate conversation with a user",
  ],
  ['rejected-configuration', 'ConversationNotStarted', 403, "Forbidden: bot can't send messages to bots"],
  ['rejected-configuration', 'Forbidden', 403, 'Forbidden: something else'],
  ['rejected-payload', 'BadRequest', 400, 'Bad Request: something else'],
  ['rejected-payload', 'MessageTooLong', 413, 'Request Entity Too Large'],
  ['throttled', 'TooManyRequests', 429, 'Too Many Requests: retry after 7'],
  ['transient', 'ServerError', 500, 'Internal Server Error'],
  ['ambiguous', 'BadGateway', 502, 'Bad Gateway'],
  ['transient', 'ServerError', 503, 'Service Unavailable'],
  ['ambiguous', 'BadGateway', 504, 'Gateway Timeout'],
])('%s %s: %i %s', (kind, reason, code, description) => {
  const outcome = outcomeOf(refusal(code, description));
  expect(outcome).toMatchObject({ kind, reason });
  expect('message' in outcome && outcome.message).toContain(
    `the Bot API answered ${code}, saying "${description}"; `,
  );
});

test.each<[string, number | undefined, Answer]>([
  ['parameters', 7_000, refusal(429, 'Too Many Requests', { retry_after: 7 })],
  ['the description', 34_000, refusal(429, 'Too Many Requests: retry after 34')],
  ['the header', 5_000, answer(429, 'slow down', { 'retry-after': '5' })],
  [
    'parameters before the header',
    7_000,
    answer(429, { ok: false, error_code: 429, parameters: { retry_after: 7 } }, { 'retry-after': '5' }),
  ],
  ['nothing', undefined, answer(429, '')],
  ['a time of another type', undefined, refusal(429, 'Too Many Requests', { retry_after: 'soon' })],
  ['a time below 0', undefined, refusal(429, 'Too Many Requests', { retry_after: -1 })],
  ['a 503 with a time', 9_000, answer(503, '', { 'retry-after': '9' })],
])('a pause has the length that %s names', (_what, retryAfterMs, from) => {
  expect(outcomeOf(from)).toMatchObject({ kind: 'throttled', retryAfterMs });
});

test.each<[string, string, Answer]>([
  [
    'a page in the place of an answer',
    'transient NotAChat',
    answer(200, '<html>Log in</html>', { 'content-type': 'text/html' }),
  ],
  ['a text in the place of an answer', 'ambiguous UnexpectedAnswer', answer(200, 'Log in')],
  ['a page that forbids', 'rejected-configuration NotAChat', answer(403, '<!DOCTYPE html><p>blocked')],
  ['a page that knows no such address', 'rejected-configuration NotAChat', answer(404, '\n<HTML>')],
  [
    'a page that wants a log-in of the proxy',
    'rejected-configuration ProxyUnauthorized',
    answer(407, '<html>'),
  ],
  ['a page that asks for a pause', 'throttled TooManyRequests', answer(429, '<html>')],
  ['a page of a failing gateway', 'transient NotAChat', answer(522, '<html>')],
  ['ok: false without a code', 'ambiguous UnexpectedAnswer', answer(200, { ok: false })],
  [
    'ok: false with a code',
    'rejected-configuration ChatNotFound',
    answer(200, { ok: false, error_code: 400, description: 'chat not found' }),
  ],
  ['a redirect', 'rejected-configuration Redirected', answer(302, '', { location: 'https://login' })],
  [
    'a page of a proxy',
    'ambiguous NotAChat',
    answer(502, '<h1>502 Bad Gateway</h1>', { 'content-type': 'text/html' }),
  ],
  ["a proxy's demand", 'rejected-configuration ProxyUnauthorized', answer(407)],
  ['an answer that is not JSON', 'rejected-payload BadRequest', answer(400, '{"ok":')],
  ['an answer of another shape', 'rejected-payload BadRequest', answer(400, [])],
  [
    'fields of other types',
    'rejected-payload BadRequest',
    answer(400, { ok: false, error_code: 'x', description: 7, parameters: 'x' }),
  ],
])('%s is %s', (_what, expected, from) => {
  const outcome = outcomeOf(from);
  expect(`${outcome.kind} ${'reason' in outcome ? outcome.reason : ''}`).toBe(expected);
});

test('the outcome of an HTML page says that it is not a chat', () => {
  const outcome = outcomeOf(answer(403, '<html>Blocked by policy</html>', { 'content-type': 'text/html' }));
  expect('message' in outcome && outcome.message).toBe(
    'the address of the Bot API answered 403, saying "Blocked by policy"; a web page answered, not Telegram: check --bot-api-url, and what proxies and firewalls on the way refuse',
  );
});

test.each(ANSWERS.filter(({ otherwise }) => otherwise !== undefined))(
  '$reason names a template only if a template made the message',
  ({ codes: [code = 0], says: [said = ''] }) => {
    const told = (templated: boolean) => {
      const outcome = outcomeOfAnswer(refusal(code, said), SECRETS, NOW, templated);
      return 'message' in outcome ? outcome.message : '';
    };
    expect(told(true)).toContain('correct the template');
    expect(told(false)).not.toContain('template');
  },
);

test('an HTML page is quoted without its tags', () => {
  const outcome = outcomeOf(answer(502, '<h1>502\n Bad Gateway</h1>', { 'content-type': 'text/html' }));
  expect('message' in outcome && outcome.message).toContain('saying "502 Bad Gateway"');
});

test.each([
  `no bot ${TOKEN}`,
  `https://api.telegram.org/bot${TOKEN}/sendMessage failed`,
  `POST /bot${encodeURIComponent(TOKEN)}/sendMessage`,
  'canary-Token_x',
  Buffer.from(`bot${TOKEN}`).toString('base64'),
])('no message contains the token, although the answer does (%#)', (shown) => {
  for (const from of [refusal(404, shown), answer(404, shown), answer(502, `<p>${shown}</p>`)]) {
    const outcome = outcomeOf(from);
    expect('message' in outcome && outcome.message).toContain('[redacted]');
    expect(JSON.stringify(outcome)).not.toMatch(/canary|Y2FuYXJ5|OmNhbmFye/);
  }
});

test.each<[string, string | undefined, Answer]>([
  ['a number', '-1001234567890', refusal(400, 'upgraded', { migrate_to_chat_id: -1001234567890 })],
  [
    'a text',
    '-1009007199254740993',
    refusal(400, 'upgraded', { migrate_to_chat_id: '-1009007199254740993' }),
  ],
  ['nothing', undefined, refusal(400, 'upgraded', {})],
  ['another type', undefined, refusal(400, 'upgraded', { migrate_to_chat_id: {} })],
  ['a number that JSON rounds', undefined, refusal(400, 'upgraded', { migrate_to_chat_id: 2 ** 60 })],
  ['a success', undefined, answer(200, { ok: true, parameters: { migrate_to_chat_id: -1 } })],
  ['no JSON', undefined, answer(400, 'x')],
])('a move is found in %s', (_what, chat, from) => {
  expect(migratedTo(from)).toBe(chat);
});

test('every row can be reached', () => {
  for (const row of ANSWERS)
    for (const code of row.codes)
      for (const words of row.says.length === 0 ? [''] : row.says)
        expect(outcomeOf(refusal(code, words)), `${code} ${words}`).toMatchObject({
          kind: row.kind,
          reason: row.reason,
        });
});

test.each([
  ['unchanged', 'Bad Request: message is not modified: specified new message content and reply markup are …'],
  ['gone', 'Bad Request: message to edit not found'],
  ['gone', "Bad Request: message can't be edited"],
  ['gone', 'Bad Request: MESSAGE_ID_INVALID'],
  [undefined, 'Bad Request: chat not found'],
])('of an update: %s: %s', (is, description) => {
  expect(updateRefusal(refusal(400, description))).toBe(is);
  expect(updateRefusal(refusal(403, description))).toBeUndefined();
});
