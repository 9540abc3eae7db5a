import { sleep, WOKEN, type Clock } from '../../clock.ts';
import type { Outcome } from '../outcome.ts';
import { type RateLimits, type Rate, takeFree } from '../rate.ts';
import { decide, PAUSES, type RetryLimits } from '../retry.ts';
import { ensureRoot, REQUEST_MS } from './post-root.ts';
import type { Call } from './root-client.ts';
import type { ThreadRoot } from './thread-root.ts';
import { postNotice, updateRoot } from './update-root.ts';

/** How long an update waits for tokens without queueing (milliseconds). */
const LONGEST_WAIT_MS = 10_000;
/** No reply waits for an update, so it may be retried for longer than a message. */
const LIMITS: RetryLimits = { ...PAUSES, retries: 20, backoffMinMs: 1_000, backoffMaxMs: 60_000 };
/** After the last of these retries a root is reported, and tried after this pause, or up to half as much more (milliseconds)… */
const SLOW_MS = 10 * 60_000;
/** …until it has failed for this time. */
const LONGEST_FAILURE_MS = 24 * 3_600_000;

/** The slots of requests in flight, to an origin and in all, which namespaces share. */
export interface RootSlots {
  /** True: a slot is held. False: there is no limit any more, because no delivery is sent any more. */
  acquire(origin: string, namespace: string): Promise<boolean>;
  release(origin: string, namespace: string): void;
}

/**
 * Updates roots independently of replies: no reply waits for an update, or fails because of one. Only the newest state of a root is
 * sent.
 *
 * An update takes only free tokens at first. 10 s after the root's last update it queues for them; a terminal state queues at once.
 * In the queue messages go first.
 */
export class RootUpdater {
  readonly #clock: Clock;
  readonly #rateLimits: RateLimits;
  readonly #slots: RootSlots | undefined;
  readonly #abort = new AbortController();
  /** The roots in work, with a function that ends their pause. */
  readonly #scheduled = new Map<ThreadRoot, () => void>();
  #flushing = false;
  #idle: (() => void)[] = [];

  constructor({
    clock,
    rateLimits,
    slots,
  }: {
    readonly clock: Clock;
    readonly rateLimits: RateLimits;
    readonly slots?: RootSlots;
  }) {
    this.#clock = clock;
    this.#rateLimits = rateLimits;
    this.#slots = slots;
  }

  has(root: ThreadRoot): boolean {
    return this.#scheduled.has(root);
  }

