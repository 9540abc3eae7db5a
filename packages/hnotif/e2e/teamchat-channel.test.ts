import type { TeamchatMessage } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import { begin, fail, initialStatus, poll, retry, type OperatorStatus } from '@hnotif/core/lifecycle';
import { evening, nightOf } from '../../lab/src/nights.ts';
import { Chat, pathOf, shown } from './support/teamchat.ts';
import { GROUP, NAMESPACE } from './support/world.ts';
import { StillClock } from '../../lab/src/turned-clock.ts';

const targetsOf = (...names: string[]) => names.map((name) => ({ name, type: 'rds' }));
/** The night of the plan `orders` fails for good. */
const failed = async ({ world }: Chat): Promise<void> => {
  await world.plan('orders', ['db', 'vm'], { spec: { behavior: { retries: 0 } } });
  await evening(world, 'orders');
};

it('text without a template sends the built-in message', async () => {
  const chat = await Chat.withHooks({ sinks: { text: {} }, onEvents: ['Failure'] });
  await failed(chat);
  const message = await chat.only('text');
  expect(message.blocks).toEqual([]);
  const place = ' | Account: 123456789012 | Region: eu-west-1';
  expect(shown(message).split('\n')).toEqual([
    expect.stringMatching(/^:[a-z_]+: Hibernation Failed$/),
    'Plan: orders',
    'Namespace: team-a',
    'Phase: Error',
    'Operation: shutdown',
    'Previous Phase: Hibernating',
    'Error: target vm: no capacity',
    expect.stringMatching(/^Timestamp: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
    'Targets:',
    `• vm (ec2): Failed${place}`,
    `• db (rds): Completed${place}`,
  ]);
});

describe('json', () => {
  it('json with a template whose output is not valid blocks JSON sends the preset, and says so', async () => {
    const json = { format: 'json' };
    const templates = {
      prose: 'orders sleeps',
      unquoted: '{"blocks": [{{ .Plan.Name }}]}',
      number: '7',
      blockless: '{"text": "hello"}',
      overlong: `[{"type":"header","text":{"type":"plain_text","text":"{{ repeat 151 "x" }}"}}]`,
      many: '[{{ range $i, $_ := until 51 }}{{ if $i }},{{ end }}{"type":"divider"}{{ end }}]',
    };
    const names = Object.keys(templates);
    const chat = await Chat.withHooks({
      sinks: { preset: json, ...Object.fromEntries(names.map((name) => [name, json])) },
      templates,
      onEvents: ['Start'],
    });
    await chat.world.plan('orders');
    await chat.world.hibernate('orders');
    const { blocks } = await chat.only('preset');
    for (const name of names) {
      expect((await chat.only(name)).blocks).toEqual(blocks);
      expect(await chat.told(new RegExp(`sink ${name}: [^;]*template`), /MessagesDegraded/)).toContain(
        `texts/${name}`,
      );
      await chat.world.logged(new RegExp(`"sink":"${name}".*"reason":"BlocksInvalid"`));
    }
    expect(await chat.metric('hnotif_messages_degraded_total')).toBe(names.length);
  });

  it('json without a template sends the preset layout', async () => {
    const chat = await Chat.withHooks({
      sinks: { wide: { format: 'json' }, compact: { format: 'json', block_layout: 'compact' } },
      onEvents: ['Start', 'Failure'],
    });
    await failed(chat);
    const wide = await chat.posted('wide', 2);
    const compact = await chat.posted('compact', 2);
    for (const [start, failure] of [wide, compact]) {
      for (const message of [start, failure]) expect(message?.blocks.length).toBeGreaterThan(0);
      expect(start && shown(start)).toContain('Hibernation Starting (2 targets)');
      const text = failure === undefined ? '' : shown(failure);
      for (const part of ['Hibernation Failed', 'orders', 'team-a', 'target vm: no capacity', 'vm'])
        expect(text).toContain(part);
      expect(failure?.text).toContain('Hibernation Failed');
    }
    const [wideFailure, compactFailure] = [wide[1], compact[1]];
    expect(wideFailure?.blocks.map(({ type }) => type)).toContain('header');
    expect(compactFailure?.blocks.length).toBeLessThan(wideFailure?.blocks.length ?? 0);
    expect(wideFailure && shown(wideFailure)).toMatch(/\bdb\b/);
    expect(compactFailure && shown(compactFailure)).toMatch(/\bdb\b/);
  });
});

it('default and compact suppress Pending and Running, and send Completed, Failed and Aborted', async () => {
  const chat = await Chat.withHooks({
    sinks: {
      wide: { format: 'json', block_layout: 'default' },
      compact: { format: 'json', block_layout: 'compact' },
      templated: { format: 'json' },
    },
    templates: {
      templated: `{{ with .TargetExecution }}[{"type":"section","text":{"type":"plain_text","text":"{{ .Name }} {{ .State }}"}}]{{ end }}`,
    },
    onEvents: ['ExecutionProgress'],
  });
  const { world } = chat;
  const names = ['db', 'vm', 'web'];
  await world.plan('orders', names);
  await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', targetsOf(...names), at));
  const ends = { db: 'Completed', vm: 'Failed', web: 'Aborted' } as const;
  for (const target of names)
    await world.write('orders', (status, at) => poll(status, [{ target, state: 'Running' }], at));
  for (const [target, state] of Object.entries(ends))
    await world.write('orders', (status, at) => poll(status, [{ target, state }], at));
  await world.write('orders', (status, at) => fail(status, 'vm', at));
  await world.write('orders', retry);
  for (const sink of ['wide', 'compact', 'templated']) {
    const told = (await chat.posted(sink, 3)).map((message) =>
      /\b(db|vm|web)\b.*?\b(Pending|Running|Completed|Failed|Aborted)\b/.exec(shown(message))?.slice(1),
    );
    expect(told, sink).toEqual(Object.entries(ends));
  }
  await chat.settled({ delivered: 9, suppressed: 12 });
  expect(await chat.metric('hnotif_deliveries_suppressed_total')).toBe(12);
  expect(await chat.metric('hnotif_deliveries_dropped_total')).toBe(0);
  await chat.controller.stop();
  expect(chat.controller.totals()).toEqual({ delivered: 9, failed: 0, dropped: 0, suppressed: 12 });
});

describe('requests', () => {
  it('each event is one message', async () => {
    const chat = await Chat.withHooks({
      sinks: { text: {}, auto: { format: 'json', block_layout: 'auto' } },
      prepare: (world) => world.plan('orders', ['db', 'vm']),
    });
    await nightOf(chat.world, 'orders');
    const kinds = (messages: readonly TeamchatMessage[]): string[] =>
      messages.map(
        (message) => /Starting|Phase Change|Progress|Retrying|Completed/.exec(shown(message))?.[0] ?? '',
      );
    const text = kinds(await chat.posted('text', 19));
    expect(kinds(await chat.posted('auto', 19))).toEqual(text);
    for (const sink of ['text', 'auto'])
      for (const message of chat.in(sink))
        expect(message).toMatchObject({ threadTs: undefined, edits: [], replies: [] });
    expect(chat.receiver.records).toHaveLength(38);
    for (const { method, path, headers, call } of chat.receiver.records) {
      expect([method, call]).toEqual(['POST', 'webhook']);
      expect([pathOf('text'), pathOf('auto')]).toContain(path);
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('rate_limit limits the requests of a sink', async () => {
    const clock = new StillClock();
    const chat = await Chat.withHooks({
      sinks: { narrow: { rate_limit: { rate: 1, unit: 'minute', burst: 4 } }, wide: {} },
      onEvents: ['Start'],
      options: { clock, drainTimeoutMs: 200 },
    });
    // A request that fails takes its token all the same.
    chat.receiver.faults.add({
      match: { path: pathOf('narrow') },
      fault: { kind: 'status', status: 503 },
      times: 1,
    });
    const plans = Array.from({ length: 8 }, (_, index) => `plan-${index}`);
    for (const plan of plans) await chat.world.plan(plan);
    for (const plan of plans) await chat.world.hibernate(plan);
    await chat.posted('wide', 8);
    await chat.posted('narrow', 3);
    await chat.world.logged(/attempt failed/);
    await chat.settled({ delivered: 11 });
    clock.turn(59_000);
    clock.turn(1_000);
    await chat.posted('narrow', 4);
    await chat.controller.stop();
    expect(chat.receiver.records.filter(({ path }) => path === pathOf('narrow'))).toHaveLength(5);
    expect(chat.controller.totals()).toEqual({ delivered: 12, failed: 0, dropped: 0, suppressed: 0 });
    expect(chat.controller.pending()).toBe(4);
  });

  it('a message that the chat refuses is sent in plainer form, at most two more times, and the condition says so', async () => {
    const section = `{"type":"section","text":{"type":"mrkdwn","text":"x"},"colour":"red"}`;
    const chat = await Chat.withHooks({
      sinks: { once: { format: 'json' }, twice: { format: 'json' }, thrice: { format: 'json' } },
      // Unknown to us, and refused by the chat of this test.
      templates: { once: `[${section}]`, twice: `[${section}]`, thrice: `[${section}]` },
      onEvents: ['Start'],
    });
    const refuse = (sink: string, text: string) =>
      chat.receiver.faults.add({
        match: { path: pathOf(sink), json: (body) => JSON.stringify(body).includes(text) },
        fault: { kind: 'status', status: 400, body: 'invalid_blocks' },
      });
    refuse('once', '"colour"');
    refuse('twice', '"blocks"');
    refuse('thrice', 'text');
    await chat.world.plan('orders');
    await chat.world.hibernate('orders');
    const once = await chat.receiver.waitFor(() => chat.in('once')[0]);
    expect(once.blocks.length).toBeGreaterThan(1);
    const twice = await chat.receiver.waitFor(() => chat.in('twice')[0]);
    expect(twice).toMatchObject({ blocks: [], mrkdwn: false });
    expect(twice.text).toContain('Start: team-a/orders');
    const { sinks } = await chat.world.status(
      'n',
      (status) => status.sinks?.some(({ consecutiveFailures }) => consecutiveFailures === 1) === true,
    );
    expect(sinks?.filter(({ reason }) => reason !== undefined)).toMatchObject([{ name: 'thrice' }]);
    const count = (sink: string): number =>
      chat.receiver.records.filter(({ path }) => path === pathOf(sink)).length;
    expect([count('once'), count('twice'), count('thrice')]).toEqual([2, 3, 3]);
    await chat.world.logged(/"sink":"once".*"reason":"RejectedByReceiver"/);
    const { conditions } = await chat.world.status('n', ({ conditions }) =>
      ['twice', 'thrice'].every((sink) => conditions?.[0]?.message.includes(`sink ${sink}: `) === true),
    );
    expect(conditions?.[0]).toMatchObject({ status: 'True', reason: 'DeliveriesFailing' });
    expect(conditions?.[0]?.message).toMatch(
      /sink once: .*the chat refused: invalid_blocks; correct the template/,
    );
    expect(JSON.stringify(conditions) + chat.world.log.join('')).not.toContain('hook-');
  });
});

const HOSTILE =
  '<!channel> <!here|x> <@U0EVIL> <!subteam^S0EVIL> <#C0EVIL> <https://evil.example/a|console> ' +
  '<!date^0^{date}^https://evil.example/b|now> https://evil.example/c evil.example @channel &lt;!everyone&gt; > & *b* `c`';

describe('hostile text', () => {
  it('hostile text pings nobody and forges no link, in every form', async () => {
    const json = { format: 'json', additional_scopes: ['environment', 'region', 'provider', 'connector'] };
    const chat = await Chat.withHooks({
      sinks: {
        text: {},
        wide: json,
        compact: { ...json, block_layout: 'compact' },
        auto: { ...json, block_layout: 'auto', time_display: 'fixed', time_layout: '2006 <!channel>' },
        plain: {},
        preset: json,
        escaped: {},
      },
      templates: {
        plain: '{{ index .Targets 9 }}{{ .ErrorMessage }}',
        preset: '{{ .ErrorMessage }}',
        escaped: '{{ .ErrorMessage | escapeSlack }} {{ .Phase | escapeSlack }}',
      },
      onEvents: ['Failure', 'PhaseChange', 'ExecutionProgress'],
    });
    const { world } = chat;
    await world.kube.post(`/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}/cloudproviders`, {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'CloudProvider',
      metadata: { name: 'evil' },
      spec: {
        type: 'aws',
        aws: { accountId: '<!channel> <!here|x> <@U0EVIL>', region: '<https://evil.example|eu> <!everyone>' },
      },
    });
    const connectorRef = { kind: 'CloudProvider', name: 'evil' };
    await world.plan('orders', [], {
      annotations: { environment: HOSTILE },
      spec: { behavior: { retries: 0 }, targets: [{ name: 'db', type: 'rds', connectorRef }] },
    });
    await world.write('orders', (status, at) => begin(status, 'shutdown', HOSTILE, targetsOf('db'), at));
    await world.write('orders', (status, at) =>
      poll(status, [{ target: 'db', state: 'Failed', message: HOSTILE }], at),
    );
    await world.write('orders', (status, at) => fail(status, HOSTILE, at));
    // Of another operator, whose words may be anything.
    await world.plan('other', [HOSTILE]);
    const strange = (state: string): OperatorStatus => ({
      ...initialStatus,
      phase: '<!channel> <https://evil.example/d|Hibernating> <!here>',
      currentCycleID: HOSTILE,
      currentOperation: '<!channel> evil.example <!here>',
      executions: [{ target: HOSTILE, executor: '<!channel> <@U0EVIL>', state, message: HOSTILE }],
    });
    await world.write('other', () => strange('Failed'));
    await world.write('other', () => strange('<!channel>'));

    for (const sink of ['text', 'wide', 'compact', 'auto', 'plain', 'preset', 'escaped']) {
      const messages = await chat.posted(sink, 9);
      for (const { entities } of messages) {
        // A template's own text may have bare addresses in it: they show what they are.
        const live = entities.filter(
          (entity) =>
            !['emoji', 'date'].includes(entity.kind) &&
            !(sink === 'escaped' && entity.kind === 'link' && entity.auto),
        );
        expect(live, sink).toEqual([]);
        for (const entity of entities)
          if (entity.kind === 'date') expect([entity.url, entity.unix > 1e9]).toEqual([undefined, true]);
      }
      // What was meant to be read can be: the error, from its first word on.
      expect(messages.map(shown).join('\n'), sink).toContain('<!channel> <!here|x> <@U0EVIL>');
    }
  });
});
