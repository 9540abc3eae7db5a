import { sleep, type Clock } from '../../../clock.ts';
import type { Outcome } from '../../outcome.ts';
import type { Permits, Rate } from '../../rate.ts';
import { placeRoot, REQUEST_MS } from './placing.ts';
import { isTerminal } from './root.ts';
import type { ThreadRoot } from './thread-root.ts';
import { updateRoot } from './updating.ts';

/** Between two updates of a root at least, so that what comes together is shown together (milliseconds). */
const GAP_MS = 1_000;
/** So long an update waits for tokens that nobody else wants (milliseconds). */
const PATIENCE_MS = 10_000;
/** A receiver's own Retry-After is believed from this… */
const PAUSE_MIN_MS = 1_000;
/** …to this (milliseconds). */
const PAUSE_MAX_MS = 15 * 60_000;
/** Back-off after an update that failed, doubling from the first to the second (milliseconds). */
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** After so many failures in a row the root waits for its next event. */
const MOST_FAILURES = 20;

/**
 * Brings roots up to date behind the replies' back: no reply waits for an update or fails by one. Of the states that a root
 * passes through while its update waits only the newest is sent.
 *
 * An update takes tokens that nobody else wants. Where there are none it joins the row 10 s after the root's last update; a
 * terminal state joins it at once.
 */
export class Updater {
  readonly #clock: Clock;
  readonly #permits: Permits;
  readonly #abort = new AbortController();
  /** The roots that are worked on, and what wakes those that rest. */
  readonly #busy = new Map<ThreadRoot, () => void>();
  /** Until when a bucket's requests rest because the chat said so (monotonic milliseconds). */
  readonly #paused = new Map<string, number>();
  #hurry = false;
  #idle: (() => void)[] = [];

  constructor({ clock, permits }: { readonly clock: Clock; readonly permits: Permits }) {
    this.#clock = clock;
    this.#permits = permits;
  }

  /** Whether something is being done for a root. */
  has(root: ThreadRoot): boolean {
    return this.#busy.has(root);
  }

  /** A root may have something new to show. */
  want(root: ThreadRoot): void {
    const wake = this.#busy.get(root);
    if (wake !== undefined) wake();
    else if (root.stale && !this.#abort.signal.aborted) void this.#work(root);
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
    while (root.stale && (await this.#turn(root))) {
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
      if (signal.aborted || !root.stale) return false;
      const now = this.#clock.monotonic();
      const rates = root.place === undefined ? root.desk.rates : root.desk.updateRates;
      const resting = Math.max(root.notBefore, this.#paused.get(bucketOf(rates)) ?? -Infinity) - now;
      if (resting > 0) {
        await this.#rest(root, resting);
        continue;
      }
      if (this.#hurry || isTerminal(root.wanted.status)) return this.#permits.take(rates, signal);
      const age = now - root.shownAt;
      if (age >= PATIENCE_MS) return this.#permits.take(rates, signal);
      if (age >= GAP_MS && (await this.#takeFree(rates))) return true;
      await this.#rest(root, age < GAP_MS ? GAP_MS - age : PATIENCE_MS - age);
    }
  }

  /** Takes tokens if they are there and nobody waits for them. */
  async #takeFree(rates: readonly Rate[]): Promise<boolean> {
    const wait = new AbortController();
    const taken = this.#permits.take(rates, wait.signal);
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

  async #step(root: ThreadRoot): Promise<Outcome> {
    const { signal } = this.#abort;
    const { place } = root;
    try {
      return place === undefined
        ? await root.alone(() => placeRoot(root, this.#clock, signal))
        : await updateRoot(root, place, this.#clock, signal);
    } catch (error) {
      // A card that cannot be made: nobody else would hear of it.
      return { kind: 'rejected-payload', reason: 'Internal', message: `a fault of hnotif: ${String(error)}` };
    }
  }

  #judge(root: ThreadRoot, outcome: Outcome, begun: number): void {
    switch (outcome.kind) {
      case 'continue':
      case 'delivered':
        return;
      case 'throttled':
        if (outcome.retryAfterMs === undefined) break;
        this.#pause(root, Math.min(Math.max(outcome.retryAfterMs, PAUSE_MIN_MS), PAUSE_MAX_MS));
        return;
      case 'transient':
      case 'ambiguous':
      case 'aborted': // By something else than our own end, after which there is no next turn.
        break;
      case 'rejected-configuration':
      case 'rejected-payload':
        giveUp(root, outcome.message);
        return;
    }
    if (++root.failures > MOST_FAILURES) {
      giveUp(root, outcome.message);
      return;
    }
    const backoff = Math.min(BACKOFF_MIN_MS * 2 ** (root.failures - 1), BACKOFF_MAX_MS);
    const rested = this.#clock.monotonic() + backoff * (1 + this.#clock.random());
    // One of unclear end may still come, and would show what was over what is.
    root.notBefore = outcome.kind === 'ambiguous' ? Math.max(rested, begun + REQUEST_MS) : rested;
  }

  /** What the chat limits is the method: all roots of the token rest, but no reply does. */
  #pause(root: ThreadRoot, ms: number): void {
    const until = this.#clock.monotonic() + ms;
    if (root.place === undefined) root.notBefore = until;
    else this.#paused.set(bucketOf(root.desk.updateRates), until);
  }
}

const nothing = (): void => undefined;

/** The narrowest bucket: the one of the method. */
const bucketOf = (rates: readonly Rate[]): string => rates.at(-1)?.key ?? '';

/** What it should show now will not be shown; the next event tries again. */
function giveUp(root: ThreadRoot, why: string): void {
  root.failures = 0;
  root.lost = false;
  root.refused = root.digest;
  root.voice.notice({ reason: 'RootNotUpdated', message: why });
}
