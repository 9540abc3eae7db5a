import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Rendered, TemplateSource } from '@hnotif/core/render';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { anEvent } from '../../../../core/src/testing/events.ts';
import { aDelivery, anAttempt, sinkSettings } from '../../../../core/src/testing/sinks.ts';
import { Transport } from '../client.ts';
import type { Delivery, ReadySink } from '@hnotif/core/sinks';
import { readBotchatConfig } from '../../../../core/src/sinks/botchat/config.ts';
import { botchatSink } from '../../../../core/src/sinks/botchat/botchat.ts';

const TOKEN = '123456789:canary-Token_x';

const transport = new Transport({ allowInsecureHttp: true, showPrivateAnswers: true });
const clock = new ManualClock();

interface Got {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}
let got: Got[] = [];
/** The answers to the requests, in order; then `{"ok":true}`. */
let answers: (readonly [status: number, body: object])[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => (body += part));
  request.on('end', () => {
    got.push({ url: request.url, headers: request.headers, body: JSON.parse(body) as Got['body'] });
    const [status, answer] = answers.shift() ?? [200, { ok: true, result: { message_id: 1 } }];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  got = [];
  answers = [];
});
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const refusal = (code: number, description: string, parameters?: object) =>
  [code, { ok: false, error_code: code, description, parameters }] as const;
const UNPARSABLE = refusal(
  400,
  'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0',
);

function sinkOf(fields: object = {}, rendered: Rendered = { ok: true, text: '<x>custom' }): ReadySink {
  const reading = readBotchatConfig({ token: TOKEN, chat_id: -42, ...fields });
  if (!reading.ok) throw new Error(reading.problems.join());
  const templates = {
    render: (template: TemplateSource): Promise<Rendered> =>
      Promise.resolve(template.text === '' ? rendered : { ok: true, text: template.text }),
    check: () => Promise.resolve(undefined),
  };
  const settings = sinkSettings({ transport, clock }, { botApiUrl: address(), templates });
  return botchatSink(reading.config, settings);
}

/** A new one each time: deliveries keep their fallback level. */
const plain = (): Delivery => aDelivery(anEvent('Failure', 1, { errorMessage: 'disk <full> @ops' }));
const templated = (text = ''): Delivery =>
  aDelivery(anEvent('Failure', 1), { template: { name: 'cm/key', text } });

/** Delivers as the dispatcher does: again, as long as the sink asks for it. */
async function deliver(sink: ReadySink, delivery: Delivery) {
  const attempt = anAttempt();
  for (let requests = 1; ; requests++) {
    const outcome = await sink.deliver(delivery, attempt);
    if (outcome.kind !== 'continue') return { outcome, requests, degradations: attempt.degradations };
  }
}

test('half a surrogate pair in the output of a template is replaced', async () => {
  await deliver(sinkOf(), templated('a\ud83d'));
  expect(got[0]?.body).toMatchObject({ text: 'a\ufffd' });
});

test('a template that fails results in plain text, which is reported when it has arrived', async () => {
  const sink = sinkOf({}, { ok: false, reason: 'TemplateTimedOut', message: 'template cm/key: too slow' });
  const delivery = templated();
  answers = [refusal(500, 'Internal Server Error')];
  expect((await deliver(sink, delivery)).degradations).toEqual([]);
  const { outcome, degradations } = await deliver(sink, delivery);
  expect(outcome.kind).toBe('delivered');
  expect(degradations).toEqual([{ reason: 'TemplateTimedOut', message: 'template cm/key: too slow' }]);
  expect(got[1]?.body.text).toMatch(/^Failure: team-a\/night\n/);
  expect(got[1]?.body).not.toHaveProperty('parse_mode');
});

test('after a refusal the custom message is followed by the built-in one, then by plain text', async () => {
  answers = [UNPARSABLE, UNPARSABLE];
  const { outcome, requests, degradations } = await deliver(sinkOf(), templated());
  expect([outcome.kind, requests]).toEqual(['delivered', 3]);
  expect(got.map(({ body }) => [body.parse_mode, String(body.text).split('\n')[0]])).toEqual([
    ['HTML', '<x>custom'],
    ['HTML', '❌ <b>Hibernation Failed</b>'],
    [undefined, 'Failure: team-a/night'],
  ]);
  expect(degradations.map(({ reason }) => reason)).toEqual(['RejectedByReceiver', 'RejectedByReceiver']);
  expect(degradations[0]?.message).toBe(
    'the Bot API answered 400, saying "Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0"; correct the template: values go through escapeHTML or escapeMarkdown, as parse_mode says; a plainer message was sent instead',
  );
});

