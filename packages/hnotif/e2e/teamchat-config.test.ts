import type { TeamchatMessage } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import type { ControllerOptions } from '../src/controller/options.ts';
import { Chat, pathOf, shown } from './support/teamchat.ts';
import { StillClock } from './support/turned-clock.ts';
import { NAMESPACE, World } from './support/world.ts';

const HOOK = 'https://hooks.example.com/services/T0HNOTIF/B0HOOK/canary-8c1f';
/** There is no plan in these worlds; before plans are listed that is not known. */
const FINE = /^(SinksReady|NoPlanMatches)$/;
const BOT = { bot_token: 'xoxb-canary-8c1f', channel_id: 'C0CANARY' };

/** A world whose notifications have one teamchat sink each, of these configurations. */
async function configured(
  configs: Readonly<Record<string, object>>,
  options: Partial<ControllerOptions> = {},
): Promise<World> {
  const world = await World.start();
  for (const [name, config] of Object.entries(configs)) {
    await world.configure(name, config);
    await world.notification(name, { onEvents: ['Start'], sinks: [{ name, type: 'teamchat' }] });
  }
  await world.synced(options);
  return world;
}

/** What the condition of each says, all of which have to be refused; no value of theirs may be shown. */
async function refusals<Name extends string>(
  configs: Readonly<Record<Name, object>>,
  options?: Partial<ControllerOptions>,
): Promise<Record<Name, string>> {
  const world = await configured(configs, options);
  const told: Record<string, string> = {};
  for (const name of Object.keys(configs)) {
    const { conditions } = await world.status(name, ({ conditions }) => conditions !== undefined);
    expect(conditions?.[0], name).toMatchObject({ type: 'Ready', status: 'False', reason: 'ConfigInvalid' });
    told[name] = conditions?.[0]?.message ?? '';
  }
  expect(JSON.stringify(told) + world.log.join('')).not.toContain('canary');
  return told;
}

/** What the condition of each says, all of which have to be accepted. */
async function acceptances(configs: Readonly<Record<string, object>>): Promise<Record<string, string>> {
  const world = await configured(configs);
  const told: Record<string, string> = {};
  for (const name of Object.keys(configs)) {
    const { conditions } = await world.status(name, ({ conditions }) => conditions !== undefined);
    expect(conditions?.[0], name).toMatchObject({
      status: 'True',
      reason: expect.stringMatching(FINE) as string,
    });
    told[name] = conditions?.[0]?.message ?? '';
  }
  return told;
}

/** The one message of each sink, of a plan's Start. */
async function started(
  sinks: Readonly<Record<string, object>>,
): Promise<{ chat: Chat; messages: Record<string, TeamchatMessage> }> {
  const chat = await Chat.start({ sinks, onEvents: ['Start'] });
  await chat.world.plan('orders');
  await chat.world.hibernate('orders');
  const messages: Record<string, TeamchatMessage> = {};
  for (const sink of Object.keys(sinks)) messages[sink] = await chat.only(sink);
  return { chat, messages };
}

