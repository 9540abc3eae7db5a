import type { Source } from '../../../render/context.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import type { EventKind } from '../../../resources/kinds.ts';
import type { FallbackLevels } from '../../roots/levels.ts';
import type { Card, RootClient } from '../../roots/root-client.ts';
import { builtinMessage, plainMessage } from '../message.ts';
import type { ChatMessage, TeamchatConfig } from '../types.ts';
import type { ChatApi } from './api.ts';
import { blocksCard, plainCard, textCard } from './card.ts';
import type { History } from './history.ts';
import type { Root } from './root.ts';
import type { RunForms } from './run-state.ts';

/** A sink's client of the chat. */
export interface ChannelClient extends RootClient {
  readonly api: ChatApi;
  readonly history: History;
  /** Events whose replies the channel shows, too. */
  readonly broadcast: ReadonlySet<EventKind>;
  readonly cards: RunForms;
  readonly replies: Forms['replies'];
  readonly cardOf: (message: ChatMessage) => Card;
}

interface Forms {
  readonly cards: FallbackLevels<(root: Root, plan: PlanView) => ChatMessage>;
  readonly replies: FallbackLevels<(source: Source) => ChatMessage>;
}

/** The forms of cards and replies: in the configured format, as text, without markup. */
export function formsOf(config: TeamchatConfig): Forms {
  const asText: TeamchatConfig = { ...config, format: 'text' };
  const text: Forms = {
    cards: [(root, plan) => textCard(root, plan, config), plainCard],
    replies: [(source) => builtinMessage(source, asText), plainMessage],
  };
  if (config.format === 'text') return text;
  return {
    cards: [(root, plan) => blocksCard(root, plan, config), ...text.cards],
    replies: [(source) => builtinMessage(source, config), ...text.replies],
  };
}
