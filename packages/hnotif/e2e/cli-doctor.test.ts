import { expect, it } from 'vitest';
import { asked } from './support/command.ts';
import { NAMESPACE, World } from './support/world.ts';

function examined(world: World, ...args: readonly string[]) {
  const flags = ['--allow-insecure-http', ...world.addresses, `--namespace=${NAMESPACE}`];
  return asked(world, 'doctor', ...args, ...flags);
}

const SINKS = ['hook', { name: 'thread', type: 'teamchat' }, { name: 'phone', type: 'botchat' }] as const;

async function served(): Promise<World> {
  const world = await World.start();
  await world.teamchat();
  await world.botchat();
  await world.secret('hook');
  await world.configure('thread', {
    delivery_mode: 'thread',
    bot_token: 'xoxb-test',
    channel_id: 'C0HIBERNATE',
  });
  await world.configure('phone', { token: '123456:canary-bot-token-of-thirty-five-x', chat_id: 4711 });
  await world.notification('n', { onEvents: ['Start'], sinks: SINKS });
  await world.plan('orders');
  return world;
}

it('every check of a notification that works is ok, and no message is sent', async () => {
  const world = await served();
  await world.synced();
  await world.status('n', ({ conditions }) => conditions !== undefined);
  const { exit, out, err } = await examined(world, 'n');
  expect([exit, err]).toEqual([0, []]);
  expect(out).toEqual([
    expect.stringMatching(/^ok {6}hnotif: served by /),
    'ok      n: selects 1 plan',
    'ok      n: configurations, templates and messages are valid',
    expect.stringMatching(
      /^ok {6}n\/hook: http:\/\/127\.0\.0\.1:\d+ takes connections \(no request was made\)$/,
    ),
    expect.stringMatching(/^ok {6}n\/thread: Slack accepts the token of /),
    'ok      n/thread: the channel can be read',
    expect.stringMatching(/^ok {6}n\/phone: Telegram accepts the token of /),
    expect.stringMatching(/^skipped n\/phone: the chat is not asked/),
  ]);
  expect(world.receiver.records).toEqual([]);
});

it('a channel that is configured by its name is one warning, that of validate', async () => {
  const world = await served();
  const config = { delivery_mode: 'thread', bot_token: 'xoxb-test', channel_id: '#hibernate' };
  await world.configure('thread', config);
  expect((await examined(world, 'n')).out.filter((line) => line.startsWith('warning'))).toEqual([
    expect.stringMatching(/^warning n: Secret .*: as teamchat of sink thread: channel_id: is not an ID/),
  ]);
  await world.configure('thread', { ...config, channel_id: 'U0OPERATOR' });
  expect((await examined(world, 'n')).out.filter((line) => line.startsWith('warning'))).toEqual([
    expect.stringMatching(/^warning n\/thread: the history of a channel cannot be read/),
  ]);
});

it('reads credentials as the sinks do: trimmed, and an empty one is none', async () => {
  const world = await served();
  await world.configure('thread', {
    delivery_mode: 'thread',
    bot_token: ' xoxb-test\n',
    channel_id: ' C0HIBERNATE ',
  });
  await world.configure('phone', { token: '123456:canary-bot-token-of-thirty-five-x ', chat_id: 4711 });
  await world.configure('hook', { webhook_url: `${world.receiver.url}hook`, bot_token: '', channel_id: '' });
  const sinks = [{ name: 'hook', type: 'teamchat' }, SINKS[1], SINKS[2]] as const;
  await world.notification('m', { onEvents: ['Start'], sinks });
  const { out } = await examined(world, 'm');
  expect(out.filter((line) => /^(ok|failed|warning) .*m\//.test(line))).toEqual([
    expect.stringMatching(/^ok {6}m\/hook: .* takes connections/),
    expect.stringMatching(/^ok {6}m\/thread: Slack accepts the token of /),
    'ok      m/thread: the channel can be read',
    expect.stringMatching(/^ok {6}m\/phone: Telegram accepts the token of /),
  ]);
});

it('what hnotif does not know of a message is a note', async () => {
  const world = await served();
  await world.configure('chat', { webhook_url: 'https://hooks.slack.com/services/T0/B0/x', format: 'json' });
  await world.templates('words', {
    'template.gotpl': '{"text":"{{ .Event }}","blocks":[{"type":"hologram"}]}',
  });
  const sinks = [{ name: 'chat', type: 'teamchat', templateRef: { name: 'words' } }] as const;
  await world.notification('known', { onEvents: ['Start'], sinks });
  expect((await examined(world, 'known')).out).toContainEqual(
    expect.stringMatching(/^note {4}known: .* is not known here; .*the receiver may take it/),
  );
});

