import { Share } from './share.ts';

interface Waiter {
  readonly settle: (granted: boolean) => void;
}

/**
 * A counting semaphore that namespaces share. Each may hold its share (`Share`: one alone half of the permits, and never the last
 * ones); who wants more waits until something is given back. Of those who wait the one that holds least comes first.
 */
export class FairSemaphore {
  readonly #share: Share;
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #perTurn: number;
  /** How many more of those that wait are served in this turn of the event loop. */
  #left: number;
  #closed = false;

  /** `perTurn`: of those that wait, so many are served in one turn of the event loop. Default: any number. */
  constructor(limit: number, perTurn = Infinity) {
    this.#share = new Share(limit);
    this.#left = this.#perTurn = perTurn;
  }

  /** Permits that are held. */
  get held(): number {
    return this.#share.total;
  }

  heldBy(owner: string): number {
    return this.#share.held(owner);
  }

  /** How many of an owner wait, which is over its share then. */
  waiting(owner: string): number {
    return this.#waiting.get(owner)?.size ?? 0;
  }

  /** Whether it can be forgotten. */
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

  /** Gives a permit back. */
  release(owner: string): void {
    this.#share.give(owner);
    if (this.#waiting.size > 0) this.#serve();
  }

  /** Ends all waits, also later ones: nothing more is granted. */
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

  /** One is served in this turn. The others' turn comes when all else of this one is done. */
  #count(): void {
    if (this.#left-- < this.#perTurn) return;
    setImmediate(() => {
      this.#left = this.#perTurn;
      this.#serve();
    });
  }

  /** Who waits and holds least, if it may have one more; of those that hold the same the one that was served longest ago. */
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
