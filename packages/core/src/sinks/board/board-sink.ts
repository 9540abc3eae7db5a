import { ensureRoot } from '../roots/post-root.ts';
import type { RootClient } from '../roots/root-client.ts';
import type { RootDeps } from '../roots/root-state.ts';
import type { ThreadRoot } from '../roots/thread-root.ts';
import type { Outcome } from '../outcome.ts';
import { takeFree } from '../rate.ts';
import { PAUSES } from '../retry.ts';
import { CONTINUE_ANEW } from '../send.ts';
import type { SinkSettings } from '../deps.ts';
import type { Attempt, Delivery, Progress, ReadySink } from '../sink.ts';
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

/** A request whose tokens were taken by others looks again after this time, or up to twice as long (milliseconds). */
const TOKENS_MS = 2_000;
/** If no token is free for this time (milliseconds), one delivery queues for it. */
const LONGEST_WAIT_MS = 10_000;

const TOKENS_WAIT = {
  reason: 'RateLimited',
  message: 'the reply waits for the rate limit of the chat; the board shows the event meanwhile',
};

/**
 * A sink in board mode: one message for a night, which shows the state of all plans. A delivery ends when the board shows its event.
 * Failures and recoveries have a reply besides.
 */
export function boardSink(chat: BoardChat, { threads, address, rateLimits }: SinkSettings): ReadySink {
  const { clock, boards, roots } = threads;
  const { client, alerts } = chat;
  /** Deliveries whose event has its reply. */
  const replied = new WeakSet<Progress>();

  /** The chat throttles: updates of the board pause, too. */
  function paused(outcome: Outcome): Outcome {
    if (outcome.kind !== 'throttled') return outcome;
    const { pauseMinMs, pauseMaxMs } = PAUSES;
    const ms = Math.min(outcome.retryAfterMs ?? pauseMinMs, pauseMaxMs);
    for (const { key } of client.rates) rateLimits.pause(key, ms);
    return outcome;
  }

  /** Since when no token was free (monotonic milliseconds); undefined: one was. */
  let starvedSince: number | undefined;
  let isQueued = false;

  /** Takes the tokens of one request: those that are free, or its turn among the sinks that wait. */
  async function takeTokens(signal: AbortSignal): Promise<boolean> {
    const { rates } = client;
    const asker = { owner: address.namespace };
    if (await takeFree(rateLimits, rates, asker)) {
      starvedSince = undefined;
      return true;
    }
    starvedSince ??= clock.monotonic();
    if (isQueued || clock.monotonic() - starvedSince < LONGEST_WAIT_MS) return false;
    isQueued = true;
    const isTaken = await rateLimits.take(rates, { ...asker, signal });
    isQueued = false;
    return isTaken;
  }

  /** Runs one request, if it gets its tokens. */
  async function limited<T>(attempt: Attempt, run: (attempt: Attempt) => Promise<T>): Promise<T | Outcome> {
    const { rates } = client;
    if (!(await takeTokens(attempt.signal)))
      return { kind: 'wait', forMs: TOKENS_MS * (1 + clock.random()), why: TOKENS_WAIT };
    let isUsed = false;
    const slot = async (): Promise<boolean> => (isUsed = await attempt.slot());
    const result = await run({ ...attempt, slot });
    if (!isUsed) rateLimits.giveBack(rates);
    return result;
  }

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
        const placed = await limited(attempt, post);
        if (placed !== undefined) return paused(placed);
      }
      root.saveLater();
      // Also if the event is shown: the end of the night may have a reply.
      roots.schedule(root);
      if (alerts.has(event.kind) && !replied.has(progress)) {
        const outcome = await limited(attempt, (call) => chat.reply(delivery, call, root));
        if (outcome.kind !== 'delivered') return paused(outcome);
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
