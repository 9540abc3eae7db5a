import type { TeamchatMessage, TeamchatReceiver, TeamchatRecord, TokenSettings } from '@hnotif/receivers';
import { expect } from 'vitest';
import type { Controller } from '../../src/controller/controller.ts';
import type { Totals } from '../../src/controller/delivery-reporter.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import type { SinkType } from '@hnotif/core/resources';
import { ALL, provider } from '../../../lab/src/nights.ts';
import { PLENTY } from '../../../lab/src/objects.ts';
import { seenInTeamchat } from '../../../lab/src/scenarios/fuzz/content.ts';
import { TurnedClock } from '../../../lab/src/turned-clock.ts';
import { metricsOf, World, type SinkSpec } from './world.ts';

/** The present text of a message, or an earlier one. */
export type Said = Pick<TeamchatMessage, 'text' | 'blocks'>;

export interface ChatSetting {
  /** Configurations by sink. The name of a sink is lower case letters and digits. Default: one, `thread`. */
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

/** A world whose notification `n` has teamchat sinks. Each has a channel, and a bot or a webhook. */
export class Chat {
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

  /** With bots, in thread mode if `sinks` do not say otherwise. */
  static async start(setting: ChatSetting = {}): Promise<Chat> {
    const config = (name: string): object => ({
      ...{ delivery_mode: 'thread', bot_token: tokenOf(name), channel_id: channelOf(name) },
      rate_limit: PLENTY,
    });
    const chat = await Chat.#made(setting, config);
    // There was no earlier process with late requests.
    chat.clock.turn(10_000);
    return chat;
  }

  /** With webhooks. */
  static withHooks({ prepare, ...setting }: ChatSetting): Promise<Chat> {
    const prepared = (world: World): Promise<unknown> => provider(world).then(() => prepare?.(world));
    return Chat.#made({ ...setting, prepare: prepared }, (name, receiver) => ({
      webhook_url: receiver.webhookUrl(pathOf(name)),
    }));
  }

  static async #made(
    setting: ChatSetting,
    configOf: (sink: string, receiver: TeamchatReceiver) => object,
  ): Promise<Chat> {
    const { sinks = { thread: {} }, templates = {}, onEvents = ALL, token = {}, prepare = orders } = setting;
    const world = await World.start();
    const names = Object.keys(sinks);
    const receiver = await world.teamchat({
      channels: names.map((name) => ({ id: channelOf(name), name })),
      tokens: Object.fromEntries(names.map((name) => [tokenOf(name), token])),
      webhooks: Object.fromEntries(names.map((name) => [pathOf(name), { channel: channelOf(name) }])),
    });
    for (const [name, config] of Object.entries(sinks))
      await world.configure(name, { ...configOf(name, receiver), ...config });
    await world.templates('texts', templates);
    await world.notification('n', { onEvents, sinks: sinksOf('teamchat', names, templates) });
    await prepare(world);
    const chat = new Chat(world, receiver, setting.options ?? {});
    await chat.begin();
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

  /** The present messages in a sink's channel, without replies, oldest first. */
  in(sink = 'thread'): readonly TeamchatMessage[] {
    return this.receiver.channel(channelOf(sink)).messages;
  }

  /** Resolves with the messages in a sink's channel when there are `count`. The chat must have accepted all requests. */
  async posted(sink: string, count: number): Promise<readonly TeamchatMessage[]> {
    const messages = await this.receiver.waitFor(() => this.in(sink).length >= count && this.in(sink));
    this.#expectAccepted();
    expect(messages).toHaveLength(count);
    return messages;
  }

  /** The only message of a sink. */
  async only(sink: string): Promise<TeamchatMessage> {
    const [message] = await this.posted(sink, 1);
    if (message === undefined) throw new Error('nothing arrived');
    return message;
  }

  /** Resolves with a sink's roots when there is one for each count, with this number of replies. */
  async threads(counts: readonly number[], sink = 'thread'): Promise<readonly TeamchatMessage[]> {
    const roots = await this.receiver.waitFor(() => {
      const found = this.in(sink);
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
      const root = this.in(sink).at(-1);
      if (root === undefined) return false;
      const text = shown(root);
      return all.every((each) => (typeof each === 'string' ? text.includes(each) : each.test(text))) && root;
    });
  }

  /** Resolves when this number of deliveries has this outcome. */
  async settled(totals: Partial<Totals>): Promise<void> {
    await expect.poll(() => this.controller.totals()).toMatchObject(totals);
  }

  /** Waits for `delivered` events and then this number of milliseconds, in which a request in flight would end. */
  async pass(ms: number, delivered: number): Promise<void> {
    await this.settled({ delivered });
    this.clock.turn(ms);
  }

  /** The requests of a method. */
  calls(method: string): readonly TeamchatRecord[] {
    return this.receiver.records.filter(({ call }) => call === method);
  }

  /** Stops the controller when everything is sent, also roots. The chat must have accepted all requests. */
  async stop(): Promise<void> {
    await this.controller.stop();
    this.#expectAccepted();
  }

  /** The message of the first condition, when it contains this text and has this reason. */
  async told(wanted: RegExp, because = /./): Promise<string> {
    const { conditions } = await this.world.status('n', ({ conditions: [first] = [] }) => {
      return wanted.test(first?.message ?? '') && because.test(first?.reason ?? '');
    });
    return conditions?.[0]?.message ?? '';
  }

  /** The value of a metric, summed over all its labels; 0 without a series. */
  async metric(name: string): Promise<number> {
    return (await metricsOf(this.controller))
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  #expectAccepted(): void {
    expect(this.receiver.records.flatMap(({ error, errors }) => [error ?? [], errors].flat())).toEqual([]);
  }
}

const orders = (world: World): Promise<unknown> => world.plan('orders', ['db', 'vm']);

export const pathOf = (sink: string): string => `/services/T0HNOTIF/B0HOOK/hook-${sink}`;
export const channelOf = (sink: string): string => `C0${sink.toUpperCase()}`;
export const tokenOf = (sink: string): string => `xoxb-canary-${sink}`;

/** Sinks of a type, some with templates of the config map `texts`. */
export const sinksOf = (type: SinkType, names: readonly string[], templates: object): SinkSpec[] =>
  names.map((name) => ({
    ...{ name, type },
    ...(Object.hasOwn(templates, name) && { templateRef: { name: 'texts', key: name } }),
  }));

/** The text that a reader sees, by line: without emphasis, and with the fallback of date tokens. */
export const shown = ({ text, blocks }: Said): string =>
  seenInTeamchat(blocks.length === 0 ? { text } : { blocks }).replace(/\*([^*\n]+)\*/g, '$1');

/** The first line of a message, without the emoji and without the plan. */
export const heading = (message: Said): string =>
  (shown(message).split('\n')[0] ?? '').replace(/^:[a-z_]+: /, '').replace(/ — \S+( in \S+)?$/, '');

/** The texts of a root since it was posted, one line for each change. */
export const story = <T>(root: TeamchatMessage, of: (said: Said) => T): T[] =>
  [...root.edits, root].map(of).filter((said, index, all) => said !== all[index - 1]);

/** The bar of a root; `''` without one. */
export const barOf = (root: Said): string => /\[[█░]*\] \d+\/\d+/.exec(shown(root))?.[0] ?? '';
