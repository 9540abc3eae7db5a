import { Share } from './share.ts';

interface Waiter {
  readonly settle: (granted: boolean) => void;
}

/**
 * A counting semaphore that namespaces share. Each may hold its share (`Share`: one alone gets half of the permits). A request beyond it
 * waits for a release. The owner that holds least is served first.
 */
export class FairSemaphore {
  readonly #share: Share;
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #perTurn: number;
  /** How many more waiting requests may be served in this turn of the event loop. */
  #left: number;
  #closed = false;

  /** `perTurn`: how many waiting requests are served in one turn of the event loop. Default: no limit. */
  constructor(limit: number, perTurn = Infinity) {
    this.#share = new Share(limit);
    this.#left = this.#perTurn = perTurn;
  }

  /** The permits that are held. */
  get held(): number {
    return this.#share.total;
  }

  heldBy(owner: string): number {
    return this.#share.held(owner);
  }

  /** The number of waiting requests of an owner. If there are some, it is over its share. */
  waiting(owner: string): number {
    return this.#waiting.get(owner)?.size ?? 0;
  }

  /** Whether nothing is held and nothing waits. */
  get unused(): boolean {
    return this.#share.total === 0 && this.#waiting.size === 0;
  }

  /** True once a permit is held: at once, or as a promise. False after `close` or once `signal` aborts: nothing is held. */
  acquire(owner: string, signal?: AbortSignal): boolean | Promise<boolean> {
    if (this.#closed || signal?.aborted === true) return false;
    if (!this.#waiting.has(owner) && this.#share.admits(owner)) {
      this.#share.take(owner);
      return true;
    }
    return new Promise((resolve) => {
      const callOff = (): void => {
        this.#leave(owner, waiter);
        resolve(false);
      };
      const waiter: Waiter = {
        settle(granted) {
          signal?.removeEventListener('abort', callOff);
          resolve(granted);
        },
      };
      signal?.addEventListener('abort', callOff, { once: true });
      const waiters = this.#waiting.get(owner) ?? new Set();
      this.#waiting.set(owner, waiters.add(waiter));
    });
  }

  /** Releases a permit. */
  release(owner: string): void {
    this.#share.give(owner);
    if (this.#waiting.size > 0) this.#serve();
  }

  /** Ends all waits. Nothing more is granted. */
  close(): void {
    this.#closed = true;
    for (const waiters of this.#waiting.values()) for (const { settle } of waiters) settle(false);
    this.#waiting.clear();
  }

  #serve(): void {
    for (let owner = this.#poorest(); owner !== undefined; owner = this.#poorest()) {
      if (this.#left === 0) return;
      const [waiter] = this.#waiting.get(owner) ?? [];
      if (waiter === undefined) return;
      this.#count();
      this.#leave(owner, waiter, true);
      this.#share.take(owner);
      waiter.settle(true);
    }
  }

  /** Counts a served request. When the limit of the turn is reached, the others are served in the next one. */
  #count(): void {
    if (this.#left-- < this.#perTurn) return;
    setImmediate(() => {
      this.#left = this.#perTurn;
      this.#serve();
    });
  }

  /** The waiting owner that holds least, if it may have one more. Among equals, the one that was served longest ago. */
  #poorest(): string | undefined {
    let poorest: string | undefined;
    for (const owner of this.#waiting.keys())
      if (poorest === undefined || this.#share.held(owner) < this.#share.held(poorest)) poorest = owner;
    return poorest !== undefined && this.#share.admits(poorest) ? poorest : undefined;
  }

  #leave(owner: string, waiter: Waiter, isServed = false): void {
    const waiters = this.#waiting.get(owner);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(owner);
    else if (isServed && waiters !== undefined) {
      this.#waiting.delete(owner);
      this.#waiting.set(owner, waiters);
    }
  }
}
