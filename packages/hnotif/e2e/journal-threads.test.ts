import type { TeamchatMessage, TeamchatReceiver } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import { ALONE, journalOf, pending, subscribed } from './support/journals.ts';
import { serving } from './support/process.ts';
import { shown } from './support/teamchat.ts';
import { collection } from '../../lab/src/objects.ts';
import { NAMESPACE, type World } from './support/world.ts';

const PLENTY = { rate: 1000, unit: 'second', burst: 1000 };
const CHANNEL = 'C0HIBERNATE';
/** Who takes over looks for roots, posts them and updates them only when the former process's requests must have ended. */
const CONFIG = {
  ...{ delivery_mode: 'thread', bot_token: 'xoxb-test', channel_id: CHANNEL, rate_limit: PLENTY },
};
const never = new Promise<never>(() => undefined);
/** The process that takes over; where it does not wait for what its predecessor may have sent late. */
const NEXT = { leaderElect: false, lateMs: 0 };
const RESOURCE = 'hibernatenotificationjournals';

/** A notification with a sink in thread mode, and the plan `orders`. */
async function threaded(): Promise<{ world: World; chat: TeamchatReceiver }> {
  const world = await subscribed({ name: 'thread', type: 'teamchat' });
  const chat = await world.teamchat();
  await world.configure('thread', CONFIG);
  return { world, chat };
}

const posts = { call: 'chat.postMessage' };
const roots = (chat: TeamchatReceiver): readonly TeamchatMessage[] => chat.channel(CHANNEL).messages;
const calls = (chat: TeamchatReceiver, from: number): string[] =>
  chat.records.slice(from).map(({ call }) => call ?? '');
const hung = (chat: TeamchatReceiver): Promise<unknown> =>
  chat.waitFor((records) => records.some(({ answered }) => answered.fault === 'hang'));
/** Resolves when the only root has so many replies. */
const told = (chat: TeamchatReceiver, count: number): Promise<unknown> =>
  chat.waitFor(() => (roots(chat)[0]?.replies.length ?? 0) >= count);
/** …shows that its night is over. */
const completed = (chat: TeamchatReceiver): Promise<unknown> =>
  chat.waitFor(() => shown(roots(chat)[0]!).includes('Completed'));
const replies = (root: TeamchatMessage | undefined): readonly string[] => (root?.replies ?? []).map(shown);

describe('a process that is killed between a root and its reply', () => {
  it.each([
    ['before the root is posted', false],
    ['after it was posted, before the answer', true],
  ])('%s: the next one makes no second root', async (_, accepted) => {
    const { world, chat } = await threaded();
    const run = await serving(world, ALONE);
    chat.faults.add({ match: posts, fault: { kind: 'hang', accepted }, times: 1 });
    await world.hibernate('orders');
    await hung(chat);
    await run.end('SIGKILL');
    await serving(world, ALONE);
    await pending(world, 'orders', 0);
    await world.succeeds('orders');
    await told(chat, 5);
    await pending(world, 'orders', 0);
    expect(roots(chat)).toHaveLength(1);
    expect(new Set(replies(roots(chat)[0])).size).toBe(5);
    expect(replies(roots(chat)[0])).toHaveLength(5);
  });

  it('after the answer, before its place is stored: the next one finds it again', async () => {
    const { world, chat } = await threaded();
    const run = await serving(world, ALONE);
    await journalOf(world, 'orders');
    // Its record is there before the answer is: from then on no journal is written.
    const posted = chat.waitFor(() => {
      if (roots(chat).length === 0) return false;
      world.cluster.faults.add({
        verb: 'patch',
        resource: RESOURCE,
        effect: { kind: 'delay', until: never },
      });
      return true;
    });
    await world.hibernate('orders');
    await posted;
    await expect.poll(() => world.cluster.faults.hits).toBe(1);
    expect(roots(chat)[0]?.replies).toEqual([]);
    await run.end('SIGKILL');
    world.cluster.faults.clear();
    await world.synced(NEXT);
    await pending(world, 'orders', 0);
    expect(roots(chat)).toHaveLength(1);
    expect(replies(roots(chat)[0])).toHaveLength(2);
  });

  it('after its place is stored: the history is not read, and a reply in flight is not repeated', async () => {
    const { world, chat } = await threaded();
    const run = await serving(world, ALONE);
    chat.faults.add({
      match: { ...posts, json: (body) => (body as { thread_ts?: string }).thread_ts !== undefined },
      fault: { kind: 'hang', accepted: true },
      times: 1,
    });
    await world.hibernate('orders');
    await hung(chat);
    await run.end('SIGKILL');
    const before = chat.records.length;
    await world.synced(NEXT);
    await pending(world, 'orders', 0);
    expect(roots(chat)).toHaveLength(1);
    expect(replies(roots(chat)[0])).toHaveLength(2);
    expect(calls(chat, before)).not.toContain('conversations.history');
    expect(calls(chat, before)).toContain('conversations.replies');
  });

  it('with nothing in flight: the night continues under its root, and the history is not read', async () => {
    const { world, chat } = await threaded();
    const run = await serving(world, ALONE);
    await world.hibernate('orders');
    await told(chat, 2);
    await pending(world, 'orders', 0);
    await run.end('SIGKILL');
    const before = chat.records.length;
    await world.synced(NEXT);
    await world.succeeds('orders');
    await told(chat, 5);
    await completed(chat);
    expect(roots(chat)).toHaveLength(1);
    expect(replies(roots(chat)[0])).toHaveLength(5);
    expect(new Set(calls(chat, before))).toEqual(new Set(['chat.postMessage', 'chat.update']));
  });
});

describe('a card that was not updated', () => {
  it('is repaired by the next event', async () => {
    const { world, chat } = await threaded();
    const run = await serving(world, ALONE);
    const stuck = chat.faults.add({ match: { call: 'chat.update' }, fault: { kind: 'hang' } });
    await world.hibernate('orders');
    await told(chat, 2);
    await pending(world, 'orders', 0);
    await run.end('SIGKILL');
    stuck();
    await world.synced(NEXT);
    await world.succeeds('orders');
    await completed(chat);
    expect(roots(chat)).toHaveLength(1);
  });

  /** Its process was killed when the night was over, and all had been told but for the card. */
  async function behind(): Promise<{ world: World; chat: TeamchatReceiver }> {
    const { world, chat } = await threaded();
    const run = await serving(world, ALONE);
    await world.hibernate('orders');
    await told(chat, 2);
    await pending(world, 'orders', 0);
    const stuck = chat.faults.add({ match: { call: 'chat.update' }, fault: { kind: 'hang' } });
    await world.succeeds('orders');
    await told(chat, 5);
    await pending(world, 'orders', 0);
    await run.end('SIGKILL');
    stuck();
    expect(shown(roots(chat)[0]!)).not.toContain('Completed');
    return { world, chat };
  }

  it('is repaired at the start if its night is over', async () => {
    const { world, chat } = await behind();
    await world.synced(NEXT);
    await completed(chat);
    expect(replies(roots(chat)[0])).toHaveLength(5);
  });

  it('is repaired when the secret exists, if it was missing at the start', async () => {
    const { world, chat } = await behind();
    await world.kube.delete(`${collection(NAMESPACE, 'secrets')}/thread`);
    await world.synced(NEXT);
    await world.status('n', ({ conditions = [] }) =>
      conditions.some(({ reason }) => reason === 'SecretMissing'),
    );
    await world.configure('thread', CONFIG);
    await completed(chat);
    expect(replies(roots(chat)[0])).toHaveLength(5);
  });
});
