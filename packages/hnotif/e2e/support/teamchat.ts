import type { TeamchatMessage, TeamchatReceiver } from '@hnotif/receivers';
import { expect } from 'vitest';
import type { Controller } from '../../src/controller/controller.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import type { Totals } from '../../src/controller/delivery-reporter.ts';
import type { SinkType } from '@hnotif/core/resources';
import { ALL, provider } from '../../../lab/src/nights.ts';
import { seenInTeamchat } from '../../../lab/src/scenarios/fuzz/content.ts';
import { metricsOf, World, type SinkSpec } from './world.ts';

export interface ChatSetting {
  /** Configurations by sink; `webhook_url` is added. The name of a sink is lower case letters and digits. */
  readonly sinks: Readonly<Record<string, object>>;
  /** Templates by sink. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly onEvents?: readonly string[];
  /** Objects that exist before the controller starts: a later plan would begin with a PhaseChange. */
  readonly prepare?: (world: World) => Promise<unknown>;
  readonly options?: Partial<ControllerOptions>;
}

/** A world whose notification `chat` has these teamchat sinks. Each has a webhook and a channel. */
export class Chat {
  readonly world: World;
  readonly receiver: TeamchatReceiver;
  readonly controller: Controller;

  private constructor(world: World, receiver: TeamchatReceiver, controller: Controller) {
    this.world = world;
    this.receiver = receiver;
    this.controller = controller;
  }

  static async start(setting: ChatSetting): Promise<Chat> {
    const { sinks, templates = {}, onEvents = ALL, prepare, options } = setting;
    const world = await World.start();
    const names = Object.keys(sinks);
    const receiver = await world.teamchat({
      channels: names.map((name) => ({ id: channelOf(name), name })),
      webhooks: Object.fromEntries(names.map((name) => [pathOf(name), { channel: channelOf(name) }])),
    });
    for (const [name, config] of Object.entries(sinks))
      await world.configure(name, { webhook_url: receiver.webhookUrl(pathOf(name)), ...config });
    await world.templates('texts', templates);
    await world.notification('chat', {
      onEvents,
      sinks: sinksOf('teamchat', names, templates),
    });
    await provider(world);
    await prepare?.(world);
    return new Chat(world, receiver, await world.synced(options));
  }

  /** The present messages in a sink's channel. */
  in(sink: string): readonly TeamchatMessage[] {
    return this.receiver.channel(channelOf(sink)).messages;
  }

  /** Resolves with the messages in a sink's channel when there are `count`. The chat must have accepted all requests. */
  async posted(sink: string, count: number): Promise<readonly TeamchatMessage[]> {
    const messages = await this.receiver.waitFor(() => this.in(sink).length >= count && this.in(sink));
    expect(this.receiver.records.flatMap(({ error, errors }) => [error ?? [], errors].flat())).toEqual([]);
    expect(messages).toHaveLength(count);
    return messages;
  }

  /** The only message of a sink. */
  async only(sink: string): Promise<TeamchatMessage> {
    const [message] = await this.posted(sink, 1);
    if (message === undefined) throw new Error('nothing arrived');
    return message;
  }

  /** Resolves when this number of deliveries has this outcome. */
  async settled(totals: Partial<Totals>): Promise<void> {
    await expect.poll(() => this.controller.totals()).toMatchObject(totals);
  }

  /** The message of the `Ready` condition, when it reports degradations. */
  async degraded(sink: string): Promise<string> {
    const tells = new RegExp(`sink ${sink}: [^;]*template`);
    const { conditions } = await this.world.status(
      'chat',
      ({ conditions }) => conditions?.[0]?.reason === 'MessagesDegraded' && tells.test(conditions[0].message),
    );
    return conditions?.[0]?.message ?? '';
  }

  /** The value of a metric, summed over all its labels; 0 without a series. */
  async metric(name: string): Promise<number> {
    const text = await metricsOf(this.controller);
    return text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
}

export const pathOf = (sink: string): string => `/services/T0HNOTIF/B0HOOK/hook-${sink}`;
export const channelOf = (sink: string): string => `C0${sink.toUpperCase()}`;

/** Sinks of a type, some with templates of the config map `texts`. */
export const sinksOf = (type: SinkType, names: readonly string[], templates: object): SinkSpec[] =>
  names.map((name) => ({
    ...{ name, type },
    ...(Object.hasOwn(templates, name) && { templateRef: { name: 'texts', key: name } }),
  }));

/** The text that a reader sees, by line: without emphasis, and with the fallback of date tokens. */
export const shown = ({ text, blocks }: Pick<TeamchatMessage, 'text' | 'blocks'>): string =>
  seenInTeamchat(blocks.length === 0 ? { text } : { blocks }).replace(/\*([^*\n]+)\*/g, '$1');
