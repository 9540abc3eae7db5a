import { expect, test } from 'vitest';
import { EMPTY_OUTPUT } from '../../../../core/src/sinks/chat-message.ts';
import type { Rendered, TemplateRunner, TemplateSource } from '@hnotif/core/render';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { anEvent } from '../../../../core/src/testing/events.ts';
import { aDelivery, anAttempt, sinkSettings } from '../../../../core/src/testing/sinks.ts';
import { serve, transport, unusedPort } from '../testing/server.ts';
import type { Delivery, Progress } from '@hnotif/core/sinks';
import { readTeamchatConfig } from '../../../../core/src/sinks/teamchat/config.ts';
import { teamchatSink } from '../../../../core/src/sinks/teamchat/teamchat.ts';

const TEMPLATE: TemplateSource = { name: 'messages/night', text: '…' };
const BLOCKS = JSON.stringify([{ type: 'divider' }]);
const FAILED = anEvent('Failure', 1, { errorMessage: 'no <quota> for <!channel>', retryCount: 2 });

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}
interface Taken {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

const OK: Answer = { status: 200, body: 'ok' };
const refused = (body: string): Answer => ({ status: 400, body });

/** A sink whose webhook gives these answers, one after the other; after the last `ok`. */
async function aSink(
  fields: object,
  {
    answers = [],
    rendered = [],
  }: { answers?: readonly Answer[]; rendered?: readonly (Rendered | Error)[] } = {},
) {
  const taken: Taken[] = [];
  const { url } = await serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { status, body: says, headers = {} } = answers[taken.length] ?? OK;
      taken.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        message: JSON.parse(body) as Taken['message'],
      });
      response.writeHead(status, headers).end(says);
    });
  });
  const hook = `${url.origin}/services/T012345/B012345/canary012345`;
  const reading = readTeamchatConfig({ webhook_url: hook, ...fields }, () => undefined);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  const renders = [...rendered];
  const templates: TemplateRunner = {
    render() {
      const next = renders.shift() ?? { ok: true, text: 'rendered once too often' };
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    check: () => Promise.resolve(undefined),
  };
  const settings = sinkSettings(
    { transport: transport({ showPrivateAnswers: true }), clock: new ManualClock() },
    { templates },
  );
  const sink = teamchatSink(reading.config, settings);
  const attempt = anAttempt();
  const progress: Progress = { level: 0, unclearSince: undefined };
  const deliver = (more: Partial<Delivery> = {}) =>
    sink.deliver(aDelivery(FAILED, { progress, ...more }), attempt);
  return { sink, taken, attempt, progress, deliver, hook };
}

const DELIVERED = { kind: 'delivered', status: 200 };
const NOTHING_LINKED = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false };

test('text without a template is the built-in text, without links', async () => {
  const { taken, deliver, attempt } = await aSink({});
  expect(await deliver()).toEqual(DELIVERED);
  expect(taken).toHaveLength(1);
  const { method, url, headers, message } = taken[0] ?? {};
  expect([method, url]).toEqual(['POST', '/services/T012345/B012345/canary012345']);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'hnotif/1.2.3',
  });
  expect(message).toMatchObject(NOTHING_LINKED);
  expect(message?.text).toContain('*Hibernation Failed*');
  expect(message?.text).toContain('no &lt;quota&gt; for &lt;!channel&gt;');
  expect(message).not.toHaveProperty('blocks');
  expect(attempt.degradations).toEqual([]);
});

test('a text that is too long is cut, and says so', async () => {
  const { taken, deliver } = await aSink({}, { rendered: [{ ok: true, text: 'x'.repeat(50_000) }] });
  await deliver({ template: TEMPLATE });
  const text = String(taken[0]?.message.text);
  expect(text.length).toBe(40_000);
  expect(text).toMatch(/… \(\d+ more characters\)$/);
});

test('json without a template is the preset layout', async () => {
  const { taken, deliver } = await aSink({ format: 'json', block_layout: 'compact' });
  expect(await deliver()).toEqual(DELIVERED);
  expect(taken[0]?.message).toMatchObject({
    text: 'Hibernation Failed: team-a/night — no &lt;quota&gt; for &lt;!channel&gt;',
    blocks: [{ type: 'section' }, { type: 'context' }],
    ...NOTHING_LINKED,
  });
});

