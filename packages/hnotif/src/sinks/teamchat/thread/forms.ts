import { builtinMessage, plainMessage } from '../message.ts';
import type { TeamchatConfig } from '../types.ts';
import { blocksCard, plainCard, textCard } from './card.ts';
import type { ChannelClient } from './channel-client.ts';

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
