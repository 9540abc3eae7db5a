import { sleep, type Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import type { RateLimits, Rate } from '../../rate.ts';
import { ensureRoot, REQUEST_MS } from './post-root.ts';
import { addressOfRoot, isTerminal } from './root.ts';
import type { ThreadRoot } from './thread-root.ts';
import { updateRoot } from './update-root.ts';

/** The least time between two updates of a root (milliseconds): events that come together are shown together. */
const GAP_MS = 1_000;
/** How long an update waits for tokens without queueing (milliseconds). */
const LONGEST_WAIT_MS = 10_000;
/** The bounds for a receiver's Retry-After (milliseconds). */
const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 15 * 60_000;
/** The back-off after a failed update doubles between these (milliseconds). */
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** After this many consecutive failures a root is reported, and tried less often… */
const MOST_FAILURES = 20;
/** …after this pause, or up to half as much more (milliseconds)… */
const SLOW_MS = 10 * 60_000;
/** …until it has failed for this time. */
const LONGEST_FAILURE_MS = 24 * 3_600_000;

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
  readonly #abort = new AbortController();
  /** The roots in work, with a function that ends their pause. */
  readonly #scheduled = new Map<ThreadRoot, () => void>();
  #flushing = false;
  #idle: (() => void)[] = [];

  constructor({ clock, rateLimits }: { readonly clock: Clock; readonly rateLimits: RateLimits }) {
    this.#clock = clock;
    this.#rateLimits = rateLimits;
  }

  has(root: ThreadRoot): boolean {
    return this.#scheduled.has(root);
  }

  /** Updates the root if it is stale. */
  schedule(root: ThreadRoot): void {
    if (root.failures > MOST_FAILURES && root.digest !== root.attempted) root.resetFailures();
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
    while (root.isStale && (await this.#waitForTurn(root))) {
      root.attempted = root.digest;
      const begun = this.#clock.monotonic();
      this.#handleOutcome(root, await this.#sendRequest(root), begun);
    }
    this.#scheduled.delete(root);
    if (this.#scheduled.size > 0) return;
    this.#flushing = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Waits until the root may be updated, and takes the tokens. False: there is nothing to do. */
  async #waitForTurn(root: ThreadRoot): Promise<boolean> {
    const { signal } = this.#abort;
    for (;;) {
      if (signal.aborted || !root.isStale) return false;
      const now = this.#clock.monotonic();
      const resting = Math.max(root.notBefore, root.notBeforeTakeOver) - now;
      if (resting > 0) {
        // A stop does not wait for a root that has failed many times.
        if (this.#flushing && root.failures > MOST_FAILURES) return false;
        await this.#sleep(root, resting);
        continue;
      }
      const { location } = root;
      const rates = ratesOf(root);
      const age = now - root.shownAt;
      if (this.#flushing || isTerminal(root.desired.status) || age >= LONGEST_WAIT_MS) {
        const permit = this.#rateLimits.take(rates, { owner: ownerOf(root), signal, priority: 'update' });
        if (permit === true) return true;
        // The root may have changed during a long wait.
        if (!(await permit)) return false;
        if (root.isStale && root.location === location && root.notBefore <= this.#clock.monotonic())
          return true;
        continue;
      }
      if (age >= GAP_MS && (await this.#tryTakeTokens(root, rates))) return true;
      await this.#sleep(root, age < GAP_MS ? GAP_MS - age : LONGEST_WAIT_MS - age);
    }
  }

  /** Takes tokens if they are free and nobody queues for them. */
  async #tryTakeTokens(root: ThreadRoot, rates: readonly Rate[]): Promise<boolean> {
    const wait = new AbortController();
    const taken = this.#rateLimits.take(rates, {
      owner: ownerOf(root),
      signal: wait.signal,
      priority: 'update',
    });
    wait.abort();
    return taken;
  }

  async #sleep(root: ThreadRoot, ms: number): Promise<void> {
    const woken = new AbortController();
    this.#scheduled.set(root, () => {
      woken.abort();
    });
    await sleep(this.#clock, ms, woken.signal);
    this.#scheduled.set(root, nothing);
  }

  /** Undefined: no request was needed. */
  async #sendRequest(root: ThreadRoot): Promise<Outcome | undefined> {
    const call = { signal: this.#abort.signal, slot: () => true };
    const { location } = root;
    try {
      return location === undefined
        ? await root.exclusively(() => ensureRoot(root, this.#clock, call))
        : await updateRoot(root, location, this.#clock, call);
    } catch (error) {
      // Report a card that cannot be made.
      return { kind: 'rejected-payload', reason: 'Internal', message: `a fault of hnotif: ${String(error)}` };
    }
  }

  #handleOutcome(root: ThreadRoot, outcome: Outcome | undefined, begun: number): void {
    switch (outcome?.kind) {
      case undefined:
      case 'continue':
      case 'delivered':
        return;
      case 'wait':
        root.notBefore = begun + outcome.forMs;
        return;
      case 'throttled':
        if (outcome.retryAfterMs === undefined) break;
        this.#pause(root, Math.min(Math.max(outcome.retryAfterMs, PAUSE_MIN_MS), PAUSE_MAX_MS));
        return;
      case 'rejected-payload':
        this.#giveUp(root, outcome.message);
        return;
      case 'rejected-configuration':
        // The user may correct it, and no later event would show the terminal state.
        if (root.digest !== root.attempted || !isTerminal(root.desired.status)) {
          this.#giveUp(root, outcome.message);
          return;
        }
        root.failures = Math.max(root.failures, MOST_FAILURES);
        break;
      case 'transient':
      case 'ambiguous':
      case 'aborted': // By something else than our own end, after which there is no next turn.
        break;
    }
    this.#failed(root, outcome, begun);
  }

  #failed(root: ThreadRoot, outcome: Outcome & { readonly message: string }, begun: number): void {
    const now = this.#clock.monotonic();
    if (root.failures === 0 || root.failingSince === undefined) root.failingSince = begun;
    if (now - root.failingSince > LONGEST_FAILURE_MS) {
      this.#giveUp(root, undefined);
      return;
    }
    if (++root.failures === MOST_FAILURES + 1) report(root, outcome.message);
    const [from, spread] =
      root.failures > MOST_FAILURES
        ? [SLOW_MS, SLOW_MS / 2]
        : [backoff(root.failures), backoff(root.failures)];
    const rested = now + from + spread * this.#clock.random();
    // An ambiguous update may still arrive, and overwrite the next one.
    root.notBefore = outcome.kind === 'ambiguous' ? Math.max(rested, now + REQUEST_MS) : rested;
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

const ratesOf = ({ location, client }: ThreadRoot): readonly Rate[] =>
  location === undefined ? client.rates : client.updateRates;

const backoff = (failures: number): number => Math.min(BACKOFF_MIN_MS * 2 ** (failures - 1), BACKOFF_MAX_MS);

const nothing = (): void => undefined;

const report = (root: ThreadRoot, why: string): void => {
  root.deps.degraded({ reason: 'RootNotUpdated', message: why });
};

const ownerOf = ({ key }: ThreadRoot): string => addressOfRoot(key).namespace;
