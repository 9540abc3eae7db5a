import { ensureRoot } from '../roots/post-root.ts';
import type { RootClient } from '../roots/root-client.ts';
import type { RootDeps } from '../roots/root-state.ts';
import type { ThreadRoot } from '../roots/thread-root.ts';
import type { Outcome } from '../outcome.ts';
import { CONTINUE_ANEW } from '../send.ts';
import type { SinkSettings } from '../deps.ts';
import type { Attempt, Delivery, Progress, ReadySink } from '../sink.ts';
import { BoardRequests } from './board-requests.ts';
import type { BoardOptions } from './board-state.ts';
import type { BoardSettings } from './config.ts';

/** What differs from one chat to the next. */
export interface BoardChat extends BoardOptions, BoardSettings {
  readonly client: RootClient;
  /** Posts the reply of an event: one request. */
  readonly reply: (delivery: Delivery, attempt: Attempt, root: ThreadRoot) => Promise<Outcome>;
}

/** The board calls a waiting delivery after each update. Without a call, the delivery looks again this long after the update may be made (milliseconds). */
const AGAIN_MS = 30_000;

/** Why a delivery waits. */
const UPDATE_WAITS = {
  reason: 'BoardUpdate',
  message: 'the board is updated every 3 s at most; the event is delivered when the board shows it',
};

const GATHERS = {
  reason: 'BoardUpdate',
  message: 'a new board waits until no more plans start, for 3 s to 9 s, so that it shows all of them',
};

/**
 * A sink in board mode: one message for a night, which shows the state of all plans. A delivery ends when the board shows its event.
 * Failures and recoveries have a reply besides.
 */
export function boardSink(chat: BoardChat, { threads, address, rateLimits }: SinkSettings): ReadySink {
  const { clock, boards, roots } = threads;
  const { client, alerts } = chat;
  const requests = new BoardRequests(client.rates, address.namespace, rateLimits, clock);
  /** Deliveries whose event has its reply. */
  const replied = new WeakSet<Progress>();

  return {
    origin: client.origin,
    // An event is shown without a request of its own: it must not wait for tokens behind the replies to others.
    rates: [],
    ignoresTemplate: 'boards always use the built-in layouts',
    // The first phase of a plan belongs to no night.
    suppresses: ({ cycle }) => cycle === '',
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
      if (root.location === undefined) {
        const forMs = state.gathersUntil - clock.monotonic();
        if (forMs > 0) return { kind: 'wait', forMs, why: GATHERS };
        const post = (call: Attempt) => root.exclusively(() => ensureRoot(root, clock, call));
        const placed = await requests.make(attempt, post);
        if (placed !== undefined) return requests.paused(placed);
      }
      root.saveLater();
      // Also if the event is shown: the end of the night may have a reply.
      roots.schedule(root);
      if (alerts.has(event.kind) && !replied.has(progress)) {
        const outcome = await requests.make(attempt, (call) => chat.reply(delivery, call, root));
        if (outcome.kind !== 'delivered') return requests.paused(outcome);
        replied.add(progress);
        return CONTINUE_ANEW;
      }
      if (state.isShown(event.planUid, root.sent)) return { kind: 'delivered', status: 200 };
      const next = Math.max(root.shownAt + state.gapMs, root.notBefore, root.notBeforeTakeOver);
      const forMs = Math.max(0, next - clock.monotonic()) + AGAIN_MS;
      return { kind: 'wait', forMs, onChange: root.onChange, why: root.trouble ?? UPDATE_WAITS };
    },
  };
}
