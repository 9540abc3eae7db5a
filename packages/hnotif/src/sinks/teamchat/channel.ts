import type { Source } from '../../render/context.ts';
import type { TemplateSource } from '../../render/template.ts';
import { sinkKey } from '../../resources/sink-address.ts';
import type { SinkSettings } from '../deps.ts';
import type { Notice } from '../notice.ts';
import { outcomeOfFailure } from '../outcome-table.ts';
import { sharedKey } from '../rate.ts';
import { refused, refusedInAllForms, tellRefusals } from '../refusals.ts';
import { CALLED_OFF, type Attempt, type Delivery, type ReadySink } from '../sink.ts';
import { builtinMessage, customMessage, type Made, plainMessage, RUNGS } from './message.ts';
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

  const make = (rung: number, delivery: Delivery, { signal }: Attempt): AnyMade | Promise<AnyMade> => {
    const { event, plan, sinkName, template } = delivery;
    const source: Source = { event, plan, sinkName, sinkType: 'teamchat' };
    if (template !== undefined && rung === RUNGS.custom)
      return customMessage(template, source, config, templates, signal);
    return rung === RUNGS.builtin ? builtinMessage(source, config) : plainMessage(source);
  };

  /** A message that cannot be made, or not be written down, is no reason to say nothing: the next plainer one is sent. */
  const write = async (
    delivery: Delivery,
    attempt: Attempt,
  ): Promise<AnyMade & { readonly body: string }> => {
    const { progress, template } = delivery;
    let unmade: Notice | undefined;
    // Without a custom template the ladder begins one step lower.
    for (let rung = Math.max(progress.rung, template === undefined ? RUNGS.builtin : RUNGS.custom); ; rung++)
      try {
        const made = await make(rung, delivery, attempt);
        return { ...made, body: JSON.stringify(made.message), notice: made.notice ?? unmade };
      } catch (error) {
        if (rung >= RUNGS.plain) throw error;
        unmade ??= unmadeOf(error, rung === RUNGS.custom ? template : undefined);
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
      const { body, rung, notice } = await write(delivery, attempt);
      if (!(await attempt.slot())) return CALLED_OFF;
      const { signal } = attempt;
      const reply = await transport.post({ url, owner: address.namespace, headers, body, signal });
      if (reply.kind === 'failed') return outcomeOfFailure(reply, secrets);
      const outcome = outcomeOfWebhookAnswer(reply, {
        secrets,
        now: clock.now(),
        templated: rung === RUNGS.custom,
      });
      const { progress } = delivery;
      if (outcome.kind === 'delivered') {
        if (notice !== undefined) attempt.notice(notice);
        tellRefusals(progress, attempt);
      }
      if (outcome.kind !== 'rejected-payload') return outcome;
      if (rung === RUNGS.plain) return refusedInAllForms(outcome, progress);
      progress.rung = rung + 1;
      refused(progress, outcome.message);
      return { kind: 'continue', anew: true };
    },
  };
}

/** What an error says may be of the event; its kind is enough to find it by. */
function unmadeOf(error: unknown, template: TemplateSource | undefined): Notice {
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
