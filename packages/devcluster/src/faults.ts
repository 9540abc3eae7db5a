import type { ApiError } from './status.ts';
import { faultStatus } from './faultstatus.ts';
import type { Watches } from './watch.ts';
import type { Request, Where } from './where.ts';
import { fits } from './where.ts';

/** What goes wrong on request, and for whom. */
export interface Fault extends Where {
  /** How many requests it hits; then it is gone. Default: all, until it is removed. */
  readonly times?: number;
  /** 0 to 1: the chance that it hits a request that fits. Default 1. */
  readonly chance?: number;
  readonly effect: Effect;
}

export type Effect =
  /** Handled when it settles, unless the client has gone by then; faults added later may still follow. */
  | { readonly kind: 'delay'; readonly until: Promise<unknown> }
  /** Answered with a Status; nothing is done. `retryAfter`: seconds, in the header and in the Status. */
  | {
      readonly kind: 'status';
      readonly code: number;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfter?: number;
    }
  /** The connection is reset without an answer; `after`: what was asked for has been done. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** The connection ends once so many bytes of the answer's body are out, in the middle of a line if it comes so. */
  | { readonly kind: 'cut'; readonly afterBytes: number };

/** What a test does to a server and its clients. */
export interface Faults {
  /**
   * Takes effect for requests that come later; gives a function that takes it away. Those that fit a request are
   * applied in the order in which they were added, up to the first that answers or resets.
   */
  add(fault: Fault): () => void;
  /** Takes all away. */
  clear(): void;
  /** Ends open watches: `end` as a server does at its time-out, `reset` by cutting the connection. How many. */
  cutWatches(how: 'end' | 'reset', where?: Where): number;
  /** Open watches that fit stay open, and nothing more is ever written to them, bookmarks neither. How many. */
  silenceWatches(where?: Where): number;
  /** How often any fault of `add` has hit. */
  readonly hits: number;
}

/** What is to become of a request. */
export type Fate =
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'reset' }
  /** Its client has gone while it was delayed. */
  | { readonly kind: 'left' }
  | { readonly kind: 'handled'; readonly resetAfter: boolean; readonly cutAfter: number | undefined };

interface Entry {
  readonly fault: Fault;
  left: number;
}

/** The faults of one server. */
export class FaultList implements Faults {
  readonly #watches: Watches;
  readonly #random: () => number;
  readonly #entries = new Set<Entry>();
  #hits = 0;

  constructor(watches: Watches, random: () => number) {
    this.#watches = watches;
    this.#random = random;
  }

  get hits(): number {
    return this.#hits;
  }

  add(fault: Fault): () => void {
    const entry = { fault, left: fault.times ?? Infinity };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
    };
  }

  clear(): void {
    this.#entries.clear();
  }

  cutWatches(how: 'end' | 'reset', where: Where = {}): number {
    return how === 'end' ? this.#watches.expire(where) : this.#watches.reset(where);
  }

  silenceWatches(where: Where = {}): number {
    return this.#watches.silence(where);
  }

  /**
   * Lets the faults that fit have their way.
   *
   * @param left aborted when the client has gone
   */
  async meet(request: Request, left: AbortSignal): Promise<Fate> {
    let cutAfter: number | undefined;
    for (const entry of [...this.#entries]) {
      if (!this.#hit(entry, request)) continue;
      const { effect } = entry.fault;
      switch (effect.kind) {
        case 'delay':
          await settled(effect.until, left);
          if (left.aborted) return { kind: 'left' };
          break;
        case 'status':
          return { kind: 'refused', error: faultStatus(effect, request) };
        case 'reset':
          if (effect.when === 'before') return { kind: 'reset' };
          return { kind: 'handled', resetAfter: true, cutAfter };
        case 'cut':
          cutAfter = Math.min(cutAfter ?? Infinity, effect.afterBytes);
      }
    }
    return { kind: 'handled', resetAfter: false, cutAfter };
  }

  #hit(entry: Entry, request: Request): boolean {
    const { fault } = entry;
    // While another fault delayed this request, it may have been taken away.
    if (!this.#entries.has(entry) || !fits(fault, request)) return false;
    if (fault.chance !== undefined && this.#random() >= fault.chance) return false;
    this.#hits++;
    if (--entry.left <= 0) this.#entries.delete(entry);
    return true;
  }
}

/** Resolves when `until` has settled, either way, or the client has gone. */
function settled(until: Promise<unknown>, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      resolve();
    };
    left.addEventListener('abort', done, { once: true });
    until.then(done, done);
    if (left.aborted) done();
  });
}
