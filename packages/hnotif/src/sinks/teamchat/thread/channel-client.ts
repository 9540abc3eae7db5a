import type { Source } from '../../../render/context.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import type { EventKind } from '../../../resources/kinds.ts';
import type { Rate } from '../../rate.ts';
import { builtinMessage, plainMessage } from '../message.ts';
import type { ChatMessage, TeamchatConfig } from '../types.ts';
import type { ChatApi } from './api.ts';
import { blocksCard, plainCard, textCard } from './card.ts';
import type { History } from './history.ts';
import type { Root } from './root.ts';

/** Forms of one message, each plainer than the one before. */
export type FallbackLevels<F> = readonly [F, ...F[]];

export const formAtLevel = <F>(forms: FallbackLevels<F>, level: number): F =>
  forms[level] ?? forms.at(-1) ?? forms[0];

export const isLastLevel = (forms: FallbackLevels<unknown>, level: number): boolean =>
  level >= forms.length - 1;

/** A sink's client of the chat. */
export interface ChannelClient {
  readonly api: ChatApi;
  readonly history: History;
  /** The configured channel. */
  readonly channel: string;
  /** Events whose replies the channel shows, too. */
  readonly broadcast: ReadonlySet<EventKind>;
  /** The buckets of all requests except updates. */
  readonly rates: readonly Rate[];
  readonly updateRates: readonly Rate[];
  readonly cards: FallbackLevels<(root: Root, plan: PlanView) => ChatMessage>;
  readonly replies: FallbackLevels<(source: Source) => ChatMessage>;
}

/** The forms of cards and replies: in the configured format, as text, without markup. */
export function formsOf(config: TeamchatConfig): Pick<ChannelClient, 'cards' | 'replies'> {
  const asText: TeamchatConfig = { ...config, format: 'text' };
  const text: Pick<ChannelClient, 'cards' | 'replies'> = {
    cards: [(root, plan) => textCard(root, plan, config), plainCard],
    replies: [(source) => builtinMessage(source, asText), plainMessage],
  };
  if (config.format === 'text') return text;
  return {
    cards: [(root, plan) => blocksCard(root, plan, config), ...text.cards],
    replies: [(source) => builtinMessage(source, config), ...text.replies],
  };
}