test('two deliveries may find the same move', async () => {
  const moved = refusal(400, 'group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -100777 });
  answers = [moved, moved];
  const sink = sinkOf();
  const ends = await Promise.all([deliver(sink, plain()), deliver(sink, plain())]);
  expect(ends.map(({ outcome }) => outcome.kind)).toEqual(['delivered', 'delivered']);
  expect(got).toHaveLength(4);
});

test.each([
  ['in a circle', (step: number) => (step % 2 === 0 ? -100777 : -42)],
  ['ever on', (step: number) => -100777 - step],
])('the sink stops after moves that lead %s', async (_what, to) => {
  answers = Array.from({ length: 10 }, (_, step) =>
    refusal(400, 'upgraded to a supergroup', { migrate_to_chat_id: to(step) }),
  );
  const { outcome, requests } = await deliver(sinkOf(), plain());
  expect(outcome).toMatchObject({ kind: 'rejected-configuration', reason: 'ChatMigrated' });
  expect(requests).toBeLessThanOrEqual(4);
});

test('a topic that is gone is tried again after ten minutes', async () => {
  const gone = refusal(400, 'Bad Request: message thread not found');
  const sink = sinkOf({ message_thread_id: 42 });
  const topics = (): unknown[] => got.map(({ body }) => body.message_thread_id);
  answers = [gone];
  const { outcome, degradations } = await deliver(sink, plain());
  expect(outcome.kind).toBe('delivered');
  expect(degradations.map(({ reason }) => reason)).toEqual(['TopicDeleted']);
  await clock.advance(10 * 60_000 - 1);
  expect((await deliver(sink, plain())).degradations).toEqual(degradations);
  expect(topics()).toEqual([42, undefined, undefined]);
  await clock.advance(1);
  expect((await deliver(sink, plain())).degradations).toEqual([]);
  expect(topics()).toEqual([42, undefined, undefined, 42]);
});

test('a chat that refuses the General topic, too, is a refused configuration', async () => {
  const gone = refusal(400, 'Bad Request: message thread not found');
  answers = [gone, gone];
  const { outcome, requests } = await deliver(sinkOf({ chat_id: '-42:7' }), plain());
  expect(outcome).toMatchObject({ kind: 'rejected-configuration', reason: 'TopicDeleted' });
  expect(requests).toBe(2);
});

test('each request takes a token of the sink’s bucket, and one of the bucket of bot and chat', () => {
  const rates = sinkOf({ rate_limit: { rate: 60, unit: 'minute', burst: 3 } }).rates;
  expect(rates.map(({ perSecond, burst }) => [perSecond, burst])).toEqual([
    [1, 3],
    [1, 3],
  ]);
  expect(rates[0]?.key).toBe('team-a/n/ops');
  const shared = (fields: object): string | undefined => sinkOf(fields).rates[1]?.key;
  expect(shared({ parse_mode: 'MarkdownV2' })).toBe(rates[1]?.key);
  expect(shared({ chat_id: '-42' })).toBe(rates[1]?.key);
  expect(shared({ chat_id: '-43' })).not.toBe(rates[1]?.key);
  expect(shared({ token: '1:other' })).not.toBe(rates[1]?.key);
  expect(shared({ chat_id: '@Some_chat' })).toBe(shared({ chat_id: '@some_CHAT' }));
  expect(JSON.stringify(rates)).not.toMatch(/canary|123456789|-42/);
});

test('a sink suppresses nothing and uses templates', () => {
  const sink = sinkOf();
  expect(sink.suppresses(anEvent('ExecutionProgress', 1))).toBe(false);
  expect(sink.ignoresTemplate).toBeUndefined();
  expect(sink.origin).toBe(address());
});

test('no outcome and no degradation shows the token', async () => {
  const echo = `at https://api.telegram.org/bot${TOKEN}/sendMessage`;
  const ends: unknown[] = [];
  for (const code of [400, 401, 403, 404, 413, 429, 500, 502]) {
    answers = Array.from({ length: 3 }, () => refusal(code, echo));
    ends.push(await deliver(sinkOf(), templated()));
  }
  const reading = readBotchatConfig({ token: TOKEN, chat_id: -42 });
  if (!reading.ok) throw new Error(reading.problems.join());
  const nowhere = sinkSettings({ transport, clock }, { botApiUrl: 'http://127.0.0.1:1' });
  ends.push(await deliver(botchatSink(reading.config, nowhere), plain()));
  expect(ends).toHaveLength(9);
  expect(JSON.stringify(ends)).not.toContain('canary');
});
