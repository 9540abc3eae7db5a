import {
  botchatFlood,
  type BotchatMessage,
  type BotchatReceiver,
  type BotchatRecord,
} from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import type { ControllerOptions } from '../src/controller/options.ts';
import { begin, fail, poll } from '../src/lifecycle/operator.ts';
import { ALL, evening, provider } from './support/nights.ts';
import { StillClock } from './support/turned-clock.ts';
import { PLENTY } from './support/threads.ts';
import { World } from './support/world.ts';

interface Setting {
  /** Configurations by sink; a token, a chat of its own and a wide rate limit are added. */
  readonly sinks?: Readonly<Record<string, object>>;
  /** Templates by sink. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly onEvents?: readonly string[];
  /** Of the plan `orders`, which has `db` and `vm`. Default 0: its first error is a Failure. */
  readonly retries?: number;
  readonly options?: Partial<ControllerOptions>;
}

/** A world whose notification `n` has these botchat sinks. A sink's chat is its place in the list: -1001, -1002, … */
class BotChat {
  readonly world: World;
  readonly receiver: BotchatReceiver;
  readonly controller: Controller;
  readonly #names: readonly string[];

  private constructor(
    world: World,
    receiver: BotchatReceiver,
    controller: Controller,
    names: readonly string[],
  ) {
    this.world = world;
    this.receiver = receiver;
    this.controller = controller;
    this.#names = names;
  }

  static async start(setting: Setting = {}): Promise<BotChat> {
    const { sinks = { bot: {} }, templates = {}, onEvents = ['Failure'], retries = 0, options } = setting;
    const world = await World.start();
    const receiver = await world.botchat();
    const names = Object.keys(sinks);
    for (const [index, [name, config]] of Object.entries(sinks).entries())
      await world.configure(name, { token: TOKEN, chat_id: chatOf(index), rate_limit: PLENTY, ...config });
    await world.templates('texts', templates);
    await world.notification('n', {
      onEvents,
      sinks: names.map((name) => ({
        name,
        type: 'botchat',
        ...(Object.hasOwn(templates, name) && { templateRef: { name: 'texts', key: name } }),
      })),
    });
    await provider(world);
    await world.plan('orders', ['db', 'vm'], { spec: { behavior: { retries } } });
    return new BotChat(world, receiver, await world.synced(options), names);
  }

