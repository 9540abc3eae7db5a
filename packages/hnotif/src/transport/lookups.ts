import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { Clock } from '../clock.ts';
import { FairSemaphore } from '../fair/semaphore.ts';
import { TransportError } from './failure.ts';

/** All addresses of a name, in the order in which to try them; what `dns.lookup` does with `all`. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/**
 * The system's own resolver (getaddrinfo): it knows `/etc/hosts`, search domains and what else the machine is told, c-ares does not.
 */
export const resolveBySystem: Resolve = (name, done) => {
  systemLookup(name, { all: true }, done);
};

/** What came of a look-up. */
export type Looked = Error | readonly LookupAddress[];

/** One look-up may take so long (milliseconds). The resolver may go on: its thread is not free until it ends. */
export const LOOKUP_MS = 3_000;
/** …and may wait so long for its turn (milliseconds). */
export const TURN_MS = 3_000;
/** How long an answer is believed (milliseconds); that there is none, for less, since it may be there at once. */
const BELIEVED_MS = 5_000;
const MISSING_MS = 1_000;
const MOST_ANSWERS = 1_000;

/** Kept for other look-ups of the process, those of the API server's name above all. */
const SPARE = 4;

/**
 * How many look-ups may be under way in a process with so many threads (UV_THREADPOOL_SIZE). libuv gives half of them to look-ups, so
 * that files and compression never wait for those; what is over would wait for a thread where fairness ends.
 * https://docs.libuv.org/en/v1.x/threadpool.html
 */
export function lookupLimit(threads: number): number {
  const half = Math.floor((threads + 1) / 2);
  return Math.max(half - SPARE, Math.min(half, 2));
}

/** The threads of this process, as libuv counts them. */
export function threadsOf(env: Readonly<Record<string, string | undefined>>): number {
  const size = Number.parseInt(env.UV_THREADPOOL_SIZE ?? '4', 10);
  return Math.min(Math.max(Number.isNaN(size) ? 1 : size, 1), 1_024);
}

interface Options {
  readonly clock: Clock;
  readonly resolve: Resolve;
  readonly limit: number;
}

/**
 * Looks names up, so that names that are never answered delay no other namespace's. A look-up under way holds a permit of its
 * namespace until the resolver ends, also when its answer is not awaited any more: that long it occupies a thread. A name is
 * asked for once at a time.
 */
export class Lookups {
  readonly #clock: Clock;
  readonly #resolve: Resolve;
  readonly #permits: FairSemaphore;
  readonly #running = new Map<string, Promise<Looked>>();
  readonly #answers = new Map<string, { readonly looked: Looked; readonly until: number }>();

  constructor({ clock, resolve, limit }: Options) {
    this.#clock = clock;
    this.#resolve = resolve;
    this.#permits = new FairSemaphore(limit);
  }

  /** The addresses of a name for a namespace, or why there are none: `LookupWaited` says nothing of the name. Never rejects. */
  async look(name: string, owner: string, signal?: AbortSignal): Promise<Looked> {
    const known = this.#known(name);
    if (known !== undefined) return known;
    if (!(await this.#turn(owner, signal))) return new TransportError('LookupWaited');
    // Another request may have asked for it in the meantime.
    const meanwhile = this.#known(name);
    if (meanwhile === undefined) return this.#ask(name, owner);
    this.#permits.release(owner);
    return meanwhile;
  }

  /** Ends all that wait for their turn. */
  close(): void {
    this.#permits.close();
  }

  #known(name: string): Looked | Promise<Looked> | undefined {
    const answer = this.#answers.get(name);
    if (answer !== undefined && answer.until > this.#clock.monotonic()) return answer.looked;
    this.#answers.delete(name);
    return this.#running.get(name);
  }

  async #turn(owner: string, signal: AbortSignal | undefined): Promise<boolean> {
    const enough = new AbortController();
    const turn = this.#permits.acquire(owner, enough.signal);
    if (typeof turn === 'boolean') return turn;
    const end = (): void => {
      enough.abort();
    };
    const cancel = this.#clock.after(TURN_MS, end);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted === true) end();
    const granted = await turn;
    cancel();
    signal?.removeEventListener('abort', end);
    return granted;
  }

  #ask(name: string, owner: string): Promise<Looked> {
    let settle: (looked: Looked) => void = () => undefined;
    const looked = new Promise<Looked>((resolve) => (settle = resolve));
    this.#running.set(name, looked);
    // A request that asks again before the resolver has ended is told the same at once.
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
      this.#keep(name, error ?? addresses);
      settle(error ?? addresses);
    });
    return looked;
  }

  #keep(name: string, looked: Looked): void {
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= MOST_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    const until = this.#clock.monotonic() + (looked instanceof Error ? MISSING_MS : BELIEVED_MS);
    this.#answers.set(name, { looked, until });
  }
}
