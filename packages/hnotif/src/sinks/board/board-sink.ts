import { ensureRoot } from '../roots/post-root.ts';
import type { RootClient } from '../roots/root-client.ts';
import type { RootDeps } from '../roots/root-state.ts';
import type { ThreadRoot } from '../roots/thread-root.ts';
import type { Outcome } from '../outcome.ts';
import { CONTINUE_ANEW } from '../send.ts';
import type { SinkSettings } from '../deps.ts';
import type { Attempt, Delivery, Progress, ReadySink } from '../sink.ts';
import type { BoardOptions } from './board-state.ts';
import type { BoardSettings } from './config.ts';

/** What differs from one chat to the next. */
export interface BoardChat extends BoardOptions, BoardSettings {
  /** Scheme, host and port of the receiver. */
  readonly origin: string;
  readonly client: RootClient;
  /** Posts the reply of an event: one request. */
  readonly reply: (delivery: Delivery, attempt: Attempt, root: ThreadRoot) => Promise<Outcome>;
}

/** A delivery looks again this long after the board may have been updated (milliseconds). */
const LATER_MS = 250;

/** Why a delivery waits. */
const UPDATE_WAITS = {
  reason: 'BoardUpdate',
  message: 'the board is updated every 3 s at most; the event is delivered when the board shows it',
};

/**
 * A sink in board mode: one message for a night, which shows the state of all plans. A delivery ends when the board shows its event.
 * Failures and recoveries have a reply besides.
 */
export function boardSink(chat: BoardChat, { threads, address }: SinkSettings): ReadySink {
  const { clock, boards, roots } = threads;
  const { origin, client, alerts } = chat;
  /** Deliveries whose event has its reply. */
  const replied = new WeakSet<Progress>();

  return {
    origin,
    rates: client.rates,
    ignoresTemplate: 'boards always use the built-in layouts',
    suppresses: () => false,
    // Only the newest state of a target is shown.
    coalescesProgress: true,
    repair(key, plan) {
      boards.repair(key, address, chat, { client, plan, degraded: () => undefined });
    },
    async deliver(delivery, attempt) {
      const { event, plan, progress } = delivery;
      const context: RootDeps = { client, plan, degraded: attempt.degraded };
      const mayBeSent = progress.unclearSince !== undefined;
      const { state, root } = boards.open(address, event, chat, context, mayBeSent);
      root.useChannel();
      const placed = await root.exclusively(() => ensureRoot(root, clock, attempt));
      if (placed !== undefined) return placed;
      root.saveLater();
      if (alerts.has(event.kind) && !replied.has(progress)) {
        const outcome = await chat.reply(delivery, attempt, root);
        if (outcome.kind === 'delivered') replied.add(progress);
        roots.schedule(root);
        return outcome.kind === 'delivered' ? CONTINUE_ANEW : outcome;
      }
      if (state.isShown(event.planUid, root.sent)) return { kind: 'delivered', status: 200 };
      roots.schedule(root);
      const next = Math.max(root.shownAt + state.gapMs, root.notBefore, root.notBeforeTakeOver);
      const forMs = Math.max(0, next - clock.monotonic()) + LATER_MS;
      return { kind: 'wait', forMs, why: root.trouble ?? UPDATE_WAITS };
    },
  };
}
