import { HISTORY_RISKS } from '../../degradation.ts';
import type { SinkSettings } from '../../deps.ts';
import type { Attempt, ReadySink } from '../../sink.ts';
import { ensureRoot } from '../../roots/post-root.ts';
import { suppresses } from '../suppress.ts';
import type { TeamchatConfig } from '../types.ts';
import { channelClient } from './open-client.ts';
import { rootKey } from './root.ts';
import { postReply } from './post-reply.ts';

export interface ThreadConfig extends TeamchatConfig {
  readonly mode: Extract<TeamchatConfig['mode'], { kind: 'thread' }>;
}

/**
 * A teamchat sink in thread mode. A delivery takes one request for its reply; before that, if its root is not posted yet, requests to
 * search for the root and to post it. Roots are updated independently of deliveries.
 */
export function threadSink(config: ThreadConfig, settings: SinkSettings): ReadySink {
  const { threads, address } = settings;
  const { clock } = threads;
  const { channelId, broadcast } = config.mode;
  const client = channelClient(config, settings);
  const { cards } = client;

  return {
    ...{ origin: client.origin, rates: client.rates },
    broadcasts: broadcast,
    ignoresTemplate: 'threads always use the built-in layouts',
    suppresses: (event) => suppresses(event, config),
    coalescesProgress: config.coalesceProgress,
    repair(key, plan) {
      threads.repair(key, channelId, { client, cards, plan, degraded: () => undefined });
    },
    async deliver(delivery, made) {
      const { event, plan, progress } = delivery;
      const state = threads.delivery(progress);
      const attempt: Attempt = {
        ...made,
        degraded(degradation) {
          // Once for a delivery, even if several of its messages were posted without a search.
          if (HISTORY_RISKS.has(degradation.reason)) {
            if (state.riskReported) return;
            state.riskReported = true;
          }
          made.degraded(degradation);
        },
      };
      const reply = { client, delivery, attempt, state, clock };
      const key = rootKey(address, event);
      if (key === undefined) return postReply(reply, undefined);
      const mayBeSent = progress.unclearSince !== undefined;
      const root = threads.open(key, event, { client, cards, plan, degraded: attempt.degraded }, mayBeSent);
      root.useChannel();
      const placed = await root.exclusively(() => ensureRoot(root, clock, attempt));
      if (placed !== undefined) return placed;
      root.saveLater();
      const outcome = await postReply(reply, root);
      threads.roots.schedule(root);
      return outcome;
    },
  };
}
