import { hash } from 'node:crypto';
import type { Source } from '../../render/context.ts';
import { sinkKey } from '../../resources/sink-address.ts';
import type { SinkSettings } from '../deps.ts';
import { outcomeOfFailure } from '../outcome-table.ts';
import { CALLED_OFF, type Attempt, type Delivery, type ReadySink } from '../sink.ts';
import { builtinMessage, customMessage, type Made, plainMessage, RUNGS } from './message.ts';
import { outcomeOfWebhookAnswer } from './outcomes.ts';
import { suppresses } from './suppress.ts';
import type { TeamchatConfig } from './types.ts';

/** A teamchat sink in channel mode, with what channel mode is configured by. */
export type ChannelConfig = TeamchatConfig & {
  readonly mode: Extract<TeamchatConfig['mode'], { kind: 'channel' }>;
};

/**
 * An incoming webhook that is ready to take messages, each of its own. The ladder: the custom template's message, the
 * built-in one, plain text; a step is taken when the chat refuses the message as such.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export function channelSink(config: ChannelConfig, settings: SinkSettings): ReadySink {
  const { transport, clock, version, templates, address } = settings;
  const url = new URL(config.mode.webhookUrl.reveal());
  const secrets = credentialsOf(url);
  const headers = {
    accept: '*/*',
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `hnotif/${version}`,
  };

  const make = (delivery: Delivery, { signal }: Attempt): Made | Promise<Made> => {
    const { event, plan, sinkName, template, progress } = delivery;
    const source: Source = { event, plan, sinkName, sinkType: 'teamchat' };
    // Without a custom template the ladder begins one step lower.
    const rung = Math.max(progress.rung, template === undefined ? RUNGS.builtin : RUNGS.custom);
    if (template !== undefined && rung === RUNGS.custom)
      return customMessage(template, source, config, templates, signal);
    return rung === RUNGS.builtin ? builtinMessage(source, config) : plainMessage(source);
  };

  return {
    origin: url.origin,
    rates: [
      { key: sinkKey(address), ...config.rate },
      // All that post with this webhook share what the chat allows it.
      { key: `teamchat:${hash('sha256', url.href, 'base64url').slice(0, 22)}`, ...config.rate },
    ],
    ignoresTemplate: undefined,
    suppresses: (event) => suppresses(event, config),
    async deliver(delivery, attempt) {
      const { message, rung, notice } = await make(delivery, attempt);
      const body = JSON.stringify(message);
      if (!(await attempt.slot())) return CALLED_OFF;
      const reply = await transport.post({ url, headers, body, signal: attempt.signal });
      if (reply.kind === 'failed') return outcomeOfFailure(reply, secrets);
      const outcome = outcomeOfWebhookAnswer(reply, secrets, clock.now());
      if (outcome.kind === 'delivered' && notice !== undefined) attempt.notice(notice);
      if (outcome.kind !== 'rejected-payload' || rung === RUNGS.plain) return outcome;
      delivery.progress.rung = rung + 1;
      attempt.notice({
        reason: 'RejectedByReceiver',
        message: `${outcome.message}; a plainer message is sent instead`,
      });
      return { kind: 'continue', anew: true };
    },
  };
}

/** Words of Slack's addresses that say nothing; the other segments are the credential, or lead to it. */
const PUBLIC: ReadonlySet<string> = new Set(['services', 'hooks', 'triggers', 'workflows', 'api']);

/** All in which a receiver or a proxy may show the address. */
function credentialsOf(url: URL): string[] {
  const segments = url.pathname.split('/').filter((segment) => segment.length >= 6 && !PUBLIC.has(segment));
  const whole = [url.pathname + url.search, url.pathname].filter((path) => path !== '/');
  return [url.href, ...whole, ...segments, ...url.searchParams.values()];
}
