import type { SinkSettings } from '../../deps.ts';
import { CONTINUE_ANEW } from '../../send.ts';
import type { ReadySink } from '../../sink.ts';
import type { TeamchatConfig } from '../types.ts';
import { channelClient } from '../thread/open-client.ts';
import { ensureRoot } from '../thread/post-root.ts';
import { postReply } from '../thread/post-reply.ts';
import { blocksBoard, plainBoard, textBoard } from './board-card.ts';
import type { BoardOptions } from './board-state.ts';

export interface BoardConfig extends TeamchatConfig {
  readonly mode: Extract<TeamchatConfig['mode'], { kind: 'board' }>;
}

/** A delivery looks again this long after the board may have been updated (milliseconds). */
const LATER_MS = 250;

/** Why a delivery waits. */
const UPDATE_WAITS = {
  reason: 'BoardUpdate',
  message: 'the board is updated every 3 s at most; the event is delivered when the board shows it',
};

/**
 * A teamchat sink in board mode: one message for a night, which shows the state of all plans. A delivery ends when the board shows its
 * event. Failures and recoveries have a reply besides.
 */
export function boardSink(config: BoardConfig, settings: SinkSettings): ReadySink {
  const { threads, address, chatApiUrl } = settings;
  const { clock } = threads;
  const { alerts, limits } = config.mode;
  const client = channelClient(config, settings);
  const options: BoardOptions = { limits, forms: formsOf(config) };

  return {
    origin: new URL(chatApiUrl).origin,
    rates: client.rates,
    broadcasts: client.broadcast,
    ignoresTemplate: 'boards always use the built-in layouts',
    // The first phase of a plan belongs to no night.
    suppresses: ({ cycle }) => cycle === '',
    // Only the newest state of a target is shown.
    coalescesProgress: true,
    repair(key, plan) {
      threads.boards.repair(key, address, options, { client, plan, degraded: () => undefined });
    },
    async deliver(delivery, attempt) {
      const { event, plan, progress } = delivery;
      const delivering = threads.delivery(progress);
      const context = { client, plan, degraded: attempt.degraded };
      const mayBeSent = progress.unclearSince !== undefined;
      const { state, root } = threads.boards.open(address, event, options, context, mayBeSent);
      root.useChannel();
      const placed = await root.exclusively(() => ensureRoot(root, clock, attempt));
      if (placed !== undefined) return placed;
      root.saveLater();
      if (alerts.has(event.kind) && !delivering.replied) {
        const outcome = await postReply({ client, delivery, attempt, state: delivering, clock }, root);
        delivering.replied = outcome.kind === 'delivered';
        threads.schedule(root);
        return delivering.replied ? CONTINUE_ANEW : outcome;
      }
      if (state.isShown(event.planUid, root.sent)) return { kind: 'delivered', status: 200 };
      threads.schedule(root);
      const next = Math.max(root.shownAt + state.gapMs, root.notBefore, root.notBeforeTakeOver);
      const forMs = Math.max(0, next - clock.monotonic()) + LATER_MS;
      return { kind: 'wait', forMs, why: root.trouble ?? UPDATE_WAITS };
    },
  };
}

function formsOf(config: BoardConfig): BoardOptions['forms'] {
  const text: BoardOptions['forms'] = [(view, plan) => textBoard(view, plan, config), plainBoard];
  return config.format === 'text' ? text : [(view, plan) => blocksBoard(view, plan, config), ...text];
}
