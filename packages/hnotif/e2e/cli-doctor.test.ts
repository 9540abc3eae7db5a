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
    expect.stringMatching(/^failed {2}n\/hook: http:\/\/127\.0\.0\.1:1 takes no connection: ECONNREFUSED/),
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

it('an invalid address is reported like every other mistake, and a namespace without notifications, too', async () => {
  const world = await World.start();
  await world.secret('hook', { url: 'htp://audit example' });
  await world.notification('n', { onEvents: ['Start'], sinks: ['hook'] });
  const { exit, out, err } = await examined(world, 'notification/n');
  expect([exit, err]).toEqual([1, []]);
  expect(out).toContainEqual(
    expect.stringMatching(/^failed {2}n: Secret team-a\/hook: .* url: is not an absolute URL; write it like/),
  );
  const empty = await asked(world, 'doctor', '--namespace=nosuch');
  expect(empty.exit).toBe(1);
  expect(empty.out).toContainEqual(expect.stringMatching(/^failed {2}notifications: there are none; /));
});
