import type { ApiError } from './status.ts';
import { faultStatus, type StatusEffect } from './fault-status.ts';
import type { Watches } from './watch.ts';
import type { Request, Where } from './where.ts';
import { fits } from './where.ts';

/** The kinds of faults, and the requests that they affect. */
export interface Fault extends Where {
  /** How many requests it affects before it is removed. Default: all, until it is removed. */
  readonly times?: number;
  /** 0 to 1: the probability for a matching request. Default 1. */
  readonly chance?: number;
  readonly effect: Effect;
}

export type Effect =
  /** Handled after it settles, unless the client has disconnected. Faults that are added later may still apply. */
  | { readonly kind: 'delay'; readonly until: Promise<unknown> }
  | StatusEffect
  /** The connection is reset without an answer. `after`: the request has been carried out. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** The connection ends after this number of bytes of the answer's body, possibly within a line. */
  | { readonly kind: 'cut'; readonly afterBytes: number };

/** The controls of a test over a server and its clients. */
export interface Faults {
  /**
   * Affects later requests. Returns a function that removes it. Matching faults are applied in the order in which they were added, up to
   * the first that answers or resets.
   */
  add(fault: Fault): () => void;
  /** Removes all. */
  clear(): void;
  /** Ends open watches: `end` like a server's time-out, `reset` by cutting the connection. Returns their number. */
  cutWatches(how: 'end' | 'reset', where?: Where): number;
  /** Matching open watches stay open, but get nothing more, also no bookmarks. Returns their number. */
  silenceWatches(where?: Where): number;
  /** How often faults of `add` were applied. */
  readonly hits: number;
}

/** What to do with a request. */
export type Fate =
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'reset' }
  /** Its client has disconnected during the delay. */
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
   * Applies the matching faults.
   *
   * @param left aborted when the client has disconnected
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
    // It may have been removed while another fault delayed this request.
    if (!this.#entries.has(entry) || !fits(fault, request)) return false;
    if (fault.chance !== undefined && this.#random() >= fault.chance) return false;
    this.#hits++;
    if (--entry.left <= 0) this.#entries.delete(entry);
    return true;
  }
}

/** Resolves when `until` has settled, either way, or the client has disconnected. */
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
