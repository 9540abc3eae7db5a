import type { TeamchatMessage, TeamchatReceiver, TeamchatRecord, TokenSettings } from '@hnotif/receivers';
import { expect } from 'vitest';
import type { Controller } from '../../src/controller/controller.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import { ALL } from '../../../lab/src/nights.ts';
import { PLENTY } from '../../../lab/src/objects.ts';
import { channelOf, shown, sinksOf } from './teamchat.ts';
import { TurnedClock } from '../../../lab/src/turned-clock.ts';
import { World } from './world.ts';

/** The present text of a message, or an earlier one. */
export type Said = Pick<TeamchatMessage, 'text' | 'blocks'>;

export { PLENTY };

export interface ThreadSetting {
  /** Configurations by sink; the fields of thread mode are added. Default: one, `thread`. */
  readonly sinks?: Readonly<Record<string, object>>;
  /** Templates by sink. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly onEvents?: readonly string[];
  readonly token?: TokenSettings;
  /** Options of each controller. */
  readonly options?: Partial<ControllerOptions>;
  /** Objects that exist before the controller starts. Default: the plan `orders` with `db` and `vm`. */
  readonly prepare?: (world: World) => Promise<unknown>;
}

/** A world whose notification `n` has these teamchat sinks in thread mode. Each has a bot and a channel. */
export class ThreadChat {
  readonly world: World;
  readonly receiver: TeamchatReceiver;
  readonly clock = new TurnedClock();
  readonly #options: Partial<ControllerOptions>;
  #controller: Controller | undefined;

  private constructor(world: World, receiver: TeamchatReceiver, options: Partial<ControllerOptions>) {
    this.world = world;
    this.receiver = receiver;
    this.#options = options;
  }

  static async start(setting: ThreadSetting = {}): Promise<ThreadChat> {
    const { sinks = { thread: {} }, templates = {}, onEvents = ALL, token = {}, prepare = orders } = setting;
    const world = await World.start();
    const names = Object.keys(sinks);
    const receiver = await world.teamchat({
      channels: names.map((name) => ({ id: channelOf(name), name })),
      tokens: Object.fromEntries(names.map((name) => [tokenOf(name), token])),
    });
    for (const [name, config] of Object.entries(sinks)) {
      const bot = { bot_token: tokenOf(name), channel_id: channelOf(name) };
      await world.configure(name, { delivery_mode: 'thread', ...bot, rate_limit: PLENTY, ...config });
    }
    await world.templates('texts', templates);
    await world.notification('n', {
      onEvents,
      sinks: sinksOf('teamchat', names, templates),
    });
    await prepare(world);
    const chat = new ThreadChat(world, receiver, setting.options ?? {});
    await chat.begin();
    // There was no earlier process with late requests.
    chat.clock.turn(10_000);
    return chat;
  }

  get controller(): Controller {
    if (this.#controller === undefined) throw new Error('no controller was started');
    return this.#controller;
  }

  /** Starts a controller without the memory of the earlier ones. */
  async begin(): Promise<void> {
    this.#controller = await this.world.synced({ clock: this.clock, ...this.#options });
  }

  /** The present roots in a sink's channel, oldest first. */
  roots(sink = 'thread'): readonly TeamchatMessage[] {
    return this.receiver.channel(channelOf(sink)).messages;
  }

  /** Resolves with a sink's roots when there is one for each count, with this number of replies. */
  async threads(counts: readonly number[], sink = 'thread'): Promise<readonly TeamchatMessage[]> {
    const roots = await this.receiver.waitFor(() => {
      const found = this.roots(sink);
      return counts.every((count, index) => (found[index]?.replies.length ?? -1) >= count) && found;
    });
    expect(roots.map(({ replies }) => replies.length)).toEqual(counts);
    return roots;
  }

  /** The newest root of a sink when it shows all these texts, after the time in which updates are collected. */
  shows(wanted: RegExp | string | readonly RegExp[], sink = 'thread'): Promise<TeamchatMessage> {
    this.clock.turn(1_000);
    const all = [wanted].flat();
    return this.receiver.waitFor(() => {
      const root = this.roots(sink).at(-1);
      if (root === undefined) return false;
      const text = shown(root);
      return all.every((each) => (typeof each === 'string' ? text.includes(each) : each.test(text))) && root;
    });
  }

  /** Waits for `delivered` events and then this number of milliseconds, in which a request in flight would end. */
  async pass(ms: number, delivered: number): Promise<void> {
    await expect.poll(() => this.controller.totals().delivered).toBe(delivered);
    this.clock.turn(ms);
  }

  /** The requests of a method. */
  calls(method: string): readonly TeamchatRecord[] {
    return this.receiver.records.filter(({ call }) => call === method);
  }

  /** Stops the controller when everything is sent, also roots. The chat must have accepted all requests. */
  async stop(): Promise<void> {
    await this.controller.stop();
    expect(this.receiver.records.flatMap(({ error, errors }) => [error ?? [], errors].flat())).toEqual([]);
  }

  /** The message of the `Ready` condition, when it contains this text. */
  async told(wanted: RegExp): Promise<string> {
    const { conditions } = await this.world.status('n', (status) =>
      wanted.test(status.conditions?.[0]?.message ?? ''),
    );
    return conditions?.[0]?.message ?? '';
  }
}

const orders = (world: World): Promise<unknown> => world.plan('orders', ['db', 'vm']);

export { channelOf };
export const tokenOf = (sink: string): string => `xoxb-canary-${sink}`;

/** The first line of a message, without the emoji and without the plan. */
export const heading = (message: Said): string =>
  (shown(message).split('\n')[0] ?? '').replace(/^:[a-z_]+: /, '').replace(/ — \S+( in \S+)?$/, '');

/** The texts of a root since it was posted, one line for each change. */
export const story = <T>(root: TeamchatMessage, of: (said: Said) => T): T[] =>
  [...root.edits, root].map(of).filter((said, index, all) => said !== all[index - 1]);

/** The bar of a root; `''` without one. */
export const barOf = (root: Said): string => /\[[█░]*\] \d+\/\d+/.exec(shown(root))?.[0] ?? '';