test.each([
  [
    'no JSON',
    'hello',
    'the output is not JSON: see line 1, column 1 (at hello); write texts and the names of fields in double quotes (")',
  ],
  ['nothing', ' ', EMPTY_OUTPUT],
  [
    'too long a header',
    '[{"type":"header","text":{"type":"mrkdwn","text":"x"}}]',
    'Slack would refuse it: /blocks/0/text/type: must be "plain_text" (invalid_blocks); write "plain_text"',
  ],
  [
    'blocks too deep to be written down',
    `[{"type":"rich_text","elements":[{"type":"x","d":${'['.repeat(60_000)}${']'.repeat(60_000)}}]}]`,
    'Slack would refuse it: /blocks/0: is nested deeper than the 512 levels that a message may have (invalid_json); write a flatter value',
  ],
])(
  'json with a template that makes %s results in the preset layout, and that is reported',
  async (_, text, problem) => {
    const { taken, deliver, attempt } = await aSink({ format: 'json' }, { rendered: [{ ok: true, text }] });
    expect(await deliver({ template: TEMPLATE })).toEqual(DELIVERED);
    expect(taken[0]?.message.blocks).toMatchObject([{ type: 'header' }, {}, {}, { type: 'context' }]);
    expect(attempt.degradations).toEqual([
      {
        reason: 'BlocksInvalid',
        message: `template messages/night: ${problem}; the preset layout was sent`,
      },
    ]);
  },
);

test.each(['text', 'json'])(
  'a template that fails results in plain text with format %s, and that is reported',
  async (format) => {
    const fault: Rendered = {
      ok: false,
      reason: 'TemplateExecutionFailed',
      message: 'night:1:3: no such field',
    };
    const { taken, deliver, attempt } = await aSink({ format }, { rendered: [fault] });
    expect(await deliver({ template: TEMPLATE })).toEqual(DELIVERED);
    expect(taken[0]?.message).toEqual({
      text: 'Failure: team-a/night\nOperation: shutdown\nPhase: Hibernating\nError: no &lt;quota&gt; for &lt;!channel&gt;',
      mrkdwn: false,
      ...NOTHING_LINKED,
    });
    expect(attempt.degradations).toEqual([{ reason: fault.reason, message: fault.message }]);
  },
);

test.each([
  ['text', '*Hibernation Failed*', undefined],
  ['json', 'Hibernation Failed: team-a/night', 'header'],
])(
  'a template whose output makes no message loses no message with format %s',
  async (format, text, first) => {
    const { taken, deliver, attempt } = await aSink({ format }, { rendered: [new RangeError('canary')] });
    expect(await deliver({ template: TEMPLATE })).toEqual(DELIVERED);
    const { message } = taken[0] ?? {};
    expect(message?.text).toContain(text);
    expect((message?.blocks as { type: string }[] | undefined)?.[0]?.type).toBe(first);
    expect(attempt.degradations).toEqual([
      {
        reason: 'MessageUnmade',
        message: 'no message could be made with template messages/night (RangeError); a plainer one was sent',
      },
    ]);
  },
);

test('a message that replaced a failed one is not sent again', async () => {
  const { taken, deliver, attempt } = await aSink(
    { format: 'json' },
    { rendered: [new RangeError()], answers: [refused('invalid_blocks')] },
  );
  expect(await deliver({ template: TEMPLATE })).toMatchObject({ kind: 'continue' });
  expect(await deliver({ template: TEMPLATE })).toEqual(DELIVERED);
  expect(taken.map(({ message }) => message.blocks === undefined)).toEqual([false, true]);
  expect(attempt.degradations.map(({ reason }) => reason)).toEqual(['RejectedByReceiver']);
});

test('an empty text is replaced by plain text', async () => {
  const { taken, deliver, attempt } = await aSink({}, { rendered: [{ ok: true, text: ' \n\u200b' }] });
  expect(await deliver({ template: TEMPLATE })).toEqual(DELIVERED);
  expect(taken[0]?.message).toMatchObject({ mrkdwn: false });
  expect(attempt.degradations).toMatchObject([{ reason: 'TemplateEmpty' }]);
});

test('refused messages fall back: template, preset, plain text; one request each', async () => {
  const { taken, deliver, attempt } = await aSink(
    { format: 'json' },
    {
      rendered: [{ ok: true, text: BLOCKS }],
      answers: [refused('invalid_blocks'), refused('invalid_blocks'), OK],
    },
  );
  const more = { template: TEMPLATE };
  expect(await deliver(more)).toEqual({ kind: 'continue', anew: true });
  expect(await deliver(more)).toEqual({ kind: 'continue', anew: true });
  expect(await deliver(more)).toEqual(DELIVERED);
  expect(taken.map(({ message }) => (message.blocks as { type: string }[] | undefined)?.[0]?.type)).toEqual([
    'divider',
    'header',
    undefined,
  ]);
  expect(taken[2]?.message).toMatchObject({ mrkdwn: false });
  expect(attempt.degradations).toEqual(
    [
      'the chat refused: invalid_blocks; correct the template; a plainer message was sent instead',
      'the chat refused: invalid_blocks; hnotif made this message itself: please report what the answer says; a plainer message was sent instead',
    ].map((message) => ({ reason: 'RejectedByReceiver', message })),
  );
});

test('plain text that is refused ends the delivery', async () => {
  const no = refused('invalid_payload');
  const { taken, deliver, attempt } = await aSink({}, { answers: [no, no, no] });
  expect(await deliver()).toEqual({ kind: 'continue', anew: true });
  expect(await deliver()).toMatchObject({ kind: 'rejected-payload', reason: 'InvalidPayload' });
  expect(taken).toHaveLength(2);
  expect(attempt.degradations).toEqual([]);
});

