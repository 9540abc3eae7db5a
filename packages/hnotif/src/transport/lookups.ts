import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { abortAfter, type Clock } from '@hnotif/core/clock';
import { FairSemaphore, overflowOf } from '@hnotif/core/fair';
import { TransportError } from './failure.ts';

/** Gives all addresses of a name, in the order in which to try them, as `dns.lookup` does with `all`. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The system's resolver (getaddrinfo). Unlike c-ares it uses `/etc/hosts`, search domains and the machine's other settings. */
export const resolveBySystem: Resolve = (name, done) => {
  systemLookup(name, { all: true }, done);
};

export type LookupResult = Error | readonly LookupAddress[];

/** The time limit of a look-up (milliseconds). The resolver may take longer: it occupies its thread until it ends. */
export const LOOKUP_MS = 3_000;
/** The longest wait for a permit (milliseconds). */
export const QUEUE_MS = 3_000;
/** How long results are cached (milliseconds): addresses, and failures. */
const CACHE_MS = 5_000;
const NEGATIVE_CACHE_MS = 1_000;
/** The most cached results. The namespaces with the most of them lose their oldest. */
const MOST_CACHED = 1_000;

/** For other look-ups of the process, mainly of the API server's name. */
const RESERVED_THREADS = 4;

/**
 * How many look-ups may run at once, by the size of the thread pool (UV_THREADPOOL_SIZE). libuv gives half of the threads to look-ups.
 * More look-ups would wait in libuv's own queue, which is not fair.
 * https://docs.libuv.org/en/v1.x/threadpool.html
 */
export function lookupLimit(threads: number): number {
  const half = Math.floor((threads + 1) / 2);
  return Math.max(half - RESERVED_THREADS, Math.min(half, 2));
}

/** The size of the thread pool, as libuv reads it. */
export function threadPoolSize(env: Readonly<Record<string, string | undefined>>): number {
  const size = Number.parseInt(env.UV_THREADPOOL_SIZE ?? '4', 10);
  return Math.min(Math.max(Number.isNaN(size) ? 1 : size, 1), 1_024);
}

interface Cached {
  readonly result: LookupResult;
  readonly until: number;
  /** The namespace whose request looked it up. */
  readonly owner: string;
}

interface Options {
  readonly clock: Clock;
  readonly resolve: Resolve;
  readonly limit: number;
}

/**
 * Looks up names. Names without an answer delay no other namespace: a look-up holds a permit of its namespace until the resolver
 * ends, even after its time limit, because it occupies a thread until then. One look-up for a name runs at a time.
 */
export class Lookups {
  readonly #clock: Clock;
  readonly #resolve: Resolve;
  readonly #permits: FairSemaphore;
  readonly #running = new Map<string, Promise<LookupResult>>();
  readonly #cache = new Map<string, Cached>();

  constructor({ clock, resolve, limit }: Options) {
    this.#clock = clock;
    this.#resolve = resolve;
    this.#permits = new FairSemaphore(limit);
  }

  /** The addresses of a name, or the error. `LookupWaited`: the name was not looked up. Never rejects. */
  async resolve(name: string, owner: string, signal?: AbortSignal): Promise<LookupResult> {
    const known = this.#cachedOrRunning(name);
    if (known !== undefined) return known;
    if (!(await this.#acquirePermit(owner, signal))) return new TransportError('LookupWaited');
    // Another request may have looked it up meanwhile.
    const meanwhile = this.#cachedOrRunning(name);
    if (meanwhile === undefined) return this.#lookUp(name, owner);
    this.#permits.release(owner);
    return meanwhile;
  }

  /** Ends all requests that wait for a permit. */
  close(): void {
    this.#permits.close();
  }

  #cachedOrRunning(name: string): LookupResult | Promise<LookupResult> | undefined {
    const answer = this.#cache.get(name);
    if (answer !== undefined && answer.until > this.#clock.monotonic()) return answer.result;
    this.#cache.delete(name);
    return this.#running.get(name);
  }

  async #acquirePermit(owner: string, signal: AbortSignal | undefined): Promise<boolean> {
    const wait = new AbortController();
    const permit = this.#permits.acquire(owner, wait.signal);
    if (typeof permit === 'boolean') return permit;
    const cancel = abortAfter(this.#clock, QUEUE_MS, wait, signal);
    const granted = await permit;
    cancel();
    return granted;
  }

  #lookUp(name: string, owner: string): Promise<LookupResult> {
    let settle: (result: LookupResult) => void = () => undefined;
    const result = new Promise<LookupResult>((resolve) => (settle = resolve));
    this.#running.set(name, result);
    // Until the resolver has ended, later requests get this result, too.
    const cancel = this.#clock.after(LOOKUP_MS, () => {
      settle(
        new TransportError(
          'NameLookupFailed',
          "the look-up of the host's name got no answer within 3 s; check the name, and the DNS that serves it",
        ),
      );
    });
    this.#resolve(name, (error, addresses) => {
      cancel();
      this.#running.delete(name);
      this.#permits.release(owner);
      this.#store(name, owner, error ?? addresses);
      settle(error ?? addresses);
    });
    return result;
  }

  #store(name: string, owner: string, result: LookupResult): void {
    const until = this.#clock.monotonic() + (result instanceof Error ? NEGATIVE_CACHE_MS : CACHE_MS);
    this.#cache.set(name, { result, until, owner });
    for (const [oldest] of overflowOf(this.#cache, MOST_CACHED, (cached) => cached.owner))
      this.#cache.delete(oldest);
  }
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Replaces the look-up when a connection is opened: the host is a list of addresses that were resolved and checked before. For a
 * single address Node does not call it.
 */
export const lookupGivenAddresses: LookupFunction = (
  host: string,
  options: LookupOptions,
  callback: LookupCallback,
): void => {
  const addresses = host.split(',').map((address) => ({ address, family: isIP(address) }));
  const [first] = addresses;
  const isInvalid = addresses.some(({ family }) => family === 0);
  if (first === undefined || isInvalid) callback(new TransportError('NetworkError'), []);
  else if (options.all === true) callback(null, addresses);
  else callback(null, first.address, first.family);
};
