import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { certificateOf } from '../testing/certificate.ts';
import { Transport } from '../client.ts';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { anEvent } from '../../../../core/src/testing/events.ts';
import { aDelivery, anAttempt, sinkSettings } from '../../../../core/src/testing/sinks.ts';
import { type SinkReading, readSink, type ReadySink } from '@hnotif/core/sinks';

const transport = new Transport({ allowInsecureHttp: true, showPrivateAnswers: true });
const clock = new ManualClock();
const settings = sinkSettings({ transport, clock });

interface Got {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
let got: Got[] = [];
let answer: (response: ServerResponse, got: Got) => void;
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => (body += part));
  request.on('end', () => {
    const message = { url: request.url, headers: request.headers, body };
    got.push(message);
    answer(response, message);
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  got = [];
  answer = (response) => response.end();
});
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function sinkOf(fields: object = {}): ReadySink {
  const reading = readSink(
    'webhook',
    JSON.stringify({ url: `${address()}/hook/canary-p4th?t=canary-query`, ...fields }),
    settings,
  );
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.sink;
}

const deliver = (sink: ReadySink, signal?: AbortSignal) =>
  sink.deliver(aDelivery(anEvent('Start', 1)), anAttempt(signal));

test('a delivery POSTs the payload with its id and the configured headers', async () => {
  const outcome = await deliver(sinkOf({ headers: { 'X-Api-Key': 'canary-key' } }));
  expect(outcome).toEqual({ kind: 'delivered', status: 200 });
  expect(got).toHaveLength(1);
  expect(got[0]?.url).toBe('/hook/canary-p4th?t=canary-query');
  expect(got[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'hnotif/1.2.3',
    'webhook-id': 'delivery-id',
    'x-api-key': 'canary-key',
  });
  expect(got[0]?.headers).not.toHaveProperty('webhook-signature');
  expect(got[0]?.headers).not.toHaveProperty('webhook-timestamp');
  expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
    context: { event: 'Start', operation: 'Hibernate' },
  });
});

test('a configured header replaces ours, in any case', async () => {
  await deliver(sinkOf({ headers: { 'CONTENT-TYPE': 'application/vnd.team+json', 'User-agent': 'team' } }));
  expect(got[0]?.headers).toMatchObject({
    'content-type': 'application/vnd.team+json',
    'user-agent': 'team',
  });
});

test('every attempt is signed with each signing secret, and with the time of the attempt', async () => {
  const keys = [Buffer.alloc(24, 1), Buffer.alloc(32, 2)];
  const sink = sinkOf({ signing_secret: keys.map((key) => `whsec_${key.toString('base64')}`) });
  await deliver(sink);
  clock.jump(5_000);
  await deliver(sink);
  const times = got.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times).toEqual([Math.floor(clock.now() / 1000) - 5, Math.floor(clock.now() / 1000)]);
  for (const { headers, body } of got) {
    const signed = `delivery-id.${String(headers['webhook-timestamp'])}.${body}`;
    const expected = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(headers['webhook-signature']).toBe(expected.join(' '));
  }
});

test('a success with an incomplete body is a success', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
  };
  expect(await deliver(sinkOf())).toEqual({ kind: 'delivered', status: 200 });
});

test('a connection lost after the request is ambiguous, a refused one is transient', async () => {
  answer = (response) => response.destroy();
  expect(await deliver(sinkOf())).toMatchObject({ kind: 'ambiguous', reason: 'ConnectionLost' });
  // Nothing listens on port 1, for which an ordinary process has no right.
  expect(await deliver(sinkOf({ url: 'http://127.0.0.1:1/' }))).toMatchObject({ kind: 'transient' });
});

test('a delivery that we abort is aborted', async () => {
  const controller = new AbortController();
  answer = () => {
    controller.abort();
  };
  expect(await deliver(sinkOf(), controller.signal)).toMatchObject({ kind: 'aborted' });
});

test('the outcome of a receiver that echoes the whole request shows no credential', async () => {
  const sink = sinkOf({
    headers: {
      Authorization: 'Bearer canary-bearer',
      'X-Basic': `Basic ${Buffer.from('user:canary-password').toString('base64')}`,
      'X-Api-Key': 'canary-key',
    },
    signing_secret: [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      `whsec_${Buffer.from('MfKQ-in-text-is-the-signing-key!').toString('base64')}`,
    ],
  });
  const echoes: ((got: Got) => string)[] = [
    ({ url }) => `no route for ${url ?? ''}`,
    ({ url }) => decodeURIComponent(url ?? '').replaceAll('/', ' '),
    ({ headers }) => JSON.stringify(headers['x-api-key']),
    ({ headers }) => String(headers.authorization).split(' ')[1] ?? '',
    () => 'user user:canary-password, password canary-password',
    () => Buffer.from('canary-key').toString('base64'),
    () => 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    () => 'MfKQ-in-text-is-the-signing-key!',
    () => Buffer.from('MfKQ-in-text-is-the-signing-key!').toString('base64').replace('=', ''),
  ];
  for (const echo of echoes) {
    answer = (response, message) => response.writeHead(400).end(`seen: ${echo(message)}`);
    const outcome = await deliver(sink);
    expect(outcome).toMatchObject({ kind: 'rejected-payload' });
    const text = JSON.stringify(outcome);
    expect(text).toContain('seen: ');
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/canary|Y2FuYXJ5|MfKQ|TWZLUS1pbi10/);
  }
});