  /** What stands in a sink's chat now. */
  in(sink = 'bot'): readonly BotchatMessage[] {
    return this.receiver.chat(chatOf(this.#names.indexOf(sink))).messages;
  }

  /** Resolves with what stands in a sink's chat once that is `count` messages. */
  async posted(count: number, sink = 'bot'): Promise<readonly BotchatMessage[]> {
    const messages = await this.receiver.waitFor(() => this.in(sink).length >= count && this.in(sink));
    expect(messages).toHaveLength(count);
    return messages;
  }

  async only(sink = 'bot'): Promise<BotchatMessage> {
    const [message] = await this.posted(1, sink);
    if (message === undefined) throw new Error('nothing arrived');
    return message;
  }

  /** The `Ready` condition, once its message tells of this. */
  async told(wanted: RegExp) {
    const { conditions } = await this.world.status('n', (status) =>
      wanted.test(status.conditions?.[0]?.message ?? ''),
    );
    return conditions?.[0];
  }

  /** What the chat found wrong with requests. */
  get refusals(): readonly string[] {
    return this.receiver.records.flatMap(({ refusal }) => refusal?.description ?? []);
  }
}

const TOKEN = '123456:canary-bot-token-of-thirty-five-x';
const chatOf = (index: number): number => -1_001_000_000_001 - index;

/** What a reader sees of a message, with its formatting but without the time. */
const look = ({ text, entities }: BotchatMessage) => ({
  text: text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/, 'TIME'),
  entities: entities.map(({ type, offset, length }) => `${type}: ${text.slice(offset, offset + length)}`),
});
const parameter = (records: readonly BotchatRecord[], name: string): (string | undefined)[] =>
  records.map(({ params }) => params[name]);

describe('configuration', () => {
  /** What the condition says of sinks with these configurations, none of which is any good. */
  async function said(...configs: readonly object[]): Promise<readonly string[]> {
    const world = await World.start();
    const bot = await world.botchat();
    const names = configs.map((_, index) => `bot-${index}`);
    for (const [index, name] of names.entries()) await world.configure(name, configs[index] ?? {});
    const sinks = names.map((name) => ({ name, type: 'botchat' as const }));
    await world.notification('n', { onEvents: ['Start'], sinks });
    await world.synced();
    const { conditions } = await world.status('n', (status) => status.conditions?.[0]?.status === 'False');
    expect(conditions?.[0]?.reason).toBe('ConfigInvalid');
    expect(JSON.stringify(conditions) + world.log.join('')).not.toContain('canary');
    expect(bot.records).toEqual([]);
    const parts = (conditions?.[0]?.message ?? '').split(/(?:; )?sink bot-\d+: /).slice(1);
    expect(parts).toHaveLength(configs.length);
    return parts;
  }

  it('token and chat_id are required', async () => {
    const [neither, noToken, noChat] = await said({}, { chat_id: 4711 }, { token: TOKEN });
    const token = /key config: token: is missing; copy the token from @BotFather/;
    expect(neither).toMatch(token);
    expect(neither).toMatch(/; chat_id: is missing; give /);
    expect(noToken).toMatch(token);
    expect(noToken).not.toContain('chat_id');
    expect(noChat).toMatch(/key config: chat_id: is missing; give /);
    expect(noChat).not.toContain('token');
  });

  it('chat_id is a number, a number as text, or a name', async () => {
    const chat = await BotChat.start({
      sinks: {
        number: { chat_id: -1_009_000_000_001 },
        text: { chat_id: ' -1009000000002 ' },
        name: { chat_id: '@hnotif_nights' },
        person: { chat_id: 4711 },
      },
      onEvents: ['Start'],
    });
    chat.receiver.setChat({ id: -1_009_000_000_003, type: 'channel', username: 'hnotif_nights' });
    await chat.world.hibernate('orders');
    await chat.receiver.waitFor((records) => records.filter(({ message }) => message).length === 4);
    for (const id of [-1_009_000_000_001, -1_009_000_000_002, -1_009_000_000_003, 4711])
      expect(chat.receiver.chat(id).messages.map(({ text }) => text)).toEqual([
        expect.stringContaining('Hibernation Starting'),
      ]);
    expect(chat.refusals).toEqual([]);
    const others = [
      ['canary', 'is a name without @; '],
      ['https://t.me/canary', 'is a link; '],
      ['@no', 'is not a valid name '],
      [0, 'is 0, '],
      ['0', 'is 0 or larger '],
      [1.5, 'is not a whole number; '],
      ['', 'is empty; '],
      [[4711], 'must be a string, found a list; '],
    ] as const;
    const problems = await said(...others.map(([chat_id]) => ({ token: TOKEN, chat_id })));
    for (const [index, [, words]] of others.entries())
      expect(problems[index]).toContain(`key config: chat_id: ${words}`);
  });

  it('another parse_mode is refused', async () => {
    const others = [
      ['Markdown', "Markdown is Telegram's legacy mode "],
      ['canary', 'is neither HTML nor MarkdownV2; '],
      ['', 'is neither HTML nor MarkdownV2; '],
      [7, 'must be "HTML" or "MarkdownV2", found a number; '],
    ] as const;
    const problems = await said(
      ...others.map(([parse_mode]) => ({ token: TOKEN, chat_id: 4711, parse_mode })),
    );
    for (const [index, [, words]] of others.entries())
      expect(problems[index]).toContain(`key config: parse_mode: ${words}`);
  });

  it('unknown fields are accepted and named in the condition', async () => {
    const chat = await BotChat.start({ sinks: { bot: { parsemode: 'canary-value' } }, onEvents: ['Start'] });
    await chat.world.hibernate('orders');
    await chat.only();
    const condition = await chat.told(/parsemode/);
    expect(condition).toMatchObject({ status: 'True', reason: 'SinksReady' });
    expect(JSON.stringify(condition)).not.toContain('canary');
  });
});

describe('the built-in message', () => {
  it('parse_mode is HTML by default', async () => {
    const chat = await BotChat.start({
      sinks: { bot: {}, none: { parse_mode: null }, lower: { parse_mode: 'html' } },
    });
    await evening(chat.world, 'orders', 'disk <full> & "sda"');
    const place = ' | Account: 123456789012 | Region: eu-west-1';
    for (const sink of ['bot', 'none', 'lower']) {
      const message = await chat.only(sink);
      expect(message.previewDisabled).toBe(true);
      expect(look(message)).toEqual({
        text: [
          '❌ Hibernation Failed',
          'Plan: orders',
          'Namespace: team-a',
          'Phase: Error',
          'Operation: shutdown',
          'Previous Phase: Hibernating',
          'Error: target vm: disk <full> & "sda"',
          'Timestamp: TIME',
          'Targets:',
          `• vm (ec2): Failed${place}`,
          `• db (rds): Completed${place}`,
        ].join('\n'),
        entities: [
          'bold: Hibernation Failed',
          ...[
            'Plan',
            'Namespace',
            'Phase',
            'Operation',
            'Previous Phase',
            'Error',
            'Timestamp',
            'Targets',
          ].map((label) => `bold: ${label}:`),
          'code: Failed',
          'code: Completed',
        ],
      });
    }
    expect(parameter(chat.receiver.records, 'parse_mode')).toEqual(['HTML', 'HTML', 'HTML']);
    for (const { headers } of chat.receiver.records) expect(headers['user-agent']).toMatch(/^hnotif\//);
    expect(chat.refusals).toEqual([]);
  });

  it('MarkdownV2 has its own built-in message', async () => {
    const chat = await BotChat.start({
      sinks: { html: {}, markdown: { parse_mode: 'MarkdownV2' } },
      onEvents: ALL,
    });
    // Each of the characters that mean something in either markup.
    await evening(chat.world, 'orders', String.raw`_*[]()~${'`'}>#+-=|{}.!\ <b> & "x" 1.5`);
    const html = await chat.posted(8, 'html');
    const markdown = await chat.posted(8, 'markdown');
    expect(markdown.map(look)).toEqual(html.map(look));
    expect(look(html.at(-2) ?? (await chat.only())).text).toContain(
      String.raw`_*[]()~${'`'}>#+-=|{}.!\ <b> & "x" 1.5`,
    );
    const modes = chat.receiver.records.map(({ params }) => params.parse_mode).sort();
    expect(modes).toEqual([...Array<string>(8).fill('HTML'), ...Array<string>(8).fill('MarkdownV2')]);
    expect(chat.refusals).toEqual([]);
  });

  it('text of a plan mentions nobody and makes no link', async () => {
    const hostile =
      '@everyone @canary_bot #night $USD /start <a href="tg://user?id=7">x</a> [x](tg://user?id=7)';
    const chat = await BotChat.start({
      sinks: { html: {}, markdown: { parse_mode: 'MarkdownV2' }, plain: {} },
      templates: { plain: '{{ index .Targets 9 }}' },
      onEvents: ALL,
    });
    await evening(chat.world, 'orders', hostile);
    for (const sink of ['html', 'markdown', 'plain']) {
      const messages = await chat.posted(8, sink);
      for (const { entities } of messages)
        // An address stays one: it can be followed, and is what it looks like.
        for (const { type } of entities) expect(['bold', 'code', 'url'], sink).toContain(type);
      expect(messages.map(({ text }) => text.replaceAll('\u2060', '')).join('\n'), sink).toContain(hostile);
    }
    expect(chat.refusals).toEqual([]);
  });
});

describe('a message', () => {
  it('a message goes to chat_id with parse_mode', async () => {
    const modes = { html: 'HTML', markdown: 'MarkdownV2' };
    const template = {
      html: '<b>{{ .Event }}</b> see https://example.com',
      markdown: '*{{ .Event }}* see https://example\\.com',
    };
    const chat = await BotChat.start({
      sinks: {
        html: { parse_mode: 'HTML' },
        markdown: { parse_mode: 'MarkdownV2', token: '654321:another-canary-of-thirty-five-lett' },
      },
      templates: template,
      onEvents: ['Start'],
    });
    await chat.world.hibernate('orders');
    for (const [index, sink] of (['html', 'markdown'] as const).entries()) {
      const message = await chat.only(sink);
      expect(message.text).toBe('Start see https://example.com');
      expect(message.entities).toMatchObject([{ type: 'bold', offset: 0, length: 5 }, { type: 'url' }]);
      expect(message.previewDisabled).toBe(true);
      const record = chat.receiver.records.find(({ params }) => params.chat_id === String(chatOf(index)));
      expect(record).toMatchObject({ method: 'POST', call: 'sendMessage' });
      expect(record?.headers['content-type']).toMatch(/^application\/json/);
      expect(record?.path).toMatch(sink === 'html' ? `/bot${TOKEN}/sendMessage` : /^\/bot654321:another/);
      expect(record?.params).toMatchObject({
        parse_mode: modes[sink],
        text: template[sink].replace('{{ .Event }}', 'Start'),
      });
    }
    expect(chat.receiver.records).toHaveLength(2);
  });

  it('a template with unescaped characters is refused, and the built-in message arrives', async () => {
    const chat = await BotChat.start({
      sinks: {
        html: {},
        markdown: { parse_mode: 'MarkdownV2' },
        escapedhtml: {},
        escapedmarkdown: { parse_mode: 'MarkdownV2' },
      },
      templates: {
        html: '<b>{{ .Plan.Name }}</b> {{ .ErrorMessage }}',
        markdown: '*{{ .Plan.Name }}* {{ .ErrorMessage }}',
        escapedhtml: '<b>{{ .Plan.Name | escapeHTML }}</b> {{ .ErrorMessage | escapeHTML }}',
        escapedmarkdown: '*{{ .Plan.Name | escapeMarkdown }}* {{ .ErrorMessage | escapeMarkdown }}',
      },
    });
    await evening(chat.world, 'orders', 'no <capacity> in eu-west-1.');
    for (const sink of ['html', 'markdown']) {
      const { text, entities } = await chat.only(sink);
      expect(text).toMatch(
        /^❌ Hibernation Failed\nPlan: orders\n[^]*Error: target vm: no <capacity> in eu-west-1\.\n/,
      );
      expect(entities[0]).toMatchObject({ type: 'bold' });
      const condition = await chat.told(new RegExp(`sink ${sink}: [^;]*can't parse entities`));
      expect(condition).toMatchObject({ status: 'True', reason: 'MessagesDegraded' });
      await chat.world.logged(new RegExp(`"sink":"${sink}".*"reason":"RejectedByReceiver"`));
    }
    for (const sink of ['escapedhtml', 'escapedmarkdown'])
      expect(look(await chat.only(sink))).toEqual({
        text: 'orders target vm: no <capacity> in eu-west-1.',
        entities: ['bold: orders'],
      });
    expect(chat.refusals).toHaveLength(2);
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 4, failed: 0, dropped: 0, suppressed: 0 });
  });

  it('a template with empty output is replaced by plain text, and the condition reports it', async () => {
    const chat = await BotChat.start({ templates: { bot: '{{ if false }}x{{ end }}\u200b \n' } });
    await evening(chat.world, 'orders');
    const { text, entities } = await chat.only();
    for (const part of ['Failure', 'shutdown', 'orders', 'Error', 'no capacity'])
      expect(text).toContain(part);
    expect(entities).toEqual([]);
    expect(await chat.told(/gave an empty text for Failure/)).toMatchObject({ reason: 'MessagesDegraded' });
    expect(chat.refusals).toEqual([]);
  });

  it('a message of thousands of targets is cut to the limit and says so', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `target-${index}`);
    const targets = names.map((name) => ({ name, type: 'rds' }));
    const chat = await BotChat.start({
      sinks: { html: {}, markdown: { parse_mode: 'MarkdownV2' } },
    });
    const { world } = chat;
    await world.plan('large', names, { spec: { behavior: { retries: 0 } } });
    await world.write('large', (status, at) => begin(status, 'shutdown', 'c1', targets, at));
    await world.write('large', (status, at) =>
      poll(
        status,
        names.map((target, index) => ({ target, state: index === 1_999 ? 'Failed' : 'Completed' })),
        at,
      ),
    );
    await world.write('large', (status, at) => fail(status, `out of luck ${'😀'.repeat(3_000)}`, at));
    for (const sink of ['html', 'markdown']) {
      const { text, entities } = await chat.only(sink);
      expect(text.length).toBeLessThanOrEqual(4_096);
      expect(text.length).toBeGreaterThan(3_000);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toMatch(/^❌ Hibernation Failed\nPlan: large\n/);
      // The one that failed is told though it stands last, and how many are not.
      expect(text).toContain('target-1999 (rds): Failed');
      const [, more = ''] = /(\d[\d,]*) more/.exec(text.slice(text.indexOf('Targets:'))) ?? [];
      const listed = text.split('\n').filter((line) => line.startsWith('• target-')).length;
      expect(Number(more) + listed).toBe(2_000);
      expect(entities.filter(({ type }) => type === 'code').length).toBe(listed);
    }
    expect(chat.refusals).toEqual([]);
  });

