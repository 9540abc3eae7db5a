import { describe, expect, it } from 'vitest';
import type { BotchatReceiver, TeamchatReceiver } from '@hnotif/receivers';
import { evening } from '../../lab/src/nights.ts';
import { metricsOf, World, type SinkSpec } from './support/world.ts';

const TOKEN = '123456:canary-bot-token-of-thirty-five-x';
const CHAT = -1001234567890;

interface Chats {
  readonly world: World;
  readonly teamchat: TeamchatReceiver;
  readonly botchat: BotchatReceiver;
}

/** A webhook that renders, a teamchat and a botchat sink, each named after its type. */
async function chats(): Promise<Chats & { readonly sinks: readonly SinkSpec[] }> {
  const world = await World.start();
  const [teamchat, botchat] = [await world.teamchat(), await world.botchat()];
  await world.secret('webhook', { enable_renderer: true });
  await world.configure('teamchat', { webhook_url: teamchat.webhookUrl() });
  await world.configure('botchat', { token: TOKEN, chat_id: CHAT });
  const sinks = (['webhook', 'teamchat', 'botchat'] as const).map((type) => ({ name: type, type }));
  return { world, teamchat, botchat, sinks };
}

interface Telling {
  /** Makes the messages of all three; undefined: the built-in ones. */
  readonly template?: string;
  /** A night fails with this error; undefined: a night begins. */
  readonly error?: string;
}

/** The three sinks have been told of one event. */
async function told({ template, error }: Telling = {}): Promise<Chats> {
  const { sinks, ...setup } = await chats();
  const { world } = setup;
  if (template !== undefined) await world.templates('texts', { 'template.gotpl': template });
  const templateRef = { name: 'texts' };
  await world.notification('n', {
    onEvents: [error === undefined ? 'Start' : 'Failure'],
    sinks: sinks.map((sink) => ({ ...sink, ...(template !== undefined && { templateRef }) })),
  });
  await world.plan('orders', error === undefined ? ['db'] : ['db', 'vm'], {
    spec: { behavior: { retries: 0 } },
  });
  await world.synced();
  await (error === undefined ? world.hibernate('orders') : evening(world, 'orders', error));
  return setup;
}

/** Resolves with the text of the one message at each, as a reader sees it. */
async function texts({ world, teamchat, botchat }: Chats): Promise<readonly string[]> {
  const [record] = await world.received(1, 'webhook');
  const team = await teamchat.waitFor((records) => records.find(({ message }) => message)?.message);
  await botchat.waitFor((records) => records.some(({ answered }) => answered.accepted));
  const { rendered = '' } = record?.json as { rendered?: string };
  return [rendered, team.text, botchat.chat(CHAT).messages[0]?.text ?? ''];
}

describe('the three sinks', () => {
  it('one event reaches a webhook, a teamchat and a botchat sink', async () => {
    const [webhook, teamchat, botchat] = await texts(await told());
    expect(webhook).toBe('[Start] shutdown - team-a/orders | Phase: Hibernating');
    expect(teamchat).toMatch(/^:crescent_moon: \*Hibernation Starting \(1 targets\)\*\n\*Plan:\* orders\n/);
    expect(botchat).toMatch(/^🌙 Hibernation Starting \(1 targets\)\nPlan: orders\n/);
  });

  it('a template of a config map makes the message of every sink type', async () => {
    const setup = await told({ template: '{{ .Event }} at {{ .SinkType }}' });
    expect(await texts(setup)).toEqual(['Start at webhook', 'Start at teamchat', 'Start at botchat']);
  });

  it('a template that does not parse is replaced by plain text, at every sink type', async () => {
    const setup = await told({ template: '{{ if .Event }}', error: 'no capacity' });
    const { world } = setup;
    for (const text of await texts(setup))
      expect(text).toBe(
        'Failure: team-a/orders\nOperation: shutdown\nPhase: Error\nError: target vm: no capacity',
      );
    const { conditions } = await world.status('n', (status) =>
      (['webhook', 'teamchat', 'botchat'] as const).every(
        (sink) =>
          status.conditions?.[0]?.message.includes(`sink ${sink}: template texts/template.gotpl, line 1`) ===
          true,
      ),
    );
    expect(conditions?.[0]).toMatchObject({ status: 'True', reason: 'MessagesDegraded' });
    await world.logged(/"sink":"botchat".*"reason":"TemplateParseFailed"/);
  });

  it('templates of every sink type have the escape functions', async () => {
    const template =
      '{{ "<b>&\\"" | escapeHTML | len }} {{ "a_b.c" | escapeMarkdown | len }} {{ "<&>" | escapeSlack | len }}';
    const setup = await told({ template });
    for (const text of await texts(setup)) expect(text).toBe('19 7 13');
  });
});

