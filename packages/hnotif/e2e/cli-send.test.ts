import { describe, expect, it } from 'vitest';
import { testCertificate } from '../src/transport/testing/certificate.ts';
import { serveTls } from '../src/transport/testing/server.ts';
import { asked, command } from './support/command.ts';
import { configMapObject, notificationObject, secretObject, type SinkSpec } from '../../lab/src/objects.ts';
import { shown } from './support/teamchat.ts';
import { contextOf, NAMESPACE, World } from './support/world.ts';

function sent(world: World, ...args: readonly string[]) {
  const flags = ['--allow-insecure-http', ...world.addresses, `--namespace=${NAMESPACE}`];
  return asked(world, 'send', ...args, ...flags);
}

describe('hnotif send', () => {
  it('sends a test to every sink, which says so, and tells what became of each', async () => {
    const world = await World.start();
    const chat = await world.teamchat({ channels: [{ id: 'C0NIGHTS' }, { id: 'C0TEST' }] });
    const bot = await world.botchat();
    await world.secret('hook');
    await world.configure('thread', {
      delivery_mode: 'thread',
      bot_token: 'xoxb-test',
      channel_id: 'C0NIGHTS',
    });
    await world.configure('phone', { token: '123456:canary-bot-token-of-thirty-five-x', chat_id: 4711 });
    const sinks = ['hook', { name: 'thread', type: 'teamchat' }, { name: 'phone', type: 'botchat' }] as const;
    await world.notification('n', { onEvents: ['Failure'], sinks });
    expect(await sent(world, 'n')).toEqual({
      exit: 0,
      out: ['hook (webhook)', 'thread (teamchat)', 'phone (botchat)'].map(
        (sink) => `sent     Failure to sink ${sink}`,
      ),
      err: [],
    });
    const [record] = await world.received(1, 'hook');
    expect(contextOf(record!).plan.name).toBe('TEST-web-shop');
    const [root] = chat.channel('C0NIGHTS').messages;
    expect(shown(root!)).toContain('TEST-web-shop');
    expect(root?.replies).toHaveLength(1);
    expect(bot.records.at(-1)?.message?.text).toContain('TEST-web-shop');

    const elsewhere = await sent(world, 'n', '--sink', 'thread', '--to', 'C0TEST');
    expect(elsewhere.exit).toBe(0);
    expect(chat.channel('C0TEST').messages).toHaveLength(1);
    expect(await sent(world, 'n', '--sink', 'hook', '--to', 'x')).toMatchObject({
      exit: 2,
      err: [
        'error: --to: sink hook has no channel_id and no chat_id, so it cannot go elsewhere; choose another --sink',
      ],
    });
  });

  it('to another chat it leaves the topic behind, and reads the configuration as the controller does', async () => {
    const world = await World.start();
    const bot = await world.botchat({ chats: [{ id: -1001, topics: { 42: 'open' } }, { id: -1002 }] });
    const config = {
      token: '123456:canary-bot-token-of-thirty-five-x',
      chat_id: -1001,
      message_thread_id: 42,
    };
    // Some editors write a byte order mark.
    await world.secret('phone', `\ufeff${JSON.stringify(config)}`);
    await world.configure('hook', {
      webhook_url: 'https://hooks.slack.com/services/T0/B0/x',
      channel_id: '',
    });
    const sinks = [
      { name: 'phone', type: 'botchat' },
      { name: 'hook', type: 'teamchat' },
    ] as const;
    await world.notification('n', { onEvents: ['Start'], sinks });
    expect(await sent(world, 'n', '--sink', 'phone', '--to', '-1002')).toEqual({
      exit: 0,
      out: ['sent     Start to sink phone (botchat)'],
      err: [],
    });
    expect(bot.records.map(({ params }) => params.chat_id)).toEqual(['-1002']);
    expect(await sent(world, 'n', '--sink', 'hook', '--to', 'C0TEST')).toMatchObject({
      exit: 2,
      err: [expect.stringMatching(/^error: --to: sink hook has no channel_id/)],
    });
  });

  it('trusts the authorities of --ca-file', async () => {
    const world = await World.start();
    const certificate = testCertificate('hooks.example');
    const { port } = await serveTls(certificate);
    await world.secret('hook', { url: `https://127.0.0.1:${port}/x` });
    await world.notification('n', { onEvents: ['Start'], sinks: ['hook'] });
    const refused = await sent(world, 'n', '--egress-allow=127.0.0.0/8');
    expect(refused.out.join()).toMatch(/^failed .* give its authority with --ca-file/);
    const trusted = [
      '--egress-allow=127.0.0.0/8',
      `--ca-file=${await world.file('ca.pem', certificate.cert)}`,
    ];
    expect(await sent(world, 'n', ...trusted)).toMatchObject({ exit: 0 });
    const { out } = await asked(world, 'doctor', 'n', `--namespace=${NAMESPACE}`, ...trusted);
    expect(out).toContainEqual(expect.stringMatching(/^ok {6}n\/hook: https:.* takes connections/));
  });

  it('posts into a channel that is configured by its name, whose history cannot be read', async () => {
    const world = await World.start();
    const chat = await world.teamchat({ channels: [{ id: 'C0NIGHTS', name: 'nights' }] });
    const config = { delivery_mode: 'thread', bot_token: 'xoxb-test', channel_id: '#nights' };
    await world.configure('thread', config);
    await world.notification('n', {
      onEvents: ['Start', 'Failure'],
      sinks: [{ name: 'thread', type: 'teamchat' }],
    });
    const byName: unknown = expect.stringMatching(
      /^warning {2}sink thread \(teamchat\): channel_id: is not an ID/,
    );
    expect(await sent(world, 'n', '--event', 'Start')).toEqual({
      exit: 0,
      out: [byName, 'sent     Start to sink thread (teamchat)'],
      err: [],
    });
    expect(chat.channel('C0NIGHTS').messages).toHaveLength(1);
    const failure = await sent(world, 'n', '--event', 'Failure');
    expect(failure).toMatchObject({
      exit: 0,
      out: [
        byName,
        'sent     Failure to sink thread (teamchat)',
        expect.stringMatching(/^warning {2}Failure .* cannot be read by its name; give its ID/),
      ],
    });
  });

  it('a message that arrived otherwise than configured is an error, and the remedy names what the user wrote', async () => {
    const world = await World.start();
    const bot = await world.botchat();
    bot.setChat({ id: -1001, topics: {} });
    const config = { token: '123456:canary-bot-token-of-thirty-five-x', chat_id: '-1001:42' };
    await world.configure('phone', config);
    await world.notification('n', { onEvents: ['Start'], sinks: [{ name: 'phone', type: 'botchat' }] });
    const { exit, out } = await sent(world, 'n');
    expect(exit).toBe(0);
    expect(out).toEqual([
      'sent     Start to sink phone (botchat)',
      expect.stringMatching(
        /^error {4}Start to sink phone \(botchat\): the topic .* after the colon of chat_id/,
      ),
    ]);
  });

  it('tells why a receiver refused it, without the credential, and exits with 1', async () => {
    const world = await World.start();
    await world.secret('n', { headers: { authorization: 'Bearer canary' } });
    await world.notification('n', { onEvents: ['Start'] });
    world.receiver.faults.add({ fault: { kind: 'status', status: 403 } });
    const { exit, out, err } = await sent(world, 'n');
    expect(exit).toBe(1);
    expect(out).toEqual([
      expect.stringMatching(/^failed {3}Start to sink n \(webhook\): the receiver answered 403.*check/),
    ]);
    expect([...out, ...err].join()).not.toContain('canary');
    await world.secret('n', { url: 'http://127.0.0.1:1/hook' });
    expect((await sent(world, 'n')).out).toEqual([
      expect.stringMatching(/^failed .*nothing accepts connections there/),
    ]);
  });

  it('says that a message may be there after an unclear answer', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    world.receiver.faults.add({ fault: { kind: 'status', status: 502 } });
    expect(await sent(world, 'n')).toMatchObject({
      exit: 1,
      out: [expect.stringMatching(/^failed .* answered 502.*; the message may have arrived all the same$/)],
    });
  });

  it('judges each sink, also after one that cannot be used', async () => {
    const world = await World.start();
    await world.configure('broken', { token: '123456:canary-bot-token-of-thirty-five-x' });
    await world.secret('hook');
    const sinks = [
      { name: 'broken', type: 'botchat' },
      { name: 'missing', type: 'webhook' },
      'hook',
    ] as const;
    await world.notification('n', { onEvents: ['Start'], sinks });
    for (const [flags, became] of [
      [
        ['--dry-run'],
        'not sent Start to sink hook (webhook): nothing found against it; what the receiver accepts is not known here',
      ],
      [[], 'sent     Start to sink hook (webhook)'],
    ] as const)
      expect(await sent(world, 'n', ...flags)).toEqual({
        exit: 1,
        out: [
          expect.stringMatching(/^failed {3}sink broken: chat_id: is missing/),
          expect.stringMatching(/^failed {3}sink missing: secret missing .* was not found/),
          became,
        ],
        err: [],
      });
  });
});

