import type { Source } from '../../render/context.ts';
import type { TemplateSource } from '../../render/template.ts';
import { sinkKey } from '../../resources/sink-address.ts';
import type { SinkSettings } from '../deps.ts';
import type { Degradation } from '../degradation.ts';
import { outcomeOfFailure } from '../outcome-table.ts';
import { sharedKey } from '../rate.ts';
import { refused, refusedInAllForms, tellRefusals } from '../refusals.ts';
import { CALLED_OFF, type Attempt, type Delivery, type ReadySink } from '../sink.ts';
import { builtinMessage, customMessage, type Made, plainMessage, FALLBACK_LEVELS } from './message.ts';
import { outcomeOfWebhookAnswer } from './outcomes.ts';
import { suppresses } from './suppress.ts';
import type { TeamchatConfig, TemplateMessage } from './types.ts';

type AnyMade = Made<TemplateMessage>;

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

  const make = (level: number, delivery: Delivery, { signal }: Attempt): AnyMade | Promise<AnyMade> => {
    const { event, plan, sinkName, template } = delivery;
    const source: Source = { event, plan, sinkName, sinkType: 'teamchat' };
    if (template !== undefined && level === FALLBACK_LEVELS.custom)
      return customMessage(template, source, config, templates, signal);
    return level === FALLBACK_LEVELS.builtin ? builtinMessage(source, config) : plainMessage(source);
  };

  /** A message that cannot be made, or not be written down, is no reason to say nothing: the next plainer one is sent. */
  const write = async (
    delivery: Delivery,
    attempt: Attempt,
  ): Promise<AnyMade & { readonly body: string }> => {
    const { progress, template } = delivery;
    let unmade: Degradation | undefined;
    // Without a custom template the ladder begins one step lower.
    for (
      let level = Math.max(
        progress.level,
        template === undefined ? FALLBACK_LEVELS.builtin : FALLBACK_LEVELS.custom,
      );
      ;
      level++
    )
      try {
        const made = await make(level, delivery, attempt);
        return { ...made, body: JSON.stringify(made.message), notice: made.notice ?? unmade };
      } catch (error) {
        if (level >= FALLBACK_LEVELS.plain) throw error;
        unmade ??= unmadeOf(error, level === FALLBACK_LEVELS.custom ? template : undefined);
      }
  };

  return {
    origin: url.origin,
    rates: [
      { key: sinkKey(address), ...config.rate },
      // All that post with this webhook share what the chat allows it.
      { key: sharedKey('teamchat', url.href), ...config.rate },
    ],
    ignoresTemplate: undefined,
    suppresses: (event) => suppresses(event, config),
    coalescesProgress: config.coalesceProgress,
    async deliver(delivery, attempt) {
      const { body, level, notice } = await write(delivery, attempt);
      if (!(await attempt.slot())) return CALLED_OFF;
      const { signal } = attempt;
      const reply = await transport.post({ url, owner: address.namespace, headers, body, signal });
      if (reply.kind === 'failed') return outcomeOfFailure(reply, secrets);
      const outcome = outcomeOfWebhookAnswer(reply, {
        secrets,
        now: clock.now(),
        templated: level === FALLBACK_LEVELS.custom,
      });
      const { progress } = delivery;
      if (outcome.kind === 'delivered') {
        if (notice !== undefined) attempt.degraded(notice);
        tellRefusals(progress, attempt);
      }
      if (outcome.kind !== 'rejected-payload') return outcome;
      if (level === FALLBACK_LEVELS.plain) return refusedInAllForms(outcome, progress);
      progress.level = level + 1;
      refused(progress, outcome.message);
      return { kind: 'continue', anew: true };
    },
  };
}

/** What an error says may be of the event; its kind is enough to find it by. */
function unmadeOf(error: unknown, template: TemplateSource | undefined): Degradation {
  const what = template === undefined ? '' : ` with template ${template.name}`;
  const kind = error instanceof Error ? error.name : typeof error;
  return {
    reason: 'MessageUnmade',
    message: `no message could be made${what} (${kind}); a plainer one was sent`,
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
