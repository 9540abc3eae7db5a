import type { TeamchatMessage } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import { begin, fail, initialStatus, poll, retry, type OperatorStatus } from '../src/lifecycle/operator.ts';
import { evening, nightOf } from './support/nights.ts';
import { bottom, Chat, pathOf, shown } from './support/teamchat.ts';
import { StillClock } from './support/turned-clock.ts';
import { GROUP, NAMESPACE, type World } from './support/world.ts';

const targetsOf = (...names: string[]) => names.map((name) => ({ name, type: 'rds' }));
/** Winter, so that New York is five hours behind. */
const EVENING = Date.parse('2026-03-02T20:00:00Z');

/** A night of the plan `orders` begins at a known time. */
const startAt = async (chat: Chat): Promise<void> => {
  await chat.world.plan('orders');
  await chat.world.write('orders', (status) => begin(status, 'shutdown', 'c1', targetsOf('db'), EVENING));
};

/** A plan's night fails for good. */
const failed = async (chat: Chat, plan = 'orders', message = 'no capacity'): Promise<void> => {
  await chat.world.plan(plan, ['db', 'vm'], { spec: { behavior: { retries: 0 } } });
  await evening(chat.world, plan, message);
};

/** With it `nightOf` makes 19 events. */
const prepare = (world: World): Promise<void> => world.plan('orders', ['db', 'vm']);

describe('text', () => {
  it('text without a template sends the built-in message', async () => {
    const chat = await Chat.start({ sinks: { text: {} }, onEvents: ['Failure'] });
    await failed(chat);
    const message = await chat.only('text');
    expect(message.blocks).toEqual([]);
    const place = ' | Account: 123456789012 | Region: eu-west-1';
    expect(shown(message).replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/, 'TIME')).toMatch(
      new RegExp(
        [
          '^:[a-z_]+: Hibernation Failed',
          'Plan: orders',
          'Namespace: team-a',
          'Phase: Error',
          'Operation: shutdown',
          'Previous Phase: Hibernating',
          'Error: target vm: no capacity',
          'Timestamp: TIME',
          'Targets:',
          `• vm (ec2): Failed${place}`,
          `• db (rds): Completed${place}$`,
        ]
          .map((line) => line.replace(/[().|]/g, '\\$&'))
          .join('\n'),
      ),
    );
  });

  it('text with a template sends its text', async () => {
    const chat = await Chat.start({
      sinks: { text: {} },
      templates: {
        text: '*{{ .Event | upper }}* of {{ .Plan.Name }}, see <https://runbook.example|the runbook>',
      },
      onEvents: ['Start'],
    });
    await startAt(chat);
    const { text, blocks, entities } = await chat.only('text');
    expect(text).toBe('*START* of orders, see <https://runbook.example|the runbook>');
    expect(blocks).toEqual([]);
    expect(entities).toMatchObject([{ kind: 'link', label: 'the runbook' }]);
  });
});

const SECTION = '{"type":"section","text":{"type":"mrkdwn","text":"{{ .Plan.Name }} {{ .Event }}"}}';
const MADE = [{ type: 'section', text: { type: 'mrkdwn', text: 'orders Start' } }];

