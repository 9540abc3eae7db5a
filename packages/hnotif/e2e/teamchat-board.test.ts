import { describe, expect, it } from 'vitest';
import { manualRetry, retry } from '../../core/src/lifecycle/operator.ts';
import { asked } from './support/command.ts';
import { ALL } from '../../lab/src/nights.ts';
import { Chat, heading, shown, story } from './support/teamchat.ts';
import { NAMESPACE } from './support/world.ts';

const QUIET_MS = 15 * 60_000;

/** A world with a board and some plans of one target. */
const withBoard = (plans: readonly string[], config: object = {}, onEvents = ALL): Promise<Chat> =>
  Chat.start({
    sinks: { board: { delivery_mode: 'board', ...config } },
    onEvents,
    prepare: async (world) => {
      for (const name of plans) await world.plan(name, ['db'], { spec: { behavior: { retries: 0 } } });
    },
  });

/** The board, when it shows this text. */
async function board(chat: Chat, wanted: RegExp | string) {
  chat.clock.turn(3_000);
  return chat.shows(wanted, 'board');
}

describe('a board', () => {
  it('is one message for the night of all plans; it shows failed plans first, with their error', async () => {
    const chat = await withBoard(['orders', 'payments', 'search']);
    // The first phase of a plan belongs to no night.
    await chat.world.plan('fresh', ['db']);
    for (const plan of ['orders', 'payments', 'search']) await chat.world.team().begins(plan);
    await chat.world.team().succeeds('search');
    await chat.world.team().fails('payments', 'no capacity');
    const message = await board(chat, /1 of 3 asleep · 1 running · 1 failed/);
    expect(chat.in('board')).toHaveLength(1);
    expect(heading(message)).toBe('Hibernation of 3 Plans in Progress');
    expect(shown(message).split('\n')).toEqual(
      expect.arrayContaining([
        '[███░░░░░░░] 1 of 3 asleep · 1 running · 1 failed',
        ':x: payments 0 of 1 target, 1 failed — db: no capacity',
        ':hourglass_flowing_sand: orders 0 of 1 target',
        ':white_check_mark: 1 asleep: search',
      ]),
    );
    await chat.world.team().succeeds('orders');
    await board(chat, /2 of 3 asleep · 1 failed/);
    // 3 starts, 3 phase changes; progress, end and phase change of two plans; progress, failure and phase change of one.
    await expect
      .poll(() => chat.controller.totals())
      .toEqual({ delivered: 15, failed: 0, dropped: 0, suppressed: 1 });
    await chat.stop();
    expect(chat.in('board')).toHaveLength(1);
  });

  it('replies to failures and recoveries alone', async () => {
    const chat = await withBoard(['orders', 'payments']);
    for (const plan of ['orders', 'payments']) await chat.world.team().begins(plan);
    await chat.world.team().fails('payments', 'no capacity');
    await chat.world.write('payments', manualRetry);
    await chat.world.write('payments', retry);
    await chat.world.team().succeeds('payments');
    await chat.world.team().succeeds('orders');
    const message = await board(chat, /2 of 2 asleep/);
    await chat.stop();
    expect(message.replies.map(heading)).toEqual(['Hibernation Failed', 'Hibernation Retrying (attempt 1)']);
  });

  it('announces the end of the night when nothing has started for board_quiet; the next Start opens another board', async () => {
    const chat = await withBoard(['orders', 'payments'], { board_quiet: 30 });
    for (const plan of ['orders', 'payments']) await chat.world.team().begins(plan);
    await chat.world.team().succeeds('orders');
    await chat.world.team().succeeds('payments');
    await board(chat, /2 of 2 asleep/);
    chat.clock.turn(QUIET_MS);
    expect(heading(await board(chat, /2 of 2 asleep/))).toBe('Hibernation of 2 Plans in Progress');
    chat.clock.turn(QUIET_MS);
    const night = await board(chat, 'Hibernation of 2 Plans Completed');
    await chat.receiver.waitFor(() => chat.in('board')[0]?.replies.length === 1);
    expect(chat.in('board')[0]?.replies.map(heading)).toEqual([
      expect.stringMatching(/^Hibernation of 2 Plans Completed/),
    ]);
    expect(story(night, heading).at(-1)).toBe('Hibernation of 2 Plans Completed');
    chat.world.now = () => Date.now() + 3 * QUIET_MS;
    await chat.world.team().begins('orders', { operation: 'wakeup' });
    await board(chat, 'Wake-Up of 1 Plan in Progress');
    await chat.world.team().begins('payments', { operation: 'shutdown', cycle: 'c2' });
    await board(chat, /Hibernation of 1 Plan in Progress/);
    expect(chat.in('board')).toHaveLength(3);
    await chat.stop();
  });

  it('continues after a restart with all its plans, in the same message', async () => {
    const chat = await withBoard(['orders', 'payments', 'search']);
    for (const plan of ['orders', 'payments', 'search']) await chat.world.team().begins(plan);
    await chat.world.team().succeeds('orders');
    await board(chat, /1 of 3 asleep · 2 running/);
    await chat.controller.stop();
    await chat.world.team().succeeds('search');
    await chat.begin();
    chat.clock.turn(10_000);
    await board(chat, /2 of 3 asleep · 1 running/);
    await chat.world.team().succeeds('payments');
    await board(chat, /3 of 3 asleep/);
    await chat.stop();
    const [{ ts } = { ts: '' }, ...others] = chat.in('board');
    expect(others).toEqual([]);
    // Each question names the message that shows the event.
    const words = `shown by message ${ts} in C0BOARD, the board of the shutdown that began`;
    for (const question of ['why', 'trace'])
      expect((await asked(chat.world, question, 'search', `--namespace=${NAMESPACE}`)).out).toContainEqual(
        expect.stringMatching(new RegExp(`Success .*delivered.*${words} \\d{4}-.*Z$`)),
      );
  });
});