test('ordinary words of the address are shown: they are not credentials', async () => {
  answer = (response, { url = '' }) =>
    response.writeHead(404).end(`no route for ${url}; notifications of the hibernation are elsewhere`);
  const told = async (path: string): Promise<string> => {
    const outcome = await deliver(sinkOf({ url: address() + path }));
    return 'message' in outcome ? outcome.message : '';
  };
  expect(await told('/v1/notifications/hibernation')).toBe(
    'the receiver answered 404, saying "no route for /v1/notifications/hibernation; notifications of the hibernation are elsewhere"; check url',
  );
  const [token, query] = await Promise.all([
    told('/v1/notifications/q7Rz0canary'),
    told('/v1/notifications?key=canary-query'),
  ]);
  for (const text of [token, query]) {
    expect(text).toContain('no route for [redacted]; notifications of the hibernation are elsewhere');
    expect(text).not.toContain('canary');
  }
});

test('a sink shows its origin and nothing else of its address', () => {
  const sink = sinkOf();
  expect(sink.origin).toBe(address());
  expect(JSON.stringify(sink)).not.toContain('canary');
});

const problems = (reading: SinkReading): readonly string[] => (reading.ok ? [] : reading.problems);

test.each([
  ['teamchat', 'webhook_url'],
  ['botchat', 'token'],
  ['webhook', 'url'],
] as const)('the configuration of a %s sink is read by its own rules', (type, field) => {
  expect(problems(readSink(type, '{}', settings)).join()).toContain(`${field}: is missing`);
});

test('the error of invalid JSON names the place and never quotes the text', () => {
  expect(problems(readSink('webhook', '{\n  "url": canary-url\n}', settings))).toEqual([
    'the configuration is not JSON: see line 2, column 10; write texts and the names of fields in double quotes (")',
  ]);
  expect(problems(readSink('webhook', '{"url": "https://canary", }', settings))).toEqual([
    'the configuration is not JSON: see line 1, column 27; remove the comma before the }',
  ]);
});

