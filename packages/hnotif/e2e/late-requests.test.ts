import { describe, expect, it } from 'vitest';
import { begin, poll, succeed } from '@hnotif/core/lifecycle';
import { Chat, heading, shown } from './support/teamchat.ts';
import type { World } from './support/world.ts';

const TARGETS = [
  { name: 'db', type: 'rds' },
  { name: 'vm', type: 'ec2' },
];
/** A request has ended by then, whatever became of its sender (milliseconds). */
const REQUEST_MS = 10_000;

const hibernate = ({ world }: Chat, plan = 'orders'): Promise<unknown> =>
  world.write(plan, (status, at) => begin(status, 'shutdown', 'c1', TARGETS, at));

async function finish({ world }: Chat, plan = 'orders'): Promise<void> {
  const done = TARGETS.map(({ name }) => ({ target: name, state: 'Completed' }) as const);
  await world.write(plan, (status, at) => poll(status, done, at));
  await world.write(plan, succeed);
}

const ROOT = {
  call: 'chat.postMessage',
  json: (body: unknown) => (body as { thread_ts?: string }).thread_ts === undefined,
};

/** Requests of this kind reach the chat, which does what they ask when the test releases it; resolves when the first has come. */
function late(chat: Chat, match: { readonly call: string }): Promise<unknown> {
  chat.receiver.faults.add({ match, fault: { kind: 'late' }, times: 1 });
  return chat.receiver.waitFor((records) => records.some(({ answered }) => answered.fault === 'late'));
}

/** The controller ends at once, with its requests under way, and another one begins. */
async function handOver(chat: Chat): Promise<void> {
  await chat.controller.stop(AbortSignal.abort());
  await chat.begin();
}

/** A whole night of another plan, told by this process alone: its thread and its card wait for nothing. */
async function anotherNight(chat: Chat): Promise<void> {
  await hibernate(chat, 'second');
  await finish(chat, 'second');
  await chat.receiver.waitFor(() =>
    chat
      .in()
      .some((root) => shown(root).includes('Plan: second') && heading(root) === 'Hibernation Completed'),
  );
}

/** All that the chat was late with is done, and time goes on until the requests of a former process must have ended. */
function land(chat: Chat): void {
  expect(chat.receiver.release()).toBe(1);
  chat.clock.turn(REQUEST_MS);
}

/** What stands in the channel in the end: a root for each plan, with its heading. */
async function endOf(chat: Chat): Promise<readonly string[]> {
  await chat.receiver.waitFor(() =>
    chat.in().every((root) => heading(root) === 'Hibernation Completed' && root.replies.length === 6),
  );
  await chat.stop();
  return chat.in().map((root) => `${/Plan: (\w+)/.exec(shown(root))?.[1] ?? ''}: ${heading(root)}`);
}

const BOTH = ['orders: Hibernation Completed', 'second: Hibernation Completed'];

const twoPlans = {
  prepare: async (world: World) => {
    for (const plan of ['orders', 'second']) await world.plan(plan, ['db', 'vm']);
  },
};

/** A night has begun, and the chat holds an update of its card. */
async function withLateUpdate(): Promise<Chat> {
  const chat = await Chat.start(twoPlans);
  await hibernate(chat);
  await chat.threads([2]);
  const held = late(chat, { call: 'chat.update' });
  chat.clock.turn(1_000);
  await held;
  return chat;
}

describe('a late request of the former process', () => {
  it('moves no card back: replies are sent at once, the card follows when that request must have ended', async () => {
    const chat = await withLateUpdate();
    await handOver(chat);
    await finish(chat);
    await chat.threads([6]);
    await anotherNight(chat);
    land(chat);
    expect(await endOf(chat)).toEqual(BOTH);
  });

  it('moves no card back that is repaired at the start because its night is over', async () => {
    const chat = await withLateUpdate();
    await finish(chat);
    await chat.threads([6]);
    await handOver(chat);
    await anotherNight(chat);
    land(chat);
    expect(await endOf(chat)).toEqual(BOTH);
  });

  it('makes no second root: the root is found', async () => {
    const chat = await Chat.start(twoPlans);
    const held = late(chat, ROOT);
    await hibernate(chat);
    await held;
    await handOver(chat);
    await anotherNight(chat);
    land(chat);
    await finish(chat);
    expect(await endOf(chat)).toHaveLength(2);
  });
});
