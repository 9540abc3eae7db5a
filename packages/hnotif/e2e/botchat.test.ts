import type { BotchatMessage, BotchatReceiver, BotchatRecord } from '@hnotif/receivers';
import { expect, it } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import { evening, provider } from '../../lab/src/nights.ts';
import { PLENTY } from '../../lab/src/objects.ts';
import { sinksOf } from './support/teamchat.ts';
import { World } from './support/world.ts';

interface Setting {
  /** Configurations by sink; a token, a chat of its own and a wide rate limit are added. */
  readonly sinks?: Readonly<Record<string, object>>;
  /** Templates by sink. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly onEvents?: readonly string[];
}

/** A world with the plan `orders`, whose notification `n` has these botchat sinks. A sink's chat is its place in the list: -1001, -1002, … */
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
    const { sinks = { bot: {} }, templates = {}, onEvents = ['Failure'] } = setting;
    const world = await World.start();
    const receiver = await world.botchat();
    const names = Object.keys(sinks);
    for (const [index, [name, config]] of Object.entries(sinks).entries())
      await world.configure(name, { token: TOKEN, chat_id: chatOf(index), rate_limit: PLENTY, ...config });
    await world.templates('texts', templates);
    await world.notification('n', {
      onEvents,
      sinks: sinksOf('botchat', names, templates),
    });
    await provider(world);
    // Its first error is a Failure.
    await world.plan('orders', ['db', 'vm'], { spec: { behavior: { retries: 0 } } });
    return new BotChat(world, receiver, await world.synced(), names);
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

it('unknown fields are accepted and named in the condition', async () => {
  const chat = await BotChat.start({ sinks: { bot: { parsemode: 'canary-value' } }, onEvents: ['Start'] });
  await chat.world.hibernate('orders');
  await chat.only();
  const condition = await chat.told(/parsemode/);
  expect(condition).toMatchObject({ status: 'True', reason: 'SinksReady' });
  expect(JSON.stringify(condition)).not.toContain('canary');
});

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
        ...['Plan', 'Namespace', 'Phase', 'Operation', 'Previous Phase', 'Error', 'Timestamp', 'Targets'].map(
          (label) => `bold: ${label}:`,
        ),
        'code: Failed',
        'code: Completed',
      ],
    });
  }
  expect(parameter(chat.receiver.records, 'parse_mode')).toEqual(['HTML', 'HTML', 'HTML']);
  for (const { headers } of chat.receiver.records) expect(headers['user-agent']).toMatch(/^hnotif\//);
  expect(chat.refusals).toEqual([]);
});

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

it('messages go to the topic, with or without a sound, and with previews on request', async () => {
  const chat = await BotChat.start({
    sinks: {
      topic: { chat_id: `${chatOf(0)}:42`, disable_notification: 'non-failures' },
      field: { message_thread_id: 43, disable_notification: true, link_preview: true },
      general: { message_thread_id: 1 },
    },
    onEvents: ['Start', 'Failure'],
  });
  chat.receiver.setChat({ id: chatOf(0), topics: { 42: 'open' } });
  chat.receiver.setChat({ id: chatOf(1), topics: { 43: 'open' } });
  await evening(chat.world, 'orders', 'disk full');
  const seen = async (sink: string) =>
    (await chat.posted(2, sink)).map(({ text, topic, silent = false, previewDisabled }) => ({
      isFailure: text.includes('Hibernation Failed'),
      ...{ topic, silent, previewDisabled },
    }));
  expect(await seen('topic')).toEqual([
    { isFailure: false, topic: 42, silent: true, previewDisabled: true },
    { isFailure: true, topic: 42, silent: false, previewDisabled: true },
  ]);
  expect(await seen('field')).toEqual([
    { isFailure: false, topic: 43, silent: true, previewDisabled: false },
    { isFailure: true, topic: 43, silent: true, previewDisabled: false },
  ]);
  expect(await seen('general')).toMatchObject([
    { topic: undefined, silent: false },
    { topic: undefined, silent: false },
  ]);
  expect(chat.refusals).toEqual([]);
});

it.each(['deleted', 'unknown'] as const)(
  'a message for a topic that is %s goes to the General topic, and the condition reports it',
  async (topic) => {
    const chat = await BotChat.start({ sinks: { bot: { message_thread_id: 42 } }, onEvents: ['Start'] });
    chat.receiver.setChat({ id: chatOf(0), topics: topic === 'deleted' ? { 42: topic } : {} });
    await chat.world.hibernate('orders');
    expect(await chat.only()).not.toHaveProperty('topic');
    expect(await chat.told(/General topic; put the number of another topic into the secret/)).toMatchObject({
      status: 'True',
      reason: 'MessagesDegraded',
    });
    await chat.world.logged(/"reason":"TopicDeleted"/);
    expect(chat.refusals).toHaveLength(1);
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 1, failed: 0, dropped: 0, suppressed: 0 });
  },
);

it('a closed topic is told with its remedy', async () => {
  const chat = await BotChat.start({ sinks: { bot: { message_thread_id: 42 } }, onEvents: ['Start'] });
  chat.receiver.setChat({ id: chatOf(0), topics: { 42: 'closed' } });
  await chat.world.hibernate('orders');
  await chat.told(/TOPIC_CLOSED.*open the topic again/);
  expect(chat.in()).toEqual([]);
});

it('messages follow a chat that has migrated, and the condition reports it', async () => {
  const chat = await BotChat.start({ sinks: { bot: { chat_id: -4711 } }, onEvents: ['Start'] });
  chat.receiver.setChat({ id: -4711, type: 'group', migratedTo: -1_009_000_000_009 });
  await chat.world.plan('second');
  await chat.world.hibernate('orders');
  const moved = (count: number) =>
    chat.receiver.waitFor(() => chat.receiver.chat(-1_009_000_000_009).messages.length === count);
  await moved(1);
  expect(await chat.told(/messages go there; put -1009000000009 into chat_id in the secret/)).toMatchObject({
    status: 'True',
    reason: 'MessagesDegraded',
  });
  await chat.world.logged(/"reason":"ChatMigrated"/);
  await chat.world.hibernate('second');
  await moved(2);
  // The old one is not asked again.
  expect(parameter(chat.receiver.records, 'chat_id')).toEqual(['-4711', '-1009000000009', '-1009000000009']);
  await chat.controller.stop();
  expect(chat.controller.totals()).toEqual({ delivered: 2, failed: 0, dropped: 0, suppressed: 0 });
});

it('a template that Telegram would refuse is reported before the night, with the place and what to write', async () => {
  const chat = await BotChat.start({
    sinks: { bot: { parse_mode: 'MarkdownV2' } },
    templates: { bot: 'Plan {{ .Plan.Name | escapeMarkdown }} - {{ .Event }}' },
  });
  const { conditions } = await chat.world.status(
    'n',
    (status) => status.conditions?.some(({ reason }) => reason === 'MessagesDegraded') === true,
  );
  const message = conditions?.find(({ reason }) => reason === 'MessagesDegraded')?.message;
  expect(message).toContain('template texts/bot, Failure: Telegram would refuse it: /text, line 1');
  expect(message).toContain("can't parse entities");
  expect(message).toContain('\\-');
  expect(chat.receiver.records).toEqual([]);
});