describe('the address', () => {
  it('an address without TLS is refused', async () => {
    const options = { allowInsecureHttp: false };
    const told = await refusals(
      {
        plain: { webhook_url: HOOK.replace('https', 'http') },
        loopback: { webhook_url: 'http://127.0.0.1/services/canary' },
        other: { webhook_url: HOOK.replace('https', 'ftp') },
      },
      options,
    );
    for (const each of Object.values(told)) expect(each).toMatch(/webhook_url: only https is allowed/);

    const chat = await Chat.start({ sinks: { plain: {} }, onEvents: ['Start'], options });
    await chat.world.plan('orders');
    await chat.world.hibernate('orders');
    await chat.world.logged(/"msg":"sink quarantined"/);
    expect(chat.controller.totals().delivered).toBe(0);
    expect(chat.receiver.records).toEqual([]);
  });

  it('channel mode needs webhook_url', async () => {
    const told = await refusals({
      nothing: {},
      blank: { webhook_url: '  ' },
      said: { delivery_mode: 'channel' },
      number: { webhook_url: 7 },
      relative: { webhook_url: '/services/canary' },
    });
    for (const name of ['nothing', 'blank', 'said'] as const)
      expect(told[name]).toMatch(
        /webhook_url: is missing, delivery_mode channel needs it; give the URL of the incoming webhook/,
      );
    expect(told.number).toMatch(/webhook_url: must be a string, found a number; /);
    expect(told.relative).toMatch(/webhook_url: is not an absolute URL; /);
  });

  it('webhook_url and bot_token or channel_id exclude each other', async () => {
    const { bot_token, channel_id } = BOT;
    const told = await refusals({
      token: { webhook_url: HOOK, bot_token },
      channel: { webhook_url: HOOK, channel_id },
      both: { webhook_url: HOOK, ...BOT },
      thread: { webhook_url: HOOK, ...BOT, delivery_mode: 'thread' },
    });
    expect(told.token).toMatch(/webhook_url: excludes bot_token; remove bot_token, or /);
    expect(told.channel).toMatch(/webhook_url: excludes channel_id; remove channel_id, or /);
    expect(told.both).toMatch(/webhook_url: excludes bot_token and channel_id; /);
    expect(told.thread).toMatch(/webhook_url: excludes bot_token and channel_id; remove webhook_url/);
  });

  it('thread mode needs bot_token and channel_id', async () => {
    const { bot_token, channel_id } = BOT;
    const told = await refusals({
      nothing: { delivery_mode: 'thread' },
      token: { delivery_mode: 'thread', bot_token },
      channel: { delivery_mode: 'thread', channel_id },
      hook: { delivery_mode: 'thread', webhook_url: HOOK },
      named: { delivery_mode: 'thread', bot_token, channel_id: '#canary' },
    });
    expect(told.nothing).toMatch(
      /bot_token: is missing, delivery_mode thread needs it; give the bot token of the app \(xoxb-…\)/,
    );
    expect(told.nothing).toMatch(/; channel_id: is missing, delivery_mode thread needs it; /);
    expect(told.token).toMatch(/: channel_id: is missing/);
    expect(told.token).not.toMatch(/bot_token: is/);
    expect(told.channel).toMatch(/: bot_token: is missing/);
    expect(told.channel).not.toMatch(/channel_id: is/);
    expect(told.hook).toMatch(/bot_token: is missing.*delivery_mode to channel/);
    expect(told.named).toMatch(/channel_id: is the name of a channel; give its ID/);
    await acceptances({ complete: { delivery_mode: 'thread', ...BOT } });
  });

  it('delivery_mode is channel by default', async () => {
    const { chat, messages } = await started({ sink: {} });
    expect(messages.sink?.threadTs).toBeUndefined();
    expect(chat.receiver.records.map(({ call, path }) => [call, path])).toEqual([
      ['webhook', pathOf('sink')],
    ]);
    const told = await refusals({ bot: BOT });
    expect(told.bot).toMatch(/webhook_url: is missing.*delivery_mode channel.*set delivery_mode to thread/);
  });
});

