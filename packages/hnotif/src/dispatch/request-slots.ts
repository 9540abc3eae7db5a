import { FairSemaphore } from '@hnotif/core/fair';
import { RateLimiter, type Slots } from '@hnotif/core/sinks';
import type { Clock } from '@hnotif/core/clock';
import type { Limits } from './limits.ts';

/**
 * Requests that continue in one turn of the event loop after a wait: about a millisecond of work. Refused connections all end at once, and
 * would start as many new requests in the same turn.
 */
const PER_TURN = 8;

/** The limit that a request waits for. */
export type SlotShortage = 'origin' | 'process';

/** Limits the requests in flight: to each origin (scheme, host, port), and of the process. Namespaces share both. */
export class RequestSlots implements Slots {
  readonly #perOrigin: number;
  readonly #origins = new Map<string, FairSemaphore>();
  readonly #process: FairSemaphore;
  #isClosed = false;

  constructor(perOrigin: number, ofProcess: number) {
    this.#perOrigin = perOrigin;
    this.#process = new FairSemaphore(ofProcess, PER_TURN);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves with true once a slot is held, with false after `close`: nothing is held. */
  async acquire(origin: string, namespace: string): Promise<boolean> {
    if (this.#isClosed) return false;
    let slots = this.#origins.get(origin);
    if (slots === undefined)
      this.#origins.set(origin, (slots = new FairSemaphore(this.#perOrigin, PER_TURN)));
    if (!(await slots.acquire(namespace))) return false;
    if (await this.#process.acquire(namespace)) return true;
    this.#releaseOrigin(origin, namespace);
    return false;
  }

  release(origin: string, namespace: string): void {
    this.#process.release(namespace);
    this.#releaseOrigin(origin, namespace);
  }

  /** The limit that the namespace waits for, and how many slots of it the namespace holds; undefined: it does not wait. */
  shortage(
    origin: string,
    namespace: string,
  ): { readonly of: SlotShortage; readonly held: number } | undefined {
    const slots = this.#origins.get(origin);
    if (slots !== undefined && slots.waiting(namespace) > 0)
      return { of: 'origin', held: slots.heldBy(namespace) };
    if (this.#process.waiting(namespace) > 0) return { of: 'process', held: this.#process.heldBy(namespace) };
    return undefined;
  }

  /** Ends all waits; nothing more is granted. */
  close(): void {
    this.#isClosed = true;
    for (const slots of this.#origins.values()) slots.close();
    this.#process.close();
  }

  #releaseOrigin(origin: string, namespace: string): void {
    const slots = this.#origins.get(origin);
    slots?.release(namespace);
    if (slots?.unused === true) this.#origins.delete(origin);
  }
}

/** The limits of requests: the rate limits of sinks, with the slots. Deliveries and updates of roots take both. */
export const requestLimits = (
  clock: Clock,
  { requestsPerOrigin, requests }: Pick<Limits, 'requestsPerOrigin' | 'requests'>,
): RateLimiter & { readonly slots: RequestSlots } =>
  Object.assign(new RateLimiter(clock), { slots: new RequestSlots(requestsPerOrigin, requests) });