describe('hnotif send --dry-run', () => {
  /** What it says of one event at one sink, and what `validate` says. */
  async function rehearsed(
    type: SinkSpec['type'],
    config: object,
    { template, event = 'Start' }: { readonly template?: string; readonly event?: string } = {},
  ) {
    const sink = { name: 's', type, ...(template !== undefined && { templateRef: { name: 't' } }) };
    const items = [
      notificationObject('n', { onEvents: [event], sinks: [sink] }),
      secretObject('s', JSON.stringify(config)),
      configMapObject('t', { 'template.gotpl': template ?? '' }),
    ];
    const objects = JSON.stringify({ kind: 'List', apiVersion: 'v1', items });
    const { exit, out } = await command(['send', '--dry-run', '-f', '-'], objects);
    const validated = await command(['validate', '-'], objects);
    return { exit, out, validated: validated.out.join('\n'), exitOfValidate: validated.exit };
  }

  it.each([
    ['webhook', { url: 'https://hooks.slack.com/services/T0/B0/x' }],
    ['webhook', { url: 'https://ci.example/${PLAN}' }],
    ['teamchat', { webhook_url: 'https://discord.com/api/webhooks/1/x' }],
    ['teamchat', { webhook_url: 'https://slack.com/api/chat.postMessage' }],
  ] as const)('shows what validate says of a %s sink with %j, and claims nothing', async (type, config) => {
    const { exit, out, validated } = await rehearsed(type, config);
    const [warning = '', verdict, ...more] = out;
    const [, note] = /^warning {2}sink s \(\w+\): (.*)/.exec(warning) ?? [];
    expect(validated).toContain(`Secret s: as ${type} of sink s: ${note} [config]`);
    expect(verdict).toBe(`not sent Start to sink s (${type}): nothing found against the message itself`);
    expect([exit, more]).toEqual([0, []]);
  });

  it.each(['Start', 'Failure'])(
    'says the same as validate of a channel by its name, for %s',
    async (event) => {
      const config = { delivery_mode: 'thread', bot_token: 'xoxb-1-canary', channel_id: '#nights' };
      const { exit, out, validated, exitOfValidate } = await rehearsed('teamchat', config, { event });
      const [, note] = /^warning {2}sink s \(teamchat\): (channel_id: .*)/.exec(out[0] ?? '') ?? [];
      expect(out.slice(1)).toEqual([
        `not sent ${event} to sink s (teamchat): nothing found against the message itself`,
      ]);
      expect(validated).toMatch(/^.* warning: Secret s: as teamchat of sink s: channel_id: .*$/);
      expect(validated).toContain(note);
      expect([exit, exitOfValidate]).toEqual([0, 0]);
    },
  );

  it.each([
    ['{% if .Event %}{{ .Event }}', 0],
    ['${PLAN} {{ .Event }}', 0],
    ['{{ .Event }}{{ if eq .Event "Failed" }}{{ .Plan.Nam }}{{ end }}', 1],
  ])('shows what validate says of the template %j', async (template, expected) => {
    const config = { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' };
    const { exit, out, validated } = await rehearsed('teamchat', config, { template });
    const about = out.filter((line) => line.includes('sink s (teamchat): template t/template.gotpl, line 1'));
    const notes = about.map((line) => /^(\w+) +sink .*?, line 1(?:, column \d+)?: (.*)/.exec(line) ?? []);
    expect(notes.length).toBeGreaterThan(0);
    for (const [, severity, note] of notes) {
      expect(validated).toContain(note);
      expect(validated).toContain(`${severity}: ConfigMap t: `);
    }
    expect(exit).toBe(expected);
  });

  it.each([
    ['Failure', 1],
    ['Start', 2],
  ])('shows that broadcast asks for an event that is not sent, for %s', async (event, lines) => {
    const config = {
      ...{ delivery_mode: 'thread', bot_token: 'xoxb-1-canary', channel_id: 'C0NIGHTS' },
      broadcast: ['Failure'],
    };
    const { out, validated } = await rehearsed('teamchat', config, { event });
    const note = 'broadcast: Failure has no effect: it is not in onEvents';
    expect(out).toHaveLength(lines);
    expect(out.includes(`warning  sink s (teamchat): ${note}`)).toBe(lines > 1);
    expect(validated.includes(note)).toBe(lines > 1);
  });

  it('shows that a template has no effect', async () => {
    const config = { delivery_mode: 'thread', bot_token: 'xoxb-1-canary', channel_id: 'C0NIGHTS' };
    const { out, validated } = await rehearsed('teamchat', config, { template: '{% if %}' });
    const why = 'templateRef has no effect: threads always use the built-in layouts';
    expect(out[0]).toBe(`warning  sink s (teamchat): ${why}`);
    expect(validated).toContain(why);
    expect(out).toHaveLength(2);
  });

  it('does not claim that a webhook takes a message', async () => {
    const { out } = await rehearsed('webhook', { url: 'https://ci.example/x' });
    expect(out).toEqual([
      'not sent Start to sink s (webhook): nothing found against it; what the receiver accepts is not known here',
    ]);
    const chat = await rehearsed('teamchat', { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' });
    expect(chat.out).toEqual(['not sent Start to sink s (teamchat): Slack would take it']);
  });
});