test.each([
  [
    'encoded twice',
    'eyJ1cmwiOiAiaHR0cHM6Ly9jYW5hcnkuZXhhbXBsZSJ9',
    /is base64 once more: it was encoded twice/,
  ],
  ['in single quotes', `'{"url": "https://canary.example"}'`, /stands in quotes; remove them/],
  ['a JSON string', JSON.stringify('{"url": "https://canary.example"}'), /stands in quotes; remove them/],
  [
    'YAML',
    'url: https://canary.example\nheaders: {}',
    /not JSON: .*; it looks like YAML: write it as \{"url": …\}, or convert it with yq -o=json$/,
  ],
  [
    'YAML after a comment',
    '# canary\n---\n\n  "url": https://canary.example',
    /YAML: write it as \{"url": …\}/,
  ],
  ['YAML of another field', 'canary=x: 1', /^the configuration is not JSON: see line 1, column 1(?!.*YAML)/],
  [
    'an address',
    'https://canary.example/x',
    / see line 1, column 1; write it like \{"url": "https:\/\/…"\}$/,
  ],
  [
    'a JSON string of another kind',
    '"canary"',
    /must be a JSON object, found a string; write it like \{"url"/,
  ],
  ['null', 'null', /^the configuration must be a JSON object, found null; write it like/],
  ['a list', '["canary"]', /^the configuration must be a JSON object, found a list; write it like/],
])('the error of a configuration that is %s says so', (_, text, told) => {
  expect(problems(readSink('webhook', text, settings))).toEqual([expect.stringMatching(told)]);
  expect(problems(readSink('webhook', text, settings)).join()).not.toContain('canary');
});

test.each([
  [
    'teamchat',
    { webhok_url: 'canary' },
    'field webhok_url is not known and has no effect; did you mean webhook_url?',
  ],
  ['teamchat', { url: 'canary' }, 'field url is not known and has no effect; did you mean webhook_url?'],
  [
    'teamchat',
    { delivery_mode: 'thread', token: 'canary' },
    'field token is not known and has no effect; did you mean bot_token?',
  ],
  ['botchat', { bot_token: 'canary' }, 'field bot_token is not known and has no effect; did you mean token?'],
  ['webhook', { Url: 'canary' }, 'field Url is not known and has no effect; did you mean url?'],
  [
    'webhook',
    { webhook_url: 'canary' },
    'field webhook_url is not known and has no effect; did you mean url?',
  ],
  ['webhook', { colour: 'canary' }, 'field colour is not known and has no effect'],
] as const)('a field of %s that is mistyped is named beside the missing one: %j', (type, json, told) => {
  const all = problems(readSink(type, JSON.stringify(json), settings));
  expect(all.some((problem) => problem.includes(': is missing'))).toBe(true);
  expect(all).toContain(told);
  expect(all.join()).not.toContain('canary');
});

test('a channel beside an incoming webhook has its reason, and no suggestion of a field that would be refused', () => {
  const webhook = { webhook_url: `${address()}/`, channel: '#canary' };
  expect(readSink('teamchat', JSON.stringify(webhook), settings)).toMatchObject({
    ok: true,
    notes: ['field channel is not known and has no effect: the address in webhook_url decides the channel'],
  });
  const bot = { delivery_mode: 'thread', bot_token: 'xoxb-canary', channel: 'C0CANARY0' };
  expect(problems(readSink('teamchat', JSON.stringify(bot), settings))).toContain(
    'field channel is not known and has no effect; did you mean channel_id?',
  );
});

test('a field that exists is not suggested as a typing error of another one', () => {
  const reading = readSink('webhook', JSON.stringify({ url: `${address()}/`, urls: 1 }), settings);
  expect(reading).toMatchObject({ ok: true, notes: ['field urls is not known and has no effect'] });
});

test.each([
  [
    'teamchat',
    'https://hooks.slack.com/services/T0/B0/canary',
    '{"webhook_url": "https://hooks.slack.com/…"}',
  ],
  ['botchat', '123456789:canary', '{"token": "…", "chat_id": "…"}'],
] as const)('the value of %s alone is answered with an example', (type, text, example) => {
  const [problem, ...more] = problems(readSink(type, text, settings));
  expect(problem).toMatch(/^the configuration is not JSON: /);
  expect(problem).toContain(`; write it like ${example}`);
  expect([problem, ...more].join()).not.toContain('canary');
});

const CHAT = JSON.stringify({ token: '1:canary', chat_id: '-1001234567890' });
const HOOK = '{"url":"https://hooks.example/x"}';

test.each([
  ['webhook', HOOK, ['config', 'other'], []],
  ['webhook', HOOK, ['config', 'tls.crt', 'tls.key', 'ca.crt'], []],
  ['webhook', HOOK, ['client.crt', 'tls.key'], ['client.crt has no effect: write it under the key tls.crt']],
  ['webhook', HOOK, ['client.crt', 'tls.crt'], []],
  [
    'botchat',
    CHAT,
    ['ca.crt', 'tls.key', 'client.crt'],
    ['tls.key, ca.crt have no effect: a sink of type botchat has no certificates of its own'],
  ],
] as const)('the notes of a %s name certificates without effect: %s, %j', (type, text, keys, notes) => {
  expect(readSink(type, text, settings, {}, keys)).toMatchObject({ ok: true, notes });
});

test('a certificate that has expired is told from then on, with the date', () => {
  const certificate = certificateOf({ names: ['client'], until: '300101000000Z' });
  const files = { 'tls.crt': certificate.cert, 'tls.key': certificate.key, 'ca.crt': certificate.cert };
  const reading = readSink('webhook', HOOK, settings, files);
  const told = (at: string) => (reading.ok ? reading.sink.invalidAt?.(Date.parse(at)) : undefined);
  expect(told('2029-12-31T23:59:59Z')).toEqual([]);
  expect(told('2030-01-01T00:00:01Z')).toEqual([
    'tls.crt: expired at 2030-01-01T00:00:00Z; renew it',
    'ca.crt: expired at 2030-01-01T00:00:00Z; renew it',
  ]);
});

test('bytes are read as UTF-8, with or without a byte order mark', () => {
  const text = JSON.stringify({ url: `${address()}/` });
  expect(readSink('webhook', Buffer.from(text), settings).ok).toBe(true);
  expect(readSink('webhook', Buffer.from(`\ufeff${text}`), settings).ok).toBe(true);
  expect(readSink('webhook', `\ufeff${text}`, settings).ok).toBe(true);
  expect(problems(readSink('webhook', Buffer.from([0x7b, 0xff, 0x7d]), settings))).toEqual([
    'the configuration is not UTF-8 text',
  ]);
});

test('the error of an empty configuration says that it is empty', () => {
  expect(problems(readSink('webhook', ' \n', settings))).toEqual([
    'the configuration is empty; write it like {"url": "https://…"}',
  ]);
});

test('a url that must not receive requests makes no sink', () => {
  expect(problems(readSink('webhook', '{"url":"https://169.254.169.254/"}', settings))).toHaveLength(1);
  expect(problems(readSink('webhook', '{"url":"http://192.0.2.1/"}', settings))).toHaveLength(1);
});