  it('template text that is too long is cut, and its markup is closed', async () => {
    const chat = await BotChat.start({
      sinks: { html: {}, markdown: { parse_mode: 'MarkdownV2' } },
      templates: {
        html: '<b>{{ .Plan.Name }} <i>{{ repeat 3000 "a&lt;" }}</i></b> <a href="https://example.com">x</a>',
        markdown: '*{{ .Plan.Name }} _{{ repeat 3000 "a\\\\." }}_* [x](https://example.com)',
      },
    });
    await evening(chat.world, 'orders');
    for (const [sink, letters] of [
      ['html', 'a<'],
      ['markdown', 'a.'],
    ] as const) {
      const { text, entities } = await chat.only(sink);
      expect(text.length).toBeLessThanOrEqual(4_096);
      expect(text.startsWith(`orders ${letters.repeat(1_900)}`)).toBe(true);
      const [whole = '', left] = /… \((\d+) more characters\)$/.exec(text) ?? [];
      expect(text.length - whole.length + Number(left)).toBe('orders '.length + 6_000 + ' x'.length);
      const kept = text.length - whole.length;
      for (const [style, from] of [
        ['bold', 0],
        ['italic', 'orders '.length],
      ] as const) {
        // Telegram may tell of one stretch in several.
        const parts = entities.filter(({ type }) => type === style);
        expect(parts[0]?.offset).toBe(from);
        for (const [index, { offset, length }] of parts.entries())
          expect(offset + length).toBeGreaterThanOrEqual(parts[index + 1]?.offset ?? kept);
      }
      expect(new Set(entities.map(({ type }) => type))).toEqual(new Set(['bold', 'italic']));
    }
    expect(chat.refusals).toEqual([]);
    expect(parameter(chat.receiver.records, 'parse_mode').sort()).toEqual(['HTML', 'MarkdownV2']);
  });
});

