import type { SinkSettings } from '../../deps.ts';
import { sharedKey, sinkRates } from '../../rate.ts';
import type { TeamchatConfig } from '../types.ts';
import { webApi } from './api.ts';
import { formsOf, type ChannelClient } from './channel-client.ts';

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
  return {
    api: webApi(botToken, { ...settings, clock: threads.clock }),
    history: threads.history(sharedKey('teamchat', token, channelId), channelId),
    channel: channelId,
    ...{ broadcast, rates },
    updateRates: [...rates, { key: `${sharedKey('teamchat', token)}:chat.update`, ...UPDATE_RATE }],
    ...formsOf(config),
  };
}
