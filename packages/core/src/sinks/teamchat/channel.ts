import { chatMessage } from '../chat-message.ts';
import type { SinkSettings } from '../deps.ts';
import { credentialsOfAddress } from '../hook-answers.ts';
import { sinkRates } from '../rate.ts';
import { FALLBACK_LEVELS, type Protocol, sender } from '../send.ts';
import type { ReadySink } from '../sink.ts';
import { formsOf } from './message.ts';
import { degradationOfWebhook, outcomeOfWebhookAnswer } from './outcomes.ts';
import { suppresses } from './suppress.ts';
import type { TeamchatConfig } from './types.ts';

/** A teamchat sink in channel mode, with what channel mode is configured by. */
export type ChannelConfig = TeamchatConfig & {
  readonly mode: Extract<TeamchatConfig['mode'], { kind: 'channel' }>;
};

/**
 * An incoming webhook: each event is a message.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export function channelSink(config: ChannelConfig, settings: SinkSettings): ReadySink {
  const { clock, version, templates } = settings;
  const url = new URL(config.mode.webhookUrl.reveal());
  const headers = {
    accept: '*/*',
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `hnotif/${version}`,
  };

  const forms = formsOf(config);
  const protocol: Protocol = {
    url,
    credentials: credentialsOfAddress(url),
    headers: () => headers,
    makeMessage: (delivery, level, signal) =>
      chatMessage(forms, { sinkType: 'teamchat', templates }, delivery, level, signal),
    outcomeOf: (answer, { level }) =>
      outcomeOfWebhookAnswer(answer, {
        secrets: protocol.credentials,
        now: clock.now(),
        templated: level === FALLBACK_LEVELS.custom,
      }),
    degradationOf: (answer) => degradationOfWebhook(answer, { secrets: protocol.credentials }),
  };

  return {
    origin: url.origin,
    // All sinks with this webhook share what the chat allows it.
    rates: sinkRates('teamchat', settings.address, config.rate, url.href),
    ignoresTemplate: undefined,
    suppresses: (event) => suppresses(event, config),
    coalescesProgress: config.coalesceProgress,
    rehearse: (delivery, signal) => protocol.makeMessage(delivery, FALLBACK_LEVELS.custom, signal),
    deliver: sender(protocol, settings),
  };
}