describe('json', () => {
  it('json with a template sends its blocks, an object or an array', async () => {
    const json = { format: 'json' };
    const chat = await Chat.start({
      sinks: { object: json, array: json, texted: json },
      templates: {
        object: `{"blocks": [${SECTION}]}`,
        array: `[${SECTION}]`,
        texted: `{"text": "for {{ .SinkName }}", "blocks": [${SECTION}]}`,
      },
      onEvents: ['Start'],
    });
    await startAt(chat);
    for (const sink of ['object', 'array', 'texted']) {
      const { blocks, text } = await chat.only(sink);
      expect(blocks).toEqual(MADE);
      // Lock screens and screen readers show the text.
      if (sink === 'texted') expect(text).toBe('for texted');
      else expect(text).toMatch(/Hibernation Starting .*orders/);
    }
  });

  it('json with a template sends its attachments unchanged, without blocks', async () => {
    const bar = `{"color": "#36a64f", "blocks": [${SECTION}]}`;
    const json = { format: 'json' };
    const chat = await Chat.start({
      sinks: { bars: json, texted: json },
      templates: {
        bars: `{"attachments": [${bar}, {"color": "#aa0000", "text": "of {{ .Plan.Name }}"}]}`,
        texted: `{"text": "for {{ .SinkName }}", "attachments": [${bar}]}`,
      },
      onEvents: ['Start'],
    });
    await startAt(chat);
    const [bars, texted] = [await chat.only('bars'), await chat.only('texted')];
    expect(bars.attachments).toEqual([
      { color: '#36a64f', blocks: MADE },
      { color: '#aa0000', text: 'of orders' },
    ]);
    expect(texted).toMatchObject({ text: 'for texted', attachments: [{ color: '#36a64f', blocks: MADE }] });
    for (const { blocks } of [bars, texted]) expect(blocks).toEqual([]);
    expect(await chat.metric('hnotif_messages_degraded_total')).toBe(0);
  });

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
    const chat = await Chat.start({
      sinks: { preset: json, ...Object.fromEntries(names.map((name) => [name, json])) },
      templates,
      onEvents: ['Start'],
    });
    await startAt(chat);
    const { blocks } = await chat.only('preset');
    for (const name of names) {
      expect((await chat.only(name)).blocks).toEqual(blocks);
      expect(await chat.degraded(name)).toContain(`texts/${name}`);
      await chat.world.logged(new RegExp(`"sink":"${name}".*"reason":"BlocksInvalid"`));
    }
    expect(await chat.metric('hnotif_messages_degraded_total')).toBe(names.length);
  });

  it('json with a template that fails sends plain text without blocks', async () => {
    const chat = await Chat.start({
      sinks: { broken: { format: 'json' } },
      templates: { broken: '{{ index .Targets 9 }}' },
      onEvents: ['Failure'],
    });
    await failed(chat, 'orders', '<!channel> *full*');
    const message = await chat.only('broken');
    expect(message.blocks).toEqual([]);
    expect(message.mrkdwn).toBe(false);
    for (const part of ['Failure', 'shutdown', 'orders', 'Error', '<!channel> *full*'])
      expect(message.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toContain(part);
    expect(message.entities).toEqual([]);
  });

  it('json without a template sends the preset layout', async () => {
    const chat = await Chat.start({
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

  it('auto has its own progress layout, and the layout of default for the rest', async () => {
    const chat = await Chat.start({
      sinks: { wide: { format: 'json' }, auto: { format: 'json', block_layout: 'auto' } },
      prepare,
    });
    await nightOf(chat.world, 'orders');
    // Three of the progress events are of targets that are not done: wide has them not.
    const [wide, auto] = [await chat.posted('wide', 16), await chat.posted('auto', 19)];
    const isProgress = (message: TeamchatMessage): boolean => message.text.includes('Target Progress');
    const others = (messages: readonly TeamchatMessage[]) =>
      messages.filter((message) => !isProgress(message)).map(({ blocks }) => blocks);
    expect(others(auto)).toHaveLength(11);
    expect(others(auto)).toEqual(others(wide));
    const layouts = wide.filter(isProgress).map(({ blocks }) => JSON.stringify(blocks));
    expect(layouts).toHaveLength(5);
    for (const message of auto.filter(isProgress)) {
      expect(layouts).not.toContain(JSON.stringify(message.blocks));
      expect(shown(message)).toMatch(/\b(db|vm)\b.*\b(Pending|Running|Completed|Failed)\b/);
      expect(shown(message)).toMatch(/\d\/2\b/);
    }
  });
});

describe('progress', () => {
  /** The changed target and its state. */
  const changes = (messages: readonly TeamchatMessage[]): string[] =>
    messages.map((message) =>
      (/\b(db|vm|web)\b.*?\b(Pending|Running|Completed|Failed|Aborted)\b/.exec(shown(message)) ?? [])
        .slice(1)
        .join(' '),
    );
  const ALL_CHANGES = [
    'db Running',
    'vm Running',
    'web Running',
    'db Completed',
    'vm Failed',
    'web Aborted',
    'vm Pending',
  ];
  const DONE = ['db Completed', 'vm Failed', 'web Aborted'];

  async function streamed(sinks: Record<string, object>, templates = {}): Promise<Chat> {
    const chat = await Chat.start({ sinks, templates, onEvents: ['ExecutionProgress'] });
    const { world } = chat;
    await world.plan('orders', ['db', 'vm', 'web']);
    await world.write('orders', (status, at) =>
      begin(status, 'shutdown', 'c1', targetsOf('db', 'vm', 'web'), at),
    );
    for (const state of ['Running', 'Done'])
      for (const [target, done] of [
        ['db', 'Completed'],
        ['vm', 'Failed'],
        ['web', 'Aborted'],
      ] as const)
        await world.write('orders', (status, at) =>
          poll(status, [{ target, state: state === 'Done' ? done : 'Running' }], at),
        );
    await world.write('orders', (status, at) => fail(status, 'vm', at));
    await world.write('orders', retry);
    return chat;
  }

  it('auto sends all progress', async () => {
    const chat = await streamed({ auto: { format: 'json', block_layout: 'auto' }, text: {} });
    expect(changes(await chat.posted('auto', 7))).toEqual(ALL_CHANGES);
    // Layouts are a matter of json: text streams, too.
    expect(changes(await chat.posted('text', 7))).toEqual(ALL_CHANGES);
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 14, failed: 0, dropped: 0, suppressed: 0 });
  });

  it('default and compact suppress Pending and Running, and send Completed, Failed and Aborted', async () => {
    const chat = await streamed(
      {
        wide: { format: 'json', block_layout: 'default' },
        compact: { format: 'json', block_layout: 'compact' },
        templated: { format: 'json' },
      },
      {
        templated: `{{ with .TargetExecution }}[{"type":"section","text":{"type":"plain_text","text":"{{ .Name }} {{ .State }}"}}]{{ end }}`,
      },
    );
    for (const sink of ['wide', 'compact', 'templated'])
      expect(changes(await chat.posted(sink, 3)), sink).toEqual(DONE);
    await chat.settled({ delivered: 9, suppressed: 12 });
    expect(await chat.metric('hnotif_deliveries_suppressed_total')).toBe(12);
    expect(await chat.metric('hnotif_deliveries_dropped_total')).toBe(0);
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 9, failed: 0, dropped: 0, suppressed: 12 });
  });
});

