import { describe, expect, test } from 'vitest';
import type { Answer } from '../../requests/reply.ts';
import type { OutcomeRow } from '../outcome-table.ts';
import { ROWS } from './outcome-rows.ts';
import { degradationOfWebhook, outcomeOfApiAnswer, outcomeOfWebhookAnswer } from './outcomes.ts';

const NOW = Date.parse('2026-01-05T20:00:00Z');
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const answer = (
  status: number,
  body = '',
  headers: Record<string, string> = {},
  truncated = false,
): Answer => ({
  kind: 'answer',
  status,
  headers,
  body,
  truncated,
  hidden: false,
});

const verbOf = ({ kind }: OutcomeRow): string => (kind.startsWith('rejected') ? 'refused' : 'answered');

describe('an incoming webhook', () => {
  const hook = (...args: Parameters<typeof answer>) =>
    outcomeOfWebhookAnswer(answer(...args), { secrets: ['canary'], now: NOW, templated: true });

  test.each([
    [
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x',
      /^the chat answered 200, saying "Webhook message .*HTTP error 429.*; ask for fewer events/,
    ],
    ['{"ok":false}', /^the chat answered 200.*; look up in the documentation of the chat what it answers$/],
  ])('that refuses in a 200 is told with it: %s', (body, message) => {
    const outcome = hook(200, body);
    expect('message' in outcome ? outcome.message : '').toMatch(message);
  });

  test.each(['ok', 'ok\n'])('has accepted the message after 200 %j', (body) => {
    expect(hook(200, body)).toEqual({ kind: 'delivered', status: 200 });
    expect(hook(200, body, { 'content-type': 'text/html' })).toEqual({ kind: 'delivered', status: 200 });
  });

  test.each([
    [200, '{"ok":true}'],
    [202, '{"success":true}'],
    [200, '\ufeff {"success": true, "error": "no_service"}'],
    [200, '{"ok":true,"error":7}'],
  ])('has accepted the message after %i %j, and nothing is doubtful', (status, body) => {
    expect(hook(status, body)).toEqual({ kind: 'delivered', status });
    expect(degradationOfWebhook(answer(status, body), { secrets: [] })).toBeUndefined();
  });

  test.each([
    [200, ''],
    [200, 'Message sent'],
    [200, 'ok, but blocked'],
    [200, 'OK'],
    [201, 'ok'],
    [202, '1'],
    [204, ''],
    [200, '{"id":"7"}'],
    [200, '{"ok":"yes"}'],
    [200, '{"error":"some_thing"}'],
    [200, '[]'],
  ])('has accepted the message after %i %j, which is not the answer of Slack', (status, body) => {
    expect(hook(status, body)).toEqual({ kind: 'delivered', status });
    expect(degradationOfWebhook(answer(status, body), { secrets: ['sent'] })).toMatchObject({
      reason: 'AnswerUnknown',
      message: expect.stringMatching(
        /^the chat answered 20\d(?!.*sent").*is not sent again.*check webhook_url/,
      ) as string,
    });
  });

  test.each(['<!-- proxy --><html>Access denied</html>', '<!DOCTYPE html><title>Sign in</title>'])(
    'has not accepted the message after 200 %j: a page answered',
    (body) => {
      expect(hook(200, body)).toMatchObject({
        kind: 'rejected-configuration',
        reason: 'NotAChat',
        message: expect.stringMatching(/a web page answered.*check webhook_url/) as string,
      });
    },
  );

  test.each([
    [200, '{"ok":false}'],
    [200, '{"success":false,"error":"Invalid integration id"}'],
    [200, '{"ok":true,"success":false}'],
  ])('has refused the message after %i %j, and the message says it', (status, body) => {
    const told = hook(status, body);
    expect(told).toMatchObject({ kind: 'rejected-payload', reason: 'Rejected' });
    expect('message' in told && told.message).toMatch(/^the chat answered 200, saying "/);
  });

  test.each(Object.entries(ROWS.webhook.words))('says %s', (word, row) => {
    expect(hook(400, word)).toMatchObject({ kind: row.kind, reason: row.reason });
    for (const said of [
      `{"ok":false,"error":"${word}"}`,
      `{"success":false,"error":"${word}"}`,
      `{"error":"${word}"}`,
      word,
    ])
      expect(hook(200, said)).toMatchObject({ kind: row.kind, reason: row.reason });
    const told = hook(400, word);
    expect('message' in told && told.message).toBe(`the chat ${verbOf(row)}: ${word}; ${row.remedy}`);
  });

  test('names a template only if a template made the message', () => {
    const own = outcomeOfWebhookAnswer(answer(400, 'invalid_blocks'), { secrets: [], now: NOW });
    expect(own).toMatchObject({
      message:
        'the chat refused: invalid_blocks; hnotif made this message itself: please report what the answer says',
    });
    expect(hook(400, 'invalid_blocks')).toMatchObject({
      message: 'the chat refused: invalid_blocks; correct the template',
    });
  });

  test.each([401, 403, 404, 405, 410])('names only the settings of a webhook for a %i', (status) => {
    const told = hook(status, 'x');
    expect('message' in told && told.message).toContain('webhook_url');
    expect('message' in told && told.message).not.toMatch(/bot_token|--chat-api-url/);
  });

  test.each([
    [302, '', 'rejected-configuration', 'Redirected'],
    [400, 'something_new', 'rejected-payload', 'BadRequest'],
    [403, 'Blocked by proxy', 'rejected-configuration', 'Forbidden'],
    [404, '<html>', 'rejected-configuration', 'NotFound'],
    [408, '', 'transient', 'RequestTimeout'],
    [410, '', 'rejected-configuration', 'Gone'],
    [413, '', 'rejected-payload', 'MessageTooLong'],
    [418, '', 'rejected-payload', 'Rejected'],
    [429, '', 'throttled', 'RateLimited'],
    [500, 'oops', 'transient', 'ServerError'],
    [502, '<html>', 'ambiguous', 'BadGateway'],
    [503, '', 'transient', 'ServiceUnavailable'],
    [504, '', 'ambiguous', 'GatewayTimeout'],
    [599, '', 'transient', 'ServerError'],
  ])('means by %i %j: %s, %s', (status, body, kind, reason) => {
    expect(hook(status, body)).toMatchObject({ kind, reason });
  });

  test('an error code counts only if it is the first and only word', () => {
    expect(hook(500, 'no_service_today')).toMatchObject({ reason: 'ServerError' });
    expect(hook(500, 'the no_service')).toMatchObject({ reason: 'ServerError' });
    expect(hook(500, '\nno_service\n')).toMatchObject({ reason: 'WebhookRemoved' });
    expect(hook(500, 'constructor')).toMatchObject({ reason: 'ServerError' });
  });

  test('a pause has the length in the header, or else in the body', () => {
    const body = '{"retry_after":2,"ok":false,"error":"rate_limited"}';
    expect(hook(429, body, { 'retry-after': '30' })).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 30_000,
    });
    expect(hook(429, body)).toMatchObject({ kind: 'throttled', retryAfterMs: 2_000 });
    expect(hook(429, 'slow down')).toMatchObject({ kind: 'throttled', retryAfterMs: undefined });
    expect(hook(429, 'invalid_payload')).toMatchObject({ kind: 'throttled', reason: 'RateLimited' });
    expect(hook(503, '', { 'retry-after': '7' })).toMatchObject({ kind: 'throttled', retryAfterMs: 7_000 });
    expect(hook(500, '', { 'retry-after': '7' })).toMatchObject({ kind: 'transient' });
  });

  test('the outcome shows no credential', () => {
    const told = hook(404, '{"ok":false,"error":"no_service for /canary"}');
    expect(JSON.stringify(told)).toContain('[redacted]');
    expect(JSON.stringify(told)).not.toContain('canary');
  });
});