it('reports each problem with the remedy, and without a credential', async () => {
  const world = await served();
  await world.secret('hook', { url: 'http://127.0.0.1:1/canary' });
  await world.configure('thread', {
    delivery_mode: 'thread',
    bot_token: 'xoxb-canary',
    channel_id: 'C0HIBERNATE',
  });
  await world.notification('lost', { onEvents: ['Start'], selector: { matchLabels: { team: 'x' } } });
  const { exit, out } = await examined(world);
  expect(exit).toBe(1);
  expect(out).toContainEqual(
    expect.stringMatching(
      /^failed {2}n\/hook: there was no connection to http:\/\/127\.0\.0\.1:1: nothing accepts connections there/,
    ),
  );
  expect(out).toContainEqual(
    expect.stringMatching(/^failed {2}n\/thread: Slack refuses the token: invalid_auth; give a bot token/),
  );
  expect(out).toContainEqual('failed  lost: selects no plan; hnotif why says which label differs');
  expect(out).toContainEqual(
    expect.stringMatching(/^failed {2}n: its status says: no hnotif has written its status/),
  );
  expect(out.join()).not.toMatch(/canary/);
});

it('an address that is refused is not tried', async () => {
  const world = await World.start();
  await world.secret('hook', { url: 'http://127.0.0.1:1/{{ .Plan }}' });
  await world.notification('n', { onEvents: ['Start'], sinks: ['hook'] });
  const { out } = await examined(world, 'n');
  const about = out.filter((line) => /hook|address|connection/.test(line));
  expect(about).toEqual([expect.stringMatching(/url: holds a template/)]);
});

it('an invalid address, a notification that cannot be read and a namespace without notifications are reported', async () => {
  const world = await World.start();
  await world.secret('hook', { url: 'htp://audit example' });
  await world.notification('n', { onEvents: ['Start'], sinks: ['hook'] });
  const { exit, out, err } = await examined(world, 'notification/n');
  expect([exit, err]).toEqual([1, []]);
  expect(out).toContainEqual(
    expect.stringMatching(/^failed {2}n: Secret team-a\/hook: .* url: is not an absolute URL; write it like/),
  );
  const muteSchedule = [{ weekdays: ['saturday'], location: 'Europe/Pariss' }];
  await world.kube.patch(world.notificationPath('n'), { spec: { muteSchedule } });
  const unreadable = await examined(world);
  expect(unreadable.exit).toBe(1);
  expect(unreadable.out.slice(1)).toEqual([
    expect.stringMatching(
      /^failed {2}n: it cannot be read, .* spec\.muteSchedule\[0\]\.location: .*Europe\/Pariss/,
    ),
  ]);
  const empty = await asked(world, 'doctor', '--namespace=nosuch');
  expect(empty.exit).toBe(1);
  expect(empty.out).toContainEqual(expect.stringMatching(/^failed {2}notifications: there are none; /));
});

it('a secret or a config map that does not exist has failed, also without an hnotif that says so', async () => {
  const world = await World.start();
  const sink = { name: 'hook', templateRef: { name: 'texts' } };
  await world.notification('n', { onEvents: ['Start'], sinks: [sink] });
  const { exit, out } = await examined(world, 'n');
  expect(exit).toBe(1);
  expect(out).toContain(
    'failed  n: HibernateNotification team-a/n: secret hook does not exist: create it, or correct the name',
  );
  expect(out).toContain(
    'failed  n: HibernateNotification team-a/n: config map texts does not exist: create it, or correct the name',
  );
});

it('a warning of the status and a mute are shown, and do not fail', async () => {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  await world.plan('orders');
  const suspendUntil = '2999-01-05T20:00:00Z';
  await world.kube.patch(world.notificationPath('n'), {
    spec: { suspend: true, suspendUntil, suspendReason: 'migration' },
  });
  const condition = (type: string, status: string, reason: string, message: string) => ({
    ...{ type, status, reason, message, observedGeneration: 2 },
    lastTransitionTime: '2026-01-05T20:00:00Z',
  });
  const conditions = [
    condition('Ready', 'True', 'Suspended', 'suspended: new deliveries are dropped'),
    condition('Durable', 'False', 'Forbidden', 'journals may not be written: grant it'),
  ];
  await world.kube.patch(`${world.notificationPath('n')}/status`, {
    status: { conditions, observedGeneration: 2 },
  });
  const { exit, out } = await examined(world, 'n');
  expect(exit).toBe(0);
  expect(out).toContain(
    'warning n: it is muted until 2999-01-05T20:00:00Z (migration): new deliveries are dropped; hnotif unmute n ends it',
  );
  expect(out).toContain('warning n: its status says: journals may not be written: grant it');
  expect(out.join()).not.toContain('failed');
  // Deliveries wait: the suspension is still shown once.
  const sinks = [
    { name: 'n', consecutiveFailures: 1, state: 'Parked', waiting: 2, reason: 'ServerError', message: 'no' },
  ];
  await world.kube.patch(`${world.notificationPath('n')}/status`, { status: { sinks } });
  const waits = await examined(world, 'n');
  expect(waits.out.join()).toContain('parked, 2 wait');
  expect(waits.out.filter((line) => line.includes('2999-01-05T20:00:00Z'))).toHaveLength(1);
});
