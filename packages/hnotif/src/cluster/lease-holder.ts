import type { Clock } from '../clock.ts';
import { KubeError } from './error.ts';
import { formatMicros, type Lease } from './lease.ts';
import type { Moment, Step } from './lease-rules.ts';
import type { LeaseStore } from './lease-store.ts';

export interface LeaseHolderOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly identity: string;
  readonly leaseDurationMs: number;
}

/** A write that was answered, and when it was sent: others count from no earlier moment. */
export interface Write {
  readonly lease: Lease;
  readonly sent: Moment;
}

/** What a refused write may mean: that the Lease is another one than we think, or is gone. */
const STALE: ReadonlySet<number> = new Set([400, 404, 409]);

const isStale = (error: unknown): boolean => error instanceof KubeError && STALE.has(error.status);

/**
 * Writes us into a Lease, keeps us there, takes us out. After a write without an answer the Lease is read before the next
 * one, so that no write is ever made over one of somebody else. Every method rejects with a `KubeError`.
 */
export class LeaseHolder {
  readonly #options: LeaseHolderOptions;
  /** The Lease as our last write left it; undefined when that is not known. */
  #held: Lease | undefined;
  /** What our last taking wrote, which may stand there. */
  #taken: Pick<Lease, 'acquireTime' | 'transitions'> | undefined;

  constructor(options: LeaseHolderOptions) {
    this.#options = options;
  }

  async take(step: Exclude<Step, { do: 'wait' }>, signal: AbortSignal): Promise<Write> {
    const { store, clock, identity: holder, leaseDurationMs: durationMs } = this.#options;
    const sent = this.#moment();
    const now = formatMicros(clock.now());
    const { transitions } = step;
    const record = { holder, durationMs, acquireTime: now, renewTime: now, transitions };
    this.#taken = record;
    this.#held = undefined;
    this.#held =
      step.do === 'create'
        ? await store.create(record, signal)
        : await store.update(step.lease, record, signal);
    return { lease: this.#held, sent };
  }

  /** Answers with why the Lease is ours no more, when it is not. */
  async renew(signal: AbortSignal): Promise<Write | string> {
    const { store, identity, leaseDurationMs: durationMs } = this.#options;
    for (let again = true; ; again = false) {
      const lease = this.#held ?? (await store.read(signal));
      if (lease === undefined) return 'it was deleted';
      if (lease.holder !== identity)
        return lease.holder === '' ? 'somebody has cleared it' : `${lease.holder} has taken it`;
      const sent = this.#moment();
      this.#held = undefined;
      try {
        const record = { ...lease, durationMs, renewTime: this.#after(lease.renewTime) };
        const written = await store.update(lease, record, signal);
        this.#held = written;
        // A new one, which our write has made: the old one may have been free for others before.
        return written.uid === lease.uid ? { lease: written, sent } : 'it was deleted';
      } catch (error) {
        if (!again || !isStale(error)) throw error;
      }
    }
  }

  /**
   * Answers whether the Lease was ours. As client-go does, so that others take it at once. What a later candidacy of this
   * process has taken is left alone.
   */
  async giveBack(signal: AbortSignal): Promise<boolean> {
    const taken = this.#taken;
    if (taken === undefined) return false;
    const { store, clock, identity } = this.#options;
    for (let again = true; ; again = false) {
      const lease = this.#held ?? (await store.read(signal));
      if (lease?.holder !== identity) return false;
      if (lease.transitions !== taken.transitions || lease.acquireTime !== taken.acquireTime) return false;
      this.#held = undefined;
      const now = formatMicros(clock.now());
      const record = { ...lease, holder: '', durationMs: 1000, acquireTime: now, renewTime: now };
      try {
        await store.update(lease, record, signal);
        return true;
      } catch (error) {
        if (!again || !isStale(error)) throw error;
      }
    }
  }

  /** Now. That it changes is all by which others see a renewal, so it does, wherever the wall clock stands. */
  #after(renewTime: string): string {
    const now = this.#options.clock.now();
    const text = formatMicros(now);
    return text === renewTime ? formatMicros(now + 1) : text;
  }

  #moment(): Moment {
    return { wall: this.#options.clock.now(), monotonic: this.#options.clock.monotonic() };
  }
}
