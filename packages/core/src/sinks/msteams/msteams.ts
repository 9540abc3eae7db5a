import { ACCEPTED } from '@hnotif/judges';
import { judgeMessage, LIMITS } from '@hnotif/judges/msteams';
import { chatMessage, isBlank } from '../chat-message.ts';
import { emptyOutput, type SinkDefinition, sinkOf } from '../definition.ts';
import type { SinkSettings } from '../deps.ts';
import { credentialsOfAddress, outcomeOfHook } from '../hook-answers.ts';
import { isHtmlPage } from '../page.ts';
import { sinkRates } from '../rate.ts';
import { FALLBACK_LEVELS, type Protocol, sender } from '../send.ts';
import type { ReadySink } from '../sink.ts';
import { MSTEAMS_ANSWERS } from './answers.ts';
import type { TeamsMessage } from './card.ts';
import { MSTEAMS_CONFIG, type MsteamsConfig, readMsteamsConfig } from './config.ts';
import { customMessage, FORMS } from './message.ts';

/** A channel or a chat of Microsoft Teams, by a workflow. */
export const MSTEAMS: SinkDefinition = {
  schema: MSTEAMS_CONFIG,
  example: '{"webhook_url": "https://….powerplatform.com/…"}',
  receiver: 'Microsoft Teams',
  read: (json, settings) =>
    sinkOf(
      readMsteamsConfig(json, (url) => settings.transport.problem(url)),
      (config) => msteamsSink(config, settings),
    ),
  dropsRepeats: false,
  isRateLimited: true,
  showsLinks: true,
  judge: judgeMessage,
  knowsRules: true,
  judgeOutput: (output) => ({
    problem: emptyOutput(output),
    verdict: isBlank(output) ? ACCEPTED : judgeMessage(customMessage(output.toWellFormed())),
    reading: 'plain',
  }),
  // A character takes a byte at least.
  longestText: LIMITS.bytes,
  preview: { chat: 'msteams' },
  hook: MSTEAMS_ANSWERS,
};

function msteamsSink(config: MsteamsConfig, settings: SinkSettings): ReadySink {
  const { address, clock, templates, version } = settings;
  const url = new URL(config.webhookUrl.reveal());
  const credentials = credentialsOfAddress(url);
  const headers = { accept: '*/*', 'content-type': 'application/json', 'user-agent': `hnotif/${version}` };
  const protocol: Protocol<TeamsMessage> = {
    url,
    credentials,
    headers: () => headers,
    makeMessage: (delivery, level, signal) =>
      chatMessage(FORMS, { sinkType: 'msteams', templates }, delivery, level, signal),
    outcomeOf(answer, { level }) {
      const { status } = answer;
      if (status >= 200 && status < 300 && !isHtmlPage(answer)) return { kind: 'delivered', status };
      const templated = level === FALLBACK_LEVELS.custom;
      return outcomeOfHook(MSTEAMS_ANSWERS, answer, { credentials, now: clock.now(), templated });
    },
  };
  return {
    origin: url.origin,
    rates: sinkRates('msteams', address, config.rate, url.href),
    ignoresTemplate: undefined,
    suppresses: () => false,
    coalescesProgress: config.coalesceProgress,
    rehearse: (delivery, signal) => protocol.makeMessage(delivery, FALLBACK_LEVELS.custom, signal),
    deliver: sender(protocol, settings),
  };
}