describe('a chat', () => {
  it('messages follow a chat that has migrated, and the condition reports it', async () => {
    const chat = await BotChat.start({ sinks: { bot: { chat_id: -4711 } }, onEvents: ['Start'] });
    chat.receiver.setChat({ id: -4711, type: 'group', migratedTo: -1_009_000_000_009 });
    await chat.world.plan('second');
    await chat.world.hibernate('orders');
    const moved = (count: number) =>
      chat.receiver.waitFor(() => chat.receiver.chat(-1_009_000_000_009).messages.length === count);
    await moved(1);
    expect(await chat.told(/messages go there; put -1009000000009 into chat_id in the secret/)).toMatchObject(
      { status: 'True', reason: 'MessagesDegraded' },
    );
    await chat.world.logged(/"reason":"ChatMigrated"/);
    await chat.world.hibernate('second');
    await moved(2);
    // The old one is not asked again.
    expect(parameter(chat.receiver.records, 'chat_id')).toEqual([
      '-4711',
      '-1009000000009',
      '-1009000000009',
    ]);
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 2, failed: 0, dropped: 0, suppressed: 0 });
  });

  it('a chat that asks for a pause gets nothing for that time, and then the message that it refused', async () => {
    const clock = new StillClock();
    const chat = await BotChat.start({
      sinks: { bot: {}, other: {} },
      onEvents: ['Start'],
      options: { clock },
    });
    const isBot = ({ params }: BotchatRecord): boolean => params.chat_id === String(chatOf(0));
    chat.receiver.faults.add({
      match: { json: (body) => (body as { chat_id: string }).chat_id === String(chatOf(0)) },
      fault: botchatFlood(600),
      times: 1,
    });
    for (const plan of ['second', 'third']) await chat.world.plan(plan);
    const delivered = (count: number) => expect.poll(() => chat.controller.totals().delivered).toBe(count);
    await chat.world.hibernate('orders');
    await chat.receiver.waitFor((records) => records.some(({ answered }) => answered.status === 429));
    await chat.world.hibernate('second');
    await chat.posted(2, 'other');
    await delivered(2);
    clock.turn(599_000);
    await chat.world.hibernate('third');
    await chat.posted(3, 'other');
    await delivered(3);
    expect(chat.receiver.records.filter(isBot)).toHaveLength(1);
    clock.turn(1_000);
    await chat.posted(1);
    await delivered(4);
    // After a pause there is one token at first.
    clock.turn(1_000);
    const plans = (await chat.posted(3)).map(({ text }) => /Plan: (\w+)/.exec(text)?.[1]);
    expect(plans[0]).toBe('orders');
    expect(plans.toSorted()).toEqual(['orders', 'second', 'third']);
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 6, failed: 0, dropped: 0, suppressed: 0 });
  });
});