test('after refusals of all forms the error is about the first one', async () => {
  const no = refused('invalid_payload');
  const { deliver, attempt } = await aSink(
    {},
    { rendered: [{ ok: true, text: 'x' }], answers: [no, no, no] },
  );
  const more = { template: TEMPLATE };
  await deliver(more);
  await deliver(more);
  expect(await deliver(more)).toMatchObject({
    message: 'the chat refused: invalid_payload; correct the template; plainer messages were refused, too',
  });
  expect(attempt.degradations).toEqual([]);
});

test('a preset that replaced the template is not sent again', async () => {
  const { taken, deliver } = await aSink(
    { format: 'json' },
    { rendered: [{ ok: true, text: 'no blocks' }], answers: [refused('msg_blocks_too_long'), OK] },
  );
  expect(await deliver({ template: TEMPLATE })).toEqual({ kind: 'continue', anew: true });
  expect(await deliver({ template: TEMPLATE })).toEqual(DELIVERED);
  expect(taken.map(({ message }) => message.blocks === undefined)).toEqual([false, true]);
});

test('plain text after a failed rendering has no plainer form', async () => {
  const fault: Rendered = { ok: false, reason: 'TemplateTimedOut', message: 'too long' };
  const { deliver, attempt } = await aSink({}, { rendered: [fault], answers: [refused('no_text')] });
  expect(await deliver({ template: TEMPLATE })).toMatchObject({ kind: 'rejected-payload' });
  expect(attempt.degradations).toEqual([]);
});

test('other outcomes do not fall back', async () => {
  const answers: Answer[] = [
    { status: 429, body: 'slow down', headers: { 'retry-after': '3' } },
    { status: 404, body: 'no_service' },
    { status: 502, body: '' },
  ];
  const { deliver, progress, attempt } = await aSink({}, { answers });
  expect(await deliver()).toMatchObject({ kind: 'throttled', retryAfterMs: 3_000 });
  expect(await deliver()).toMatchObject({ kind: 'rejected-configuration', reason: 'WebhookRemoved' });
  expect(await deliver()).toMatchObject({ kind: 'ambiguous', reason: 'BadGateway' });
  expect(progress.level).toBe(0);
  expect(attempt.degradations).toEqual([]);
});

test('no part of the address is shown, whatever the receiver answers', async () => {
  const echo = 'cannot POST /services/T012345/B012345/canary012345 (token canary012345, http%3A%2F%2F)';
  const { deliver, hook } = await aSink(
    {},
    {
      answers: [
        { status: 404, body: echo },
        { status: 404, body: '' },
      ],
    },
  );
  const told = JSON.stringify([await deliver(), await deliver()]);
  expect(told).toContain('[redacted]');
  for (const part of [hook, 'T012345', 'B012345', 'canary012345']) expect(told).not.toContain(part);
});

test('a receiver that cannot be reached is a transient outcome', async () => {
  const reading = readTeamchatConfig(
    { webhook_url: `http://127.0.0.1:${await unusedPort()}/services/canary012345` },
    () => undefined,
  );
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  const sink = teamchatSink(
    reading.config,
    sinkSettings({ transport: transport({ showPrivateAnswers: true }), clock: new ManualClock() }),
  );
  const outcome = await sink.deliver(aDelivery(FAILED), anAttempt());
  expect(outcome).toMatchObject({ kind: 'transient', reason: 'ConnectionRefused' });
  expect(JSON.stringify(outcome)).not.toContain('canary');
});

test('an aborted attempt fails nothing', async () => {
  const { sink } = await aSink({});
  const outcome = await sink.deliver(aDelivery(FAILED), anAttempt(AbortSignal.abort()));
  expect(outcome).toMatchObject({ kind: 'aborted' });
});

test('each request takes a token of the sink’s bucket, and of the bucket of the webhook', async () => {
  const { sink, hook } = await aSink({ rate_limit: { rate: 2, unit: 'second', burst: 3 } });
  const [own, shared] = sink.rates;
  expect(own).toEqual({ key: 'team-a/n/ops', perSecond: 2, burst: 3 });
  expect(shared).toEqual({ key: shared?.key, perSecond: 2, burst: 3 });
  expect(shared?.key).toMatch(/^teamchat:[\w-]{22}$/);
  expect(sink.origin).toBe(new URL(hook).origin);
  expect(sink.ignoresTemplate).toBeUndefined();
  const other = await aSink({});
  expect(other.sink.rates[1]?.key).not.toBe(shared?.key);
});

test('the layout decides which events are suppressed', async () => {
  const running = anEvent('ExecutionProgress', 1, {
    targetExecution: { name: 'db', executor: 'rds', state: 'Running', message: '' },
  });
  expect((await aSink({ format: 'json' })).sink.suppresses(running)).toBe(true);
  expect((await aSink({ format: 'json', block_layout: 'auto' })).sink.suppresses(running)).toBe(false);
  expect((await aSink({})).sink.suppresses(running)).toBe(false);
});