describe('the form of messages', () => {
  it('format is text by default', async () => {
    const { messages } = await started({ unset: {}, text: { format: 'text' }, json: { format: 'json' } });
    const { unset, text, json } = messages;
    expect(unset?.blocks).toEqual([]);
    expect(unset?.text).toBe(text?.text);
    expect(json?.blocks).not.toEqual([]);
  });

  it('block_layout is default by default', async () => {
    const { messages } = await started({
      unset: { format: 'json' },
      wide: { format: 'json', block_layout: 'default' },
      compact: { format: 'json', block_layout: 'compact' },
    });
    expect(messages.unset?.blocks).toEqual(messages.wide?.blocks);
    expect(messages.unset?.blocks).not.toEqual(messages.compact?.blocks);
  });

  it('enumerations ignore case and blanks, and refuse other words', async () => {
    const { messages } = await started({
      exact: {
        ...{ format: 'json', block_layout: 'compact', time_display: 'utc', delivery_mode: 'channel' },
        ...{ additional_scopes: ['region', 'provider', 'env'], rate_limit: { unit: 'second' } },
      },
      loose: {
        ...{ format: ' JSON ', block_layout: 'Compact', time_display: 'UTC\n', delivery_mode: ' Channel' },
        ...{ additional_scopes: ['Region ', 'PROVIDER', ' Environment'], rate_limit: { unit: ' Second' } },
      },
    });
    expect(messages.loose?.blocks).toEqual(messages.exact?.blocks);
    expect(messages.exact && shown(messages.exact)).toContain('eu-west-1');

    const hook = { webhook_url: HOOK };
    const told = await refusals({
      format: { ...hook, format: 'canary' },
      layout: { ...hook, block_layout: 'canary' },
      display: { ...hook, time_display: 'canary' },
      mode: { ...hook, delivery_mode: 'canary' },
      scopes: { ...hook, additional_scopes: ['region', 'canary'] },
      unit: { ...hook, rate_limit: { unit: 'canary' } },
      list: { ...hook, additional_scopes: 'canary' },
      number: { ...hook, format: 7, block_layout: null },
    });
    const words = {
      format: /format: is none of text, json; /,
      layout: /block_layout: is none of default, compact, auto; /,
      display: /time_display: is none of slack_dynamic, fixed, utc; /,
      mode: /delivery_mode: is none of channel, thread; /,
      scopes:
        /additional_scopes: entry 2 is none of environment, region, project, provider, connector, account, cluster/,
      unit: /rate_limit\.unit: is neither second nor minute; /,
      list: /additional_scopes: must be a list, found a string/,
      number: /format: must be a string, found a number.*; block_layout: must be a string, found null/,
    };
    for (const [name, pattern] of Object.entries(words))
      expect(told[name as keyof typeof words]).toMatch(pattern);
  });

  it('max_targets is a whole number from 1 to 100', async () => {
    const configs = Object.fromEntries(
      [0, 101, 2.5, -1, '8', null].map((max_targets, index) => [
        `bad${index}`,
        { webhook_url: HOOK, max_targets },
      ]),
    );
    const told = Object.values(await refusals(configs));
    for (const number of told.slice(0, 4))
      expect(number).toMatch(/: max_targets: must be a whole number from 1 to 100; /);
    expect(told[4]).toMatch(/: max_targets: must be a whole number, found a string; /);
    expect(told[5]).toMatch(/: max_targets: must be a whole number, found null; /);
    const good = { webhook_url: HOOK, format: 'json' };
    await acceptances({ one: { ...good, max_targets: 1 }, most: { ...good, max_targets: 100 } });
  });

  it('timezone is an IANA name', async () => {
    const fixed = { webhook_url: HOOK, format: 'json', time_display: 'fixed' };
    const zoned = (zones: readonly unknown[]) =>
      Object.fromEntries(zones.map((timezone, index) => [`sink${index}`, { ...fixed, timezone }]));
    for (const told of Object.values(
      await refusals(
        zoned(['Mars/Olympus', 'Berlin', 'europe/berlin', '+02:00', 'Local', '../Europe/Berlin', 2]),
      ),
    ))
      expect(told).toMatch(/: timezone: .*such as "?Europe\/Berlin/);
    await acceptances(
      zoned(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+5', ' Asia/Kolkata ']),
    );
    // Elsewhere it would do nothing, which is told.
    const { idle } = await acceptances({ idle: { ...fixed, time_display: 'utc', timezone: 'Asia/Kolkata' } });
    expect(idle).toContain('timezone has no effect unless time_display is fixed');
  });

  it('time_layout is a reference-time layout', async () => {
    const fixed = { webhook_url: HOOK, format: 'json', time_display: 'fixed' };
    const laid = (layouts: readonly unknown[]) =>
      Object.fromEntries(layouts.map((time_layout, index) => [`sink${index}`, { ...fixed, time_layout }]));
    for (const told of Object.values(
      await refusals(laid(['YYYY-MM-DD HH:mm', '%Y-%m-%d', 'the same ever', 15])),
    ))
      expect(told).toMatch(/: time_layout: .*such as "02 Jan 15:04 MST"/);
    await acceptances(laid(['3:04PM', '2006-01-02T15:04:05Z07:00', 'Monday', 'Jan _2 15:04:05.000']));
  });
});

describe('other fields', () => {
  it('the rate limit is 50 a minute with a burst of 75; each field has its own default', async () => {
    const clock = new StillClock();
    const chat = await Chat.start({
      sinks: {
        unset: {},
        empty: { rate_limit: {} },
        burst: { rate_limit: { burst: 20 } },
        rate: { rate_limit: { rate: 25 } },
        unit: { rate_limit: { unit: 'second' } },
      },
      onEvents: ['Start'],
      options: { clock, drainTimeoutMs: 200 },
    });
    const plans = Array.from({ length: 90 }, (_, index) => `plan-${index}`);
    await Promise.all(plans.map((plan) => chat.world.plan(plan)));
    await Promise.all(
      plans.map(async (plan) => {
        const { metadata } = await chat.world.hibernate(plan);
        // So many at once are a burst: journals would wait for a clock that stands still.
        await chat.controller.seen(NAMESPACE, plan, metadata.resourceVersion);
      }),
    );
    await chat.settled({ delivered: 75 + 75 + 20 + 75 + 75 });
    clock.turn(12_000);
    await chat.settled({ delivered: 85 + 85 + 30 + 80 + 90 });
    await chat.controller.stop();
    const counts = ['unset', 'empty', 'burst', 'rate', 'unit'].map((sink) => chat.in(sink).length);
    expect(counts).toEqual([85, 85, 30, 80, 90]);

    const limited = (rate_limit: unknown) => ({ webhook_url: HOOK, rate_limit });
    const told = await refusals({
      zero: limited({ rate: 0 }),
      text: limited({ rate: '50' }),
      none: limited({ burst: 0 }),
      half: limited({ burst: 1.5 }),
      hour: limited({ unit: 'hour' }),
      number: limited(50),
    });
    expect(told.zero).toMatch(/rate_limit\.rate: must be above 0/);
    expect(told.text).toMatch(/rate_limit\.rate: must be a number, found a string/);
    expect(told.none).toMatch(/rate_limit\.burst: must be at least 1/);
    expect(told.half).toMatch(/rate_limit\.burst: must be a whole number/);
    expect(told.hour).toMatch(/rate_limit\.unit: is neither second nor minute/);
    expect(told.number).toMatch(/rate_limit: must be an object, found a number/);
  });

  it('unknown fields are accepted and named in the condition', async () => {
    const { chat, messages } = await started({
      sink: { formt: 'json', team: { on_call: 'us' }, rate_limit: { rate: 10, brust: 3 } },
    });
    expect(messages.sink?.blocks).toEqual([]);
    const { conditions } = await chat.world.status(
      'chat',
      ({ conditions }) => conditions?.[0]?.status === 'True',
    );
    expect(conditions?.[0]?.reason).toMatch(FINE);
    for (const field of ['formt', 'team'])
      expect(conditions?.[0]?.message).toMatch(new RegExp(`sink sink: .*\\b${field}\\b.* no effect`));
  });

  it('all errors are reported at once, and settings without effect, too', async () => {
    const told = await refusals({
      many: { format: 'canary', max_targets: 0, timezone: 'canary', bot_token: 'x y', time_layout: 'canary' },
    });
    for (const field of ['format', 'max_targets', 'timezone', 'time_layout', 'webhook_url', 'bot_token'])
      expect(told.many).toMatch(new RegExp(`[:;] ${field}: `));
    const { idle } = await acceptances({
      idle: { webhook_url: HOOK, max_targets: 3, additional_scopes: ['region'] },
    });
    expect(idle).toMatch(/max_targets, additional_scopes have no effect while format is text/);
  });
});