describe('the rate limit', () => {
  it('rate_limit limits the requests of a sink', async () => {
    const clock = new StillClock();
    const chat = await BotChat.start({
      sinks: { narrow: { rate_limit: { rate: 1, unit: 'minute', burst: 4 } }, wide: {} },
      onEvents: ['Start'],
      options: { clock, drainTimeoutMs: 200 },
    });
    // A request that fails takes its token all the same.
    chat.receiver.faults.add({
      match: { json: (body) => (body as { chat_id: string }).chat_id === String(chatOf(0)) },
      fault: { kind: 'status', status: 503 },
      times: 1,
    });
    const plans = Array.from({ length: 8 }, (_, index) => `plan-${index}`);
    for (const plan of plans) await chat.world.plan(plan);
    for (const plan of plans) await chat.world.hibernate(plan);
    await chat.posted(8, 'wide');
    await chat.posted(3, 'narrow');
    // Nothing is on its way any more: turning the clock would end it.
    await expect.poll(() => chat.controller.totals().delivered).toBe(11);
    clock.turn(59_000);
    clock.turn(1_000);
    await chat.posted(4, 'narrow');
    await chat.controller.stop();
    expect(chat.in('narrow')).toHaveLength(4);
    expect(chat.controller.totals()).toEqual({ delivered: 12, failed: 0, dropped: 0, suppressed: 0 });
    expect(chat.controller.pending()).toBe(4);
  });

  it('the rate limit is 5 a second with a burst of 10; each field has its own default', async () => {
    const clock = new StillClock();
    const limits = {
      standard: undefined,
      empty: {},
      burst: { burst: 2 },
      rate: { rate: 1 },
      unit: { unit: 'minute' },
      other: { unit: ' Minute ', rate: 30, burst: 1 },
    };
    const chat = await BotChat.start({
      sinks: Object.fromEntries(Object.entries(limits).map(([name, rate_limit]) => [name, { rate_limit }])),
      onEvents: ['Start'],
      options: { clock, drainTimeoutMs: 200 },
    });
    const plans = Array.from({ length: 20 }, (_, index) => `plan-${index}`);
    for (const plan of plans) await chat.world.plan(plan);
    for (const plan of plans) await chat.world.hibernate(plan);
    const arrive = async (counts: Readonly<Record<keyof typeof limits, number>>): Promise<void> => {
      for (const [sink, count] of Object.entries(counts)) await chat.posted(count, sink);
      const sum = Object.values(counts).reduce((all, count) => all + count);
      // Nothing is on its way any more: turning the clock would end it.
      await expect.poll(() => chat.controller.totals().delivered).toBe(sum);
    };
    const bursts = { standard: 10, empty: 10, burst: 2, rate: 10, unit: 10, other: 1 };
    await arrive(bursts);
    for (let fifths = 0; fifths < 5; fifths++) clock.turn(200);
    await arrive({ ...bursts, standard: 15, empty: 15, burst: 7, rate: 11 });
    for (let seconds = 0; seconds < 11; seconds++) clock.turn(1_000);
    await arrive({ standard: 20, empty: 20, burst: 20, rate: 20, unit: 11, other: 7 });
    await chat.controller.stop();
    await arrive({ standard: 20, empty: 20, burst: 20, rate: 20, unit: 11, other: 7 });
    expect(chat.refusals).toEqual([]);
  });
});