describe('the Web API', () => {
  const api = (
    status: number,
    body: unknown,
    headers: Record<string, string> = JSON_TYPE,
    truncated = false,
  ) =>
    outcomeOfApiAnswer(
      answer(status, typeof body === 'string' ? body : JSON.stringify(body), headers, truncated),
      { secrets: ['canary'], now: NOW },
    );

  test('reports success, and where the message is', () => {
    const body = { ok: true, channel: 'C1', ts: '1.2', message: { text: 'x' } };
    expect(api(200, body)).toEqual({ outcome: { kind: 'delivered', status: 200 }, error: undefined, body });
  });

  test.each(Object.entries(ROWS.api.words))('says %s', (error, row) => {
    const told = api(200, { ok: false, error });
    expect(told).toMatchObject({ outcome: { kind: row.kind, reason: row.reason }, error, body: undefined });
    const { outcome } = told;
    expect('message' in outcome && outcome.message).toBe(
      `the chat ${verbOf(row)}: ${error}; ${row.otherwise ?? row.remedy}`,
    );
    expect(JSON.stringify(outcome)).not.toMatch(/\btemplate/);
  });

  test.each([
    [200, { ok: false, error: 'something_new' }, 'rejected-payload', 'Rejected'],
    [200, { ok: false }, 'rejected-payload', 'Rejected'],
    [400, { ok: false, error: 'something_new' }, 'rejected-payload', 'BadRequest'],
    [200, '', 'ambiguous', 'BadAnswer'],
    [200, '[]', 'ambiguous', 'BadAnswer'],
    [200, '{"ok":"yes"}', 'ambiguous', 'BadAnswer'],
    [200, '<html>Sign in</html>', 'rejected-configuration', 'NotAChat'],
    [429, { ok: false, error: 'ratelimited' }, 'throttled', 'RateLimited'],
    [500, { ok: false, error: 'internal_error' }, 'ambiguous', 'InternalError'],
    [500, '<html>', 'transient', 'ServerError'],
    [502, '', 'ambiguous', 'BadGateway'],
    [503, { ok: false, error: 'service_unavailable' }, 'transient', 'ServiceUnavailable'],
    [404, '<html>', 'rejected-configuration', 'NotFound'],
    [301, '', 'rejected-configuration', 'Redirected'],
  ])('means by %i %j: %s, %s', (status, body, kind, reason) => {
    expect(api(status, body).outcome).toMatchObject({ kind, reason });
  });

  test('is successful only with a successful status', () => {
    expect(api(500, { ok: true, ts: '1.2' })).toMatchObject({
      outcome: { kind: 'transient' },
      body: undefined,
    });
  });

  test('names the missing scope and the fault in the blocks', () => {
    const missing = api(200, { ok: false, error: 'missing_scope', needed: 'chat:write', provided: 'x' });
    expect(JSON.stringify(missing)).toContain('the chat refused: missing_scope (needed: chat:write); ');
    const hints = ['[ERROR] must be less than 3001 characters [json-pointer:/blocks/2/text/text]'];
    const invalid = api(200, { ok: false, error: 'invalid_blocks', response_metadata: { messages: hints } });
    expect(JSON.stringify(invalid)).toContain(
      'invalid_blocks (must be less than 3001 characters [json-pointer:/blocks/2/text/text]); ',
    );
    const odd = api(200, { ok: false, error: 'invalid_blocks', response_metadata: { messages: 7 } });
    expect(odd).toMatchObject({ error: 'invalid_blocks' });
  });

  test('a pause has the length in the header', () => {
    const limited = { ok: false, error: 'ratelimited' };
    expect(api(429, limited, { ...JSON_TYPE, 'retry-after': '10' }).outcome).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 10_000,
    });
    expect(api(200, limited).outcome).toMatchObject({ kind: 'throttled', retryAfterMs: undefined });
  });

  test('a long incomplete answer still says where the message is', () => {
    const head = '{"ok":true,"channel":"C1","ts":"1503435956.000247","message":{"text":"\\u00e4';
    expect(api(200, head, JSON_TYPE, true)).toMatchObject({
      outcome: { kind: 'delivered' },
      body: { ok: true, channel: 'C1', ts: '1503435956.000247' },
    });
    expect(api(200, head.slice(0, 30), JSON_TYPE, true).outcome).toMatchObject({ kind: 'ambiguous' });
    expect(api(200, head, JSON_TYPE, false).outcome).toMatchObject({ kind: 'ambiguous' });
  });

  test('the outcome shows no credential', () => {
    expect(JSON.stringify(api(200, { ok: false, error: 'invalid_auth: canary' }).outcome)).not.toContain(
      'canary',
    );
    expect(JSON.stringify(api(401, 'token canary').outcome)).not.toContain('canary');
  });
});

test('every row has a reason of one word and a remedy', () => {
  const all = [ROWS.webhook, ROWS.api].flatMap(({ words, statuses, ...single }) =>
    [words, statuses, single].flatMap((rows) => Object.values<OutcomeRow>(rows)),
  );
  for (const row of all) {
    expect(row.reason).toMatch(/^[A-Z][A-Za-z0-9]+$/);
    expect(row.remedy.length).toBeGreaterThan(10);
  }
});
