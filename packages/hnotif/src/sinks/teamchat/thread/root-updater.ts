import { sleep, type Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import type { RateLimits, Rate } from '../../rate.ts';
import { ensureRoot, REQUEST_MS } from './post-root.ts';
import { addressOfRoot, isTerminal } from './root.ts';
import type { ThreadRoot } from './thread-root.ts';
import { updateRoot } from './update-root.ts';

/** Between two updates of a root at least, so that what comes together is shown together (milliseconds). */
const GAP_MS = 1_000;
/** So long an update waits for tokens that nobody else wants (milliseconds). */
const LONGEST_WAIT_MS = 10_000;
/** A receiver's own Retry-After is believed from this… */
const PAUSE_MIN_MS = 1_000;
/** …to this (milliseconds). */
const PAUSE_MAX_MS = 15 * 60_000;
/** Back-off after an update that failed, doubling from the first to the second (milliseconds). */
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** After so many failures in a row it is told, and tried now and then… */
const MOST_FAILURES = 20;
/** …after so long, and by half as much again at most (milliseconds)… */
const SLOW_MS = 10 * 60_000;
/** …until it has failed for so long. */
const LONGEST_FAILURE_MS = 24 * 3_600_000;

/**
 * Brings roots up to date behind the replies' back: no reply waits for an update or fails by one. Of the states that a root
 * passes through while its update waits only the newest is sent.
 *
 * An update takes tokens that nobody else wants. Where there are none it joins the row 10 s after the root's last update, a
 * terminal state at once; there the bucket lets messages go first.
 */
export class RootUpdater {
  readonly #clock: Clock;
  readonly #permits: RateLimits;
  readonly #abort = new AbortController();
  /** The roots that are worked on, and what wakes those that rest. */
  readonly #busy = new Map<ThreadRoot, () => void>();
  #hurry = false;
  #idle: (() => void)[] = [];

  constructor({ clock, permits }: { readonly clock: Clock; readonly permits: RateLimits }) {
    this.#clock = clock;
    this.#permits = permits;
  }

  /** Whether something is being done for a root. */
  has(root: ThreadRoot): boolean {
    return this.#busy.has(root);
  }

  /** A root may have something new to show. */
  schedule(root: ThreadRoot): void {
    if (root.failures > MOST_FAILURES && root.digest !== root.tried) root.resetFailures();
    const wake = this.#busy.get(root);
    if (wake !== undefined) wake();
    else if (root.isStale && !this.#abort.signal.aborted) void this.#work(root);
  }

  /** Resolves when no root waits for an update any more. Until then none is patient. */
  async idle(): Promise<void> {
    if (this.#busy.size === 0) return;
    this.#hurry = true;
    const done = new Promise<void>((resolve) => this.#idle.push(resolve));
    for (const wake of [...this.#busy.values()]) wake();
    await done;
  }

  close(): void {
    this.#abort.abort();
    for (const wake of [...this.#busy.values()]) wake();
  }

  async #work(root: ThreadRoot): Promise<void> {
    this.#busy.set(root, nothing);
    while (root.isStale && (await this.#turn(root))) {
      root.tried = root.digest;
      const begun = this.#clock.monotonic();
      this.#judge(root, await this.#step(root), begun);
    }
    this.#busy.delete(root);
    if (this.#busy.size > 0) return;
    this.#hurry = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Waits until it is the root's turn and takes the tokens. False: there is nothing to do any more. */
  async #turn(root: ThreadRoot): Promise<boolean> {
    const { signal } = this.#abort;
    for (;;) {
      if (signal.aborted || !root.isStale) return false;
      const now = this.#clock.monotonic();
      const resting = Math.max(root.notBefore, root.quietAt) - now;
      if (resting > 0) {
        // Nobody who wants to end waits for what fails for long.
        if (this.#hurry && root.failures > MOST_FAILURES) return false;
        await this.#rest(root, resting);
        continue;
      }
      const { location } = root;
      const rates = ratesOf(root);
      const age = now - root.shownAt;
      if (this.#hurry || isTerminal(root.desired.status) || age >= LONGEST_WAIT_MS) {
        const permit = this.#permits.take(rates, { owner: ownerOf(root), signal, priority: 'update' });
        if (permit === true) return true;
        // It may have been a long time.
        if (!(await permit)) return false;
        if (root.isStale && root.location === location && root.notBefore <= this.#clock.monotonic())
          return true;
        continue;
      }
      if (age >= GAP_MS && (await this.#takeFree(root, rates))) return true;
      await this.#rest(root, age < GAP_MS ? GAP_MS - age : LONGEST_WAIT_MS - age);
    }
  }

  /** Takes tokens if they are there and nobody waits for them. */
  async #takeFree(root: ThreadRoot, rates: readonly Rate[]): Promise<boolean> {
    const wait = new AbortController();
    const taken = this.#permits.take(rates, {
      owner: ownerOf(root),
      signal: wait.signal,
      priority: 'update',
    });
    wait.abort();
    return taken;
  }

  /** Until the time is over or somebody wakes it. */
  async #rest(root: ThreadRoot, ms: number): Promise<void> {
    const woken = new AbortController();
    this.#busy.set(root, () => {
      woken.abort();
    });
    await sleep(this.#clock, ms, woken.signal);
    this.#busy.set(root, nothing);
  }

  /** Undefined: it stands, and no request was made. */
  async #step(root: ThreadRoot): Promise<Outcome | undefined> {
    const call = { signal: this.#abort.signal, slot: () => true };
    const { location } = root;
    try {
      return location === undefined
        ? await root.exclusively(() => ensureRoot(root, this.#clock, call))
        : await updateRoot(root, location, this.#clock, call);
    } catch (error) {
      // A card that cannot be made: nobody else would hear of it.
      return { kind: 'rejected-payload', reason: 'Internal', message: `a fault of hnotif: ${String(error)}` };
    }
  }

  #judge(root: ThreadRoot, outcome: Outcome | undefined, begun: number): void {
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
        // Somebody may mend it, and no other event will bring the end to light.
        if (root.digest !== root.tried || !isTerminal(root.desired.status)) {
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
    // One of unclear end may still come, and would show what was over what is.
    root.notBefore = outcome.kind === 'ambiguous' ? Math.max(rested, now + REQUEST_MS) : rested;
  }

  /** What the chat limits is the method, or the channel: no request of its kind is made, and no other one waits for that. */
  #pause(root: ThreadRoot, ms: number): void {
    root.notBefore = this.#clock.monotonic() + ms;
    // The narrowest bucket of an update is that of the method.
    const paused = root.location === undefined ? root.client.rates : root.client.updateRates.slice(-1);
    for (const { key } of paused) this.#permits.pause(key, ms);
  }

  /** What it was tried with will not be shown; the next event tries again. */
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
  root.context.notice({ reason: 'RootNotUpdated', message: why });
};

const ownerOf = ({ key }: ThreadRoot): string => addressOfRoot(key).namespace;