describe('the content of a preset', () => {
  it('at most max_targets lines, failures first, and the number of the others; 8 by default', async () => {
    const chat = await Chat.start({
      sinks: {
        eight: { format: 'json' },
        three: { format: 'json', max_targets: 3 },
        every: { format: 'json', max_targets: 100 },
        compact: { format: 'json', block_layout: 'compact', max_targets: 1 },
      },
      onEvents: ['Failure'],
    });
    const names = Array.from({ length: 12 }, (_, index) => `target-${index}`);
    await chat.world.plan('orders', names, { spec: { behavior: { retries: 0 } } });
    await chat.world.write('orders', (status, at) =>
      begin(status, 'shutdown', 'c1', targetsOf(...names), at),
    );
    await chat.world.write('orders', (status, at) =>
      poll(
        status,
        names.map((target, index) => ({
          target,
          state: index === 11 || index === 9 ? 'Failed' : 'Completed',
          ...(index === 11 && { message: 'no capacity' }),
        })),
        at,
      ),
    );
    await chat.world.write('orders', (status, at) => fail(status, 'out of luck', at));
    const lines = async (sink: string): Promise<string[]> => shown(await chat.only(sink)).split('\n');
    const listed = async (sink: string): Promise<string[]> =>
      (await lines(sink)).flatMap((line) => /\btarget-\d+/.exec(line)?.[0] ?? []);
    const more = async (sink: string): Promise<string | undefined> =>
      (await lines(sink)).map((line) => /\b(\d+) more$/.exec(line)?.[1]).find((count) => count !== undefined);

    const sad = ['target-9', 'target-11'];
    expect(await listed('eight')).toEqual([...sad, ...names.slice(0, 6)]);
    expect(await more('eight')).toBe('4');
    expect(await listed('three')).toEqual([...sad, 'target-0']);
    expect(await more('three')).toBe('9');
    expect(await listed('every')).toEqual([...sad, ...names.filter((name) => !sad.includes(name))]);
    expect(await more('every')).toBeUndefined();
    expect(await listed('compact')).toEqual(['target-9']);
    expect(await more('compact')).toBe('11');
    expect((await lines('eight')).find((line) => line.includes('target-11'))).toMatch(/Failed.*no capacity/);
  });

  it('a night of hundreds of targets with long texts fits into the limits of the chat', async () => {
    const json = { format: 'json', max_targets: 100 };
    const chat = await Chat.start({
      sinks: {
        text: {},
        wide: json,
        compact: { ...json, block_layout: 'compact' },
        auto: { ...json, block_layout: 'auto' },
      },
      onEvents: ['Failure'],
    });
    const names = Array.from({ length: 300 }, (_, index) => `${index}-${'n'.repeat(50)}`);
    await chat.world.plan('orders', names, { spec: { behavior: { retries: 0 } } });
    const message = '<&> "disk 🪫 full" '.repeat(30);
    await chat.world.write('orders', (status, at) =>
      begin(status, 'shutdown', 'c1', targetsOf(...names), at),
    );
    await chat.world.write('orders', (status, at) =>
      poll(
        status,
        names.map((target) => ({ target, state: 'Failed', message })),
        at,
      ),
    );
    await chat.world.write('orders', (status, at) => fail(status, 'out <of> luck '.repeat(300), at));
    for (const sink of ['text', 'wide', 'compact', 'auto']) {
      const text = shown(await chat.only(sink));
      expect(text).toMatch(/\b0-nnn/);
      // What was left out is told: of the targets, and of the error.
      expect(text).toMatch(/\d{3} more$/m);
      expect(text).toMatch(/… \(\d+ more characters\)/);
    }
  });

  it('account and cluster always, and every additional scope', async () => {
    const names = ['environment', 'region', 'project', 'provider', 'connector', 'account', 'cluster'];
    const chat = await Chat.start({
      sinks: {
        bare: { format: 'json' },
        region: { format: 'json', block_layout: 'compact', additional_scopes: ['region'] },
        every: { format: 'json', block_layout: 'auto', additional_scopes: names },
      },
      onEvents: ['Start'],
    });
    const api = `/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}/k8sclusters`;
    await chat.world.kube.post(api, {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'K8SCluster',
      metadata: { name: 'blue' },
      spec: {
        providerRef: { name: 'aws' },
        gke: { name: 'night-blue', project: 'orders-prod', location: 'europe-west4' },
      },
    });
    await chat.world.plan('orders', [], {
      labels: { env: 'staging' },
      spec: { targets: [{ name: 'db', type: 'rds', connectorRef: { kind: 'K8SCluster', name: 'blue' } }] },
    });
    await chat.world.hibernate('orders');
    const [bare, region, every] = [
      bottom(await chat.only('bare')),
      bottom(await chat.only('region')),
      bottom(await chat.only('every')),
    ];
    const always = ['123456789012', 'night-blue'];
    const asked = ['staging', 'orders-prod', 'aws', /\bblue\b(?!-)/];
    for (const part of always) for (const line of [bare, region, every]) expect(line).toContain(part);
    expect(bare).not.toContain('europe-west4');
    for (const line of [region, every]) expect(line).toContain('europe-west4');
    for (const part of asked) {
      expect(every).toMatch(part);
      for (const line of [bare, region]) expect(line.replace('night-blue', '')).not.toMatch(part);
    }
    // Each once, though account and cluster were asked for, too.
    expect(every.split('123456789012')).toHaveLength(2);
  });

  it('the alias env is environment, from labels, else annotations', async () => {
    const chat = await Chat.start({
      sinks: {
        alias: { format: 'json', additional_scopes: ['env'] },
        both: { format: 'json', additional_scopes: ['environment', 'env'] },
      },
      onEvents: ['Start'],
    });
    const { world } = chat;
    await world.plan('labelled', ['db'], { labels: { env: 'staging' }, annotations: { env: 'noted' } });
    await world.plan('annotated', ['db'], { annotations: { environment: 'pre-production' } });
    await world.plan('neither');
    for (const plan of ['labelled', 'annotated', 'neither']) await world.hibernate(plan);
    for (const sink of ['alias', 'both']) {
      const lines = new Map(
        (await chat.posted(sink, 3)).map((message) => [
          /labelled|annotated|neither/.exec(shown(message))?.[0],
          bottom(message),
        ]),
      );
      expect(lines.get('labelled')).toMatch(/Environment.*\bstaging\b/);
      expect(lines.get('labelled')).not.toContain('noted');
      expect(lines.get('annotated')).toMatch(/Environment.*\bpre-production\b/);
      expect(lines.get('neither')).not.toContain('Environment');
      expect(lines.get('labelled')?.split('staging')).toHaveLength(2);
    }
  });

  it('time is a date token by default', async () => {
    const chat = await Chat.start({
      sinks: { wide: { format: 'json' }, compact: { format: 'json', block_layout: 'compact' } },
      onEvents: ['Start'],
    });
    await startAt(chat);
    for (const sink of ['wide', 'compact']) {
      const { entities } = await chat.only(sink);
      const dates = entities.filter(({ kind }) => kind === 'date');
      expect(dates).toMatchObject([{ unix: EVENING / 1000, url: undefined }]);
      expect(dates).toMatchObject([{ format: expect.stringMatching(/\{date.*\{time/) as string }]);
      // Required by the chat, for readers whose client is too old.
      expect(dates).toMatchObject([{ fallback: expect.stringContaining('2026-03-02 20:00') as string }]);
    }
  });

  it('fixed time is in timezone, by time_layout', async () => {
    const time_layout = 'Monday 2 January 2006, 03:04 PM MST';
    const chat = await Chat.start({
      sinks: {
        york: { format: 'json', time_display: 'fixed', timezone: 'America/New_York', time_layout },
        utc: { format: 'json', time_display: 'fixed', time_layout },
        kolkata: {
          ...{ format: 'json', block_layout: 'compact', time_display: 'fixed' },
          ...{ timezone: 'Asia/Kolkata', time_layout: '2006-01-02T15:04:05Z07:00' },
        },
      },
      onEvents: ['Start'],
    });
    await startAt(chat);
    expect(bottom(await chat.only('york'))).toContain('Monday 2 March 2026, 03:00 PM EST');
    expect(bottom(await chat.only('utc'))).toContain('Monday 2 March 2026, 08:00 PM UTC');
    expect(bottom(await chat.only('kolkata'))).toContain('2026-03-03T01:30:00+05:30');
    for (const sink of ['york', 'utc', 'kolkata'])
      expect((await chat.only(sink)).entities.filter(({ kind }) => kind === 'date')).toEqual([]);
  });

  it('utc time is in UTC, by time_layout', async () => {
    const chat = await Chat.start({
      sinks: {
        utc: {
          ...{ format: 'json', time_display: 'utc', timezone: 'America/New_York' },
          time_layout: '02 Jan 15:04 MST',
        },
        standard: { format: 'json', time_display: 'utc' },
      },
      onEvents: ['Start'],
    });
    await startAt(chat);
    expect(bottom(await chat.only('utc'))).toContain('02 Mar 20:00 UTC');
    expect(bottom(await chat.only('standard'))).toContain('Mon, 02 Mar 2026 20:00:00 UTC');
  });

  it('fixed time without a layout has the default one', async () => {
    const fixed = { format: 'json', time_display: 'fixed' };
    const chat = await Chat.start({
      sinks: { utc: fixed, york: { ...fixed, timezone: 'America/New_York' } },
      onEvents: ['Start'],
    });
    await startAt(chat);
    expect(bottom(await chat.only('utc'))).toContain('Mon, 02 Mar 2026 20:00:00 UTC');
    expect(bottom(await chat.only('york'))).toContain('Mon, 02 Mar 2026 15:00:00 EST');
  });
});

describe('requests', () => {
  it('each event is one message', async () => {
    const chat = await Chat.start({
      sinks: { text: {}, auto: { format: 'json', block_layout: 'auto' } },
      prepare,
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
    const chat = await Chat.start({
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
    const chat = await Chat.start({
      sinks: { once: { format: 'json' }, twice: { format: 'json' }, thrice: { format: 'json' } },
      // Unknown to us, and refused by the chat.
      templates: { once: `[${section}]`, twice: `[${section}]`, thrice: `[${section}]` },
      onEvents: ['Start'],
    });
    const refuse = (sink: string, text: string) =>
      chat.receiver.faults.add({
        match: { path: pathOf(sink), json: (body) => JSON.stringify(body).includes(text) },
        fault: { kind: 'status', status: 400, body: 'invalid_blocks' },
      });
    refuse('twice', '"blocks"');
    refuse('thrice', 'text');
    await startAt(chat);
    const once = await chat.receiver.waitFor(() => chat.in('once')[0]);
    expect(once.blocks.length).toBeGreaterThan(1);
    const twice = await chat.receiver.waitFor(() => chat.in('twice')[0]);
    expect(twice).toMatchObject({ blocks: [], mrkdwn: false });
    expect(twice.text).toContain('Start: team-a/orders');
    const { sinks } = await chat.world.status(
      'chat',
      (status) => status.sinks?.some(({ consecutiveFailures }) => consecutiveFailures === 1) === true,
    );
    expect(sinks?.filter(({ reason }) => reason !== undefined)).toMatchObject([{ name: 'thrice' }]);
    const count = (sink: string): number =>
      chat.receiver.records.filter(({ path }) => path === pathOf(sink)).length;
    expect([count('once'), count('twice'), count('thrice')]).toEqual([2, 3, 3]);
    await chat.world.logged(/"sink":"once".*"reason":"RejectedByReceiver"/);
    const { conditions } = await chat.world.status('chat', ({ conditions }) =>
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
    const chat = await Chat.start({
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
