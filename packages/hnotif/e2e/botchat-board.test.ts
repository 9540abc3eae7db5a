import type { BotchatMessage, BotchatReceiver } from '@hnotif/receivers';
import { expect, it } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import { ALL } from '../../lab/src/nights.ts';
import { PLENTY } from '../../lab/src/objects.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { metricsOf, World } from './support/world.ts';

/** A person's chat has no limit of messages a minute. */
const CHAT = 1_001;
const QUIET_MS = 15 * 60_000;

/** A world with a board in Telegram, and some plans of one target. */
class BotBoard {
  readonly clock = new TurnedClock();
  readonly world: World;
  readonly receiver: BotchatReceiver;
  #controller: Controller | undefined;

  private constructor(world: World, receiver: BotchatReceiver) {
    this.world = world;
    this.receiver = receiver;
  }

  static async start(plans: readonly string[], config: object = {}): Promise<BotBoard> {
    const world = await World.start();
    const receiver = await world.botchat();
    const bot = { token: '123456:canary-bot-token', chat_id: CHAT, rate_limit: PLENTY };
    await world.configure('board', { delivery_mode: 'board', ...bot, ...config });
    await world.notification('n', { onEvents: ALL, sinks: [{ name: 'board', type: 'botchat' }] });
    for (const name of plans) await world.plan(name, ['db'], { spec: { behavior: { retries: 0 } } });
    const board = new BotBoard(world, receiver);
    await board.begin();
    return board;
  }

  get controller(): Controller {
    if (this.#controller === undefined) throw new Error('no controller was started');
    return this.#controller;
  }

  /** Starts a controller without the memory of the earlier ones. */
  async begin(): Promise<void> {
    this.#controller = await this.world.synced({ clock: this.clock });
    // Late requests of an earlier process have arrived.
    this.clock.turn(10_000);
  }

  get messages(): readonly BotchatMessage[] {
    return this.receiver.chat(CHAT).messages;
  }

  get replies(): readonly BotchatMessage[] {
    return this.messages.filter(({ replyTo }) => replyTo !== undefined);
  }

  get boards(): readonly BotchatMessage[] {
    return this.messages.filter(({ replyTo }) => replyTo === undefined);
  }

  /** The newest board, when it shows this text, after the time in which updates are collected: less than the time limit of a request. */
  async shows(wanted: string): Promise<BotchatMessage> {
    this.clock.turn(3_000);
    return this.receiver.waitFor(() => {
      const board = this.boards.at(-1);
      return board?.text.includes(wanted) === true && board;
    });
  }

  /** What the chat found wrong with requests. */
  get refusals(): readonly string[] {
    return this.receiver.records.flatMap(({ refusal }) => refusal?.description ?? []);
  }
}

it('is one silent message for the night of all plans; a failure and the end are replies', async () => {
  const board = await BotBoard.start(['orders', 'payments', 'search']);
  const { world, clock } = board;
  for (const plan of ['orders', 'payments', 'search']) await world.team().begins(plan);
  await world.team().succeeds('search');
  await world.team().fails('payments', 'no capacity');
  const message = await board.shows('1 of 3 asleep · 1 running · 1 failed');
  expect(message.text.split('\n')).toEqual(
    expect.arrayContaining([
      '⚠️ Hibernation of 3 Plans in Progress',
      '[███░░░░░░░] 1 of 3 asleep · 1 running · 1 failed',
      '❌ payments 0 of 1 target, 1 failed — db: no capacity',
      '⏳ orders 0 of 1 target',
      '✅ 1 asleep: search',
    ]),
  );
  await world.team().succeeds('orders');
  await board.shows('2 of 3 asleep · 1 failed');
  await expect
    .poll(() => board.controller.totals())
    .toEqual({ delivered: 15, failed: 0, dropped: 0, suppressed: 0 });
  clock.turn(QUIET_MS);
  await board.shows('Hibernation of 3 Plans, 1 Failed');
  await board.receiver.waitFor(() => board.replies.length === 2);
  await board.controller.stop();
  const { message_id, silent } = board.boards[0]!;
  expect(silent).toBe(true);
  expect(
    board.replies.map(({ text, replyTo, silent: quiet }) => [
      text.split('\n')[0],
      replyTo?.message_id,
      quiet,
    ]),
  ).toEqual([
    ['❌ Hibernation Failed', message_id, undefined],
    [
      expect.stringMatching(/^❌ Hibernation of 3 Plans, 1 Failed · 2 of 3 asleep · 1 failed/),
      message_id,
      undefined,
    ],
  ]);
  expect(board.boards).toHaveLength(1);
  expect(board.refusals).toEqual([]);
});

it('continues after a restart with all its plans, in the same message; a deleted one is sent again, and that is told', async () => {
  const board = await BotBoard.start(['orders', 'payments']);
  const { world, receiver } = board;
  for (const plan of ['orders', 'payments']) await world.team().begins(plan);
  const { message_id } = await board.shows('0 of 2 asleep · 2 running');
  await board.controller.stop();
  await world.team().succeeds('orders');
  await board.begin();
  expect(await board.shows('1 of 2 asleep · 1 running')).toMatchObject({ message_id });
  expect(board.messages).toHaveLength(1);
  receiver.deleteMessage(CHAT, message_id);
  await world.team().succeeds('payments');
  expect((await board.shows('2 of 2 asleep')).message_id).not.toBe(message_id);
  expect(board.messages).toHaveLength(1);
  await expect
    .poll(() => metricsOf(board.controller))
    .toMatch(/^hnotif_messages_degraded_total\{[^}]*reason="RootReplaced"[^}]*\} 1$/m);
  await board.controller.stop();
  // The second process may have repeated an update of the first one.
  expect(board.refusals.filter((each) => !each.includes('message is not modified'))).toEqual([
    'Bad Request: message to edit not found',
  ]);
});