describe('a credential that is refused', () => {
  it('a refused credential is reported with a remedy, and never shown', async () => {
    const world = await World.start();
    const team = await world.teamchat({ tokens: { 'xoxb-another': {} }, webhooks: {} });
    const bot = await world.botchat({ tokens: ['999999:another-token-of-thirty-five-letters'] });
    await world.configure('hook', {
      webhook_url: team.webhookUrl('/services/T0CANARY/B0CANARY/canary-hook'),
    });
    await world.configure('thread', {
      delivery_mode: 'thread',
      bot_token: 'xoxb-canary-token',
      channel_id: 'C0HIBERNATE',
    });
    await world.configure('bot', { token: TOKEN, chat_id: CHAT });
    await world.notification('n', {
      onEvents: ['Start'],
      sinks: [
        { name: 'hook', type: 'teamchat' },
        { name: 'thread', type: 'teamchat' },
        { name: 'bot', type: 'botchat' },
      ],
    });
    await world.plan('orders');
    const controller = await world.synced();
    await world.hibernate('orders');
    const { sinks } = await world.status('n', (status) =>
      (status.sinks ?? []).every(({ consecutiveFailures }) => consecutiveFailures === 1),
    );
    const said = Object.fromEntries(
      (sinks ?? []).map(({ name, reason, message }) => [name, `${reason} ${message}`]),
    );
    expect(said.hook).toMatch(/^WebhookRemoved .*make a new one and put it into the secret \(secret hook\)$/);
    expect(said.thread).toMatch(/^InvalidToken .*bot_token is not valid.*\(secret thread\)$/);
    expect(said.bot).toMatch(/^Token(Rejected|Unknown) .*\(secret bot\)$/);
    expect(bot.records[0]?.path).toContain('canary');

    const metrics = await metricsOf(controller);
    const events = await world.kube.get('/api/v1/namespaces/team-a/events');
    await controller.stop();
    const notification = await world.kube.get(world.notificationPath('n'));
    for (const shown of [metrics, JSON.stringify(events), JSON.stringify(notification), world.log.join('')]) {
      expect(shown).not.toMatch(/canary|CANARY/);
    }
  });
});

describe('the limits of a receiver', () => {
  it('sinks of one credential and channel share a bucket', async () => {
    const world = await World.start();
    const [team, bot] = [await world.teamchat(), await world.botchat()];
    const [one, another] = ['/services/T0HNOTIF/B0HOOK/one', '/services/T0HNOTIF/B0HOOK/another'];
    const rate_limit = { rate: 0.001, unit: 'second', burst: 3 };
    // Four that share, and one that does not.
    const names = ['a', 'b', 'c', 'd', 'other'];
    for (const name of names) {
      const isOther = name === 'other';
      await world.configure(`bot-${name}`, { token: TOKEN, chat_id: isOther ? 4711 : CHAT, rate_limit });
      const webhook_url = team.webhookUrl(isOther ? another : one);
      await world.configure(`team-${name}`, { webhook_url, rate_limit });
    }
    const sinks = names.flatMap((name) => [
      { name: `bot-${name}`, type: 'botchat' as const },
      { name: `team-${name}`, type: 'teamchat' as const },
    ]);
    await world.notification('n', { onEvents: ['Start'], sinks });
    await world.plan('orders');
    const controller = await world.synced({ drainTimeoutMs: 200 });
    await world.hibernate('orders');
    await bot.waitFor((records) => records.length === 4);
    await team.waitFor((records) => records.length === 4);
    // The answers have arrived, too.
    await expect.poll(() => controller.totals().delivered).toBe(8);
    await controller.stop();
    expect(bot.chat(CHAT).messages).toHaveLength(3);
    expect(bot.chat(4711).messages).toHaveLength(1);
    expect(team.records.map(({ path }) => path).sort()).toEqual([another, one, one, one]);
    expect(controller.totals()).toMatchObject({ delivered: 8, dropped: 0 });
    expect(controller.pending()).toBe(2);
  });
});
