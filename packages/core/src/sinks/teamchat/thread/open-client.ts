import type { SinkSettings } from '../../deps.ts';
import { sharedKey, sinkRates } from '../../rate.ts';
import { mapLevels } from '../../roots/levels.ts';
import type { Card, RootMark } from '../../roots/root-client.ts';
import type { ChatMessage, TeamchatConfig } from '../types.ts';
import { webApi } from './api.ts';
import { formsOf, type ChannelClient } from './channel-client.ts';
import { markRoot, type Metadata, rootId, rootMarker } from './marker.ts';

/** Configurations with a bot's token. */
type BotMode = Exclude<TeamchatConfig['mode'], { kind: 'channel' }>;

/** chat.update is of tier 3: 50 a minute and more. https://docs.slack.dev/apis/web-api/rate-limits/ */
const UPDATE_RATE = { perSecond: 50 / 60, burst: 10 };

/** The client of a sink that posts with a bot's token. */
export function channelClient(
  config: TeamchatConfig & { readonly mode: BotMode },
  settings: SinkSettings,
): ChannelClient {
  const { threads, address } = settings;
  const { botToken, channelId, broadcast } = config.mode;
  const token = botToken.reveal();
  const rates = sinkRates('teamchat', address, config.rate, token, channelId);
  const api = webApi(botToken, { ...settings, clock: threads.clock });
  const history = threads.history(sharedKey('teamchat', token, channelId), channelId);
  const cardOf = (message: ChatMessage): Card => ({
    post: (to, mark, call) => api.post(message, to, mark && metadataOf(mark), call),
    update: (at, mark, call) => api.update(message, at, mark && metadataOf(mark), call),
  });
  const { cards, replies } = formsOf(config);
  return {
    ...{ api, history, broadcast, rates, replies, cardOf },
    origin: new URL(settings.chatApiUrl).origin,
    channel: channelId,
    get chat() {
      return history.channel;
    },
    set chat(name) {
      history.channel = name;
    },
    updateRates: [...rates, { key: `${sharedKey('teamchat', token)}:chat.update`, ...UPDATE_RATE }],
    cards: mapLevels(cards, (form) => (root, plan) => cardOf(form(root, plan))),
    search: (key, span, call) => history.search(rootMarker(rootId(key)), span, api, call),
    forget(key) {
      history.forget(rootMarker(rootId(key)));
    },
  };
}

const metadataOf = ({ key, status }: RootMark): Metadata => markRoot(rootId(key), status);