  /** Updates the root if it is stale. */
  schedule(root: ThreadRoot): void {
    if (root.failures > LIMITS.retries && root.digest !== root.attempted) root.resetFailures();
    const wake = this.#scheduled.get(root);
    if (wake !== undefined) wake();
    else if (root.isStale && !this.#abort.signal.aborted) void this.#work(root);
  }

  /** Resolves when no root waits for an update. Until then updates queue at once. */
  async idle(): Promise<void> {
    if (this.#scheduled.size === 0) return;
    this.#flushing = true;
    const done = new Promise<void>((resolve) => this.#idle.push(resolve));
    for (const wake of [...this.#scheduled.values()]) wake();
    await done;
  }

  close(): void {
    this.#abort.abort();
    for (const wake of [...this.#scheduled.values()]) wake();
  }

  async #work(root: ThreadRoot): Promise<void> {
    this.#scheduled.set(root, nothing);
    for (;;) {
      const rates = await this.#waitForTurn(root);
      if (rates === undefined) return;
      root.attempted = root.digest;
      const begun = this.#clock.monotonic();
      const { origin } = root.client;
      let [isUsed, isHeld] = [false, false];
      const slot = async (): Promise<boolean> => {
        isHeld = (await this.#slots?.acquire(origin, ownerOf(root))) === true;
        return (isUsed = true);
      };
      const outcome = await this.#sendRequest(root, { signal: this.#abort.signal, slot });
      if (isHeld) this.#slots?.release(origin, ownerOf(root));
      if (!isUsed) this.#rateLimits.giveBack(rates);
      if (outcome !== undefined) this.#handleOutcome(root, outcome, begun);
    }
  }

  /** The root leaves the work in the same turn in which it needs no update, so that a change a moment later schedules it again. */
  #leave(root: ThreadRoot): undefined {
    this.#scheduled.delete(root);
    if (this.#scheduled.size > 0) return;
    this.#flushing = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Waits until the root may be updated, and takes a token of each of these. Undefined: there is nothing to do, and the root has left the work. */
  async #waitForTurn(root: ThreadRoot): Promise<readonly Rate[] | undefined> {
    const { signal } = this.#abort;
    const { gapMs } = root.state;
    let isSaved = false;
    for (;;) {
      if (signal.aborted || !root.isStale) return this.#leave(root);
      const now = this.#clock.monotonic();
      const resting = Math.max(root.notBefore, root.notBeforeTakeOver) - now;
      if (resting > 0) {
        // A stop does not wait for a root that has failed many times.
        if (this.#flushing && root.failures > LIMITS.retries) return this.#leave(root);
        await this.#sleep(root, resting);
        continue;
      }
      const age = now - root.shownAt;
      const isDue = this.#flushing || root.hasEnded || age >= LONGEST_WAIT_MS;
      if (root.hasUnsaved && !isSaved && (isDue || age >= gapMs)) {
        // The update waits for it. Tokens that wait meanwhile would all be used at once.
        await root.saveChanges('soon');
        // Not for changes since then: they may come all the time.
        isSaved = true;
        continue;
      }
      isSaved = false;
      const { location } = root;
      const rates = ratesOf(root);
      if (isDue) {
        const permit = this.#rateLimits.take(rates, { owner: ownerOf(root), signal, priority: 'update' });
        if (permit === true) return rates;
        // The root may have changed during a long wait.
        if (!(await permit)) return this.#leave(root);
        if (root.isStale && root.location === location && root.notBefore <= this.#clock.monotonic())
          return rates;
        this.#rateLimits.giveBack(rates);
        continue;
      }
      const asker = { owner: ownerOf(root), priority: 'update' } as const;
      if (age >= gapMs && (await takeFree(this.#rateLimits, rates, asker))) return rates;
      await this.#sleep(root, age < gapMs ? gapMs - age : LONGEST_WAIT_MS - age);
    }
  }

  async #sleep(root: ThreadRoot, ms: number): Promise<void> {
    const woken = new AbortController();
    this.#scheduled.set(root, () => {
      woken.abort(WOKEN);
    });
    await sleep(this.#clock, ms, woken.signal);
    this.#scheduled.set(root, nothing);
  }

  /** Undefined: no request was needed. */
  async #sendRequest(root: ThreadRoot, call: Call): Promise<Outcome | undefined> {
    const { location } = root;
    try {
      if (location === undefined) return await root.exclusively(() => ensureRoot(root, this.#clock, call));
      const notice = root.isCardStale ? undefined : root.notice;
      return notice === undefined
        ? await updateRoot(root, location, this.#clock, call)
        : await postNotice(location, notice, call);
    } catch (error) {
      // Report a card that cannot be made.
      return { kind: 'rejected-payload', reason: 'Internal', message: `a fault of hnotif: ${String(error)}` };
    }
  }

  #handleOutcome(root: ThreadRoot, outcome: Outcome, begun: number): void {
    const random = this.#clock.random();
    const decision = decide(outcome, root.failures, random, LIMITS);
    if ('message' in outcome) root.trouble = { reason: outcome.reason, message: outcome.message };
    switch (decision.kind) {
      case 'delivered':
      case 'continue':
        return;
      case 'wait':
        root.notBefore = begun + decision.forMs;
        return;
      case 'pause':
        this.#pause(root, decision.forMs);
        return;
      case 'failed':
        this.#giveUp(root, decision.message);
        return;
      case 'retry':
        // An ambiguous update may still arrive, and overwrite the next one.
        this.#failed(root, begun, Math.max(decision.afterMs, outcome.kind === 'ambiguous' ? REQUEST_MS : 0));
        return;
      case 'over':
        // The user may correct a configuration, and no later event would show a terminal state, or one that deliveries wait for.
        if (decision.refused && (root.digest !== root.attempted || !isNeeded(root))) {
          this.#giveUp(root, decision.message);
          return;
        }
        if (root.failures <= LIMITS.retries) report(root, decision.message);
        root.failures = Math.max(root.failures, LIMITS.retries);
        this.#failed(root, begun, SLOW_MS * (1 + random / 2));
    }
  }

  /** Tries again after `ms`, if it has not failed for too long. */
  #failed(root: ThreadRoot, begun: number, ms: number): void {
    const now = this.#clock.monotonic();
    if (root.failures === 0 || root.failingSince === undefined) root.failingSince = begun;
    if (now - root.failingSince > LONGEST_FAILURE_MS) {
      this.#giveUp(root, undefined);
      return;
    }
    root.failures++;
    root.notBefore = now + ms;
  }

  /** The chat limits the method or the channel: only requests of the same kind pause. */
  #pause(root: ThreadRoot, ms: number): void {
    root.notBefore = this.#clock.monotonic() + ms;
    // The last bucket of an update is the method's.
    const paused = root.location === undefined ? root.client.rates : root.client.updateRates.slice(-1);
    for (const { key } of paused) this.#rateLimits.pause(key, ms);
  }

  /** Gives this state up; the next event tries again. */
  #giveUp(root: ThreadRoot, why: string | undefined): void {
    root.giveUp();
    if (why !== undefined) report(root, why);
  }
}

const ratesOf = ({ location, client, isCardStale }: ThreadRoot): readonly Rate[] =>
  location === undefined || !isCardStale ? client.rates : client.updateRates;

const isNeeded = ({ state, hasEnded }: ThreadRoot): boolean => hasEnded || state.isAwaited === true;

const nothing = (): void => undefined;

const report = (root: ThreadRoot, why: string): void => {
  root.deps.degraded({ reason: 'RootNotUpdated', message: why });
};

const ownerOf = ({ state }: ThreadRoot): string => state.namespace;
