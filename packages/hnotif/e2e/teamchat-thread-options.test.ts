import { expect, it } from 'vitest';
import { begin, fail, poll, succeed } from '@hnotif/core/lifecycle';
import { command } from './support/command.ts';
import { notificationObject, secretObject } from '../../lab/src/objects.ts';
import { channelOf, Chat, heading } from './support/teamchat.ts';

const TARGETS = [{ name: 'db', type: 'rds' }];

const start = (chat: Chat, cycle: string): Promise<unknown> =>
  chat.world.write('orders', (status, at) => begin(status, 'shutdown', cycle, TARGETS, at));

it('the channel shows the replies of the events in broadcast, too', async () => {
  const chat = await Chat.start({
    onEvents: ['Start', 'Failure'],
    sinks: { thread: { broadcast: ['Failure'] } },
  });
  await start(chat, 'c1');
  await chat.threads([1]);
  await chat.world.write('orders', (status, at) => fail({ ...status, retryCount: 3 }, 'no capacity', at));
  // The root, and the reply that is in its thread, too.
  const [root, shown] = await chat.threads([2, 0]);
  await chat.stop();
  expect(shown).toMatchObject({ threadTs: root?.ts, broadcast: true });
  expect(root?.replies.map(({ broadcast }) => broadcast)).toEqual([false, true]);
  expect(heading(shown!)).toMatch(/^Hibernation Failed/);
  expect(chat.calls('chat.postMessage').map(({ params }) => params.reply_broadcast)).toEqual([
    undefined,
    undefined,
    true,
  ]);
});

it('after a restart a channel that is configured by its name is searched by its ID', async () => {
  const chat = await Chat.start({
    onEvents: ['Start', 'Success'],
    sinks: { thread: { channel_id: '#thread' } },
  });
  await start(chat, 'c1');
  await chat.threads([1]);
  await chat.stop();
  await chat.begin();
  // The stored root of the first cycle says which channel it is.
  await chat.world.write('orders', (status, at) => poll(status, [{ target: 'db', state: 'Completed' }], at));
  await chat.world.write('orders', succeed);
  await chat.threads([2]);
  // The answer to the next root is lost: it is looked for.
  chat.receiver.faults.add({
    match: { call: 'chat.postMessage', nth: 1 },
    fault: { kind: 'reset-after-accept' },
  });
  await start(chat, 'c2');
  const turn = chat.clock.everRarer(5_000);
  await expect
    .poll(() => {
      turn();
      return chat.in()[1]?.replies.length;
    })
    .toBe(1);
  await chat.stop();
  expect(chat.in()).toHaveLength(2);
  const reads = chat.calls('conversations.history');
  expect(new Set(reads.map(({ params }) => params.channel))).toEqual(new Set([channelOf('thread')]));
  expect(chat.calls('chat.postMessage').map(({ params }) => params.channel)).toEqual([
    '#thread',
    channelOf('thread'),
    channelOf('thread'),
    '#thread',
    channelOf('thread'),
  ]);
});

it('validate says that an ID is better than a name', async () => {
  const config = { delivery_mode: 'thread', bot_token: 'xoxb-canary', channel_id: '#ops' };
  const items = [
    notificationObject('n', { onEvents: ['Start'], sinks: [{ name: 's', type: 'teamchat' }] }),
    secretObject('s', JSON.stringify(config)),
  ];
  const { exit, out } = await command(
    ['validate', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  );
  expect(exit).toBe(0);
  expect(out.join('\n')).toMatch(
    /channel_id: is not an ID but, it seems, the name of a channel; the ID \(C…\) is better/,
  );
});
