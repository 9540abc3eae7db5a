import { readFile } from 'node:fs/promises';
import type { Clock } from '@hnotif/core/clock';
import { Secret } from '@hnotif/core/redaction';
import { AccessError, type Authenticator, type Credentials } from './credentials.ts';

/** Credentials that never change: a token, a password, a client certificate, or none. */
export const staticAuth = (credentials: Credentials): Authenticator => ({
  credentials: () => credentials,
  rejected: () => false,
});

/** Whether a text has only characters that a token and a header may have. */
export const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

/** What is wrong with other texts. */
export const NO_TOKEN = 'holds a line break or another character that no token has';

export const bearer = (token: string): Secret => new Secret(`Bearer ${token}`);

export const basic = (username: string, password: string): Secret =>
  new Secret(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);

/** Credentials and until when they are used, by the wall clock and by the monotonic clock. */
interface Cached {
  readonly credentials: Credentials;
  readonly wall: number;
  readonly monotonic: number;
}

/** Credentials that are fetched, cached while they are valid, and fetched again after a 401. Concurrent callers share one fetch. */
export class FetchedAuth implements Authenticator {
  readonly #clock: Clock;
  readonly #fetch: (signal: AbortSignal) => Promise<Cached>;
  readonly #closed = new AbortController();
  #cached: Cached | undefined;
  #fetching: Promise<Cached> | undefined;

  /** `fetch` is given a signal that aborts with `close`. */
  constructor(clock: Clock, fetch: (signal: AbortSignal) => Promise<Cached>) {
    this.#clock = clock;
    this.#fetch = fetch;
  }

  credentials(): Credentials | Promise<Credentials> {
    const cached = this.#cached;
    if (cached !== undefined && this.#clock.now() < cached.wall && this.#clock.monotonic() < cached.monotonic)
      return cached.credentials;
    return this.#fetched();
  }

  rejected(used: Credentials): boolean {
    // Another request may have renewed them.
    if (this.#cached?.credentials === used) this.#cached = undefined;
    return true;
  }

  close(): void {
    this.#closed.abort();
  }

  async #fetched(): Promise<Credentials> {
    this.#fetching ??= this.#fetch(this.#closed.signal).finally(() => {
      this.#fetching = undefined;
    });
    this.#cached = await this.#fetching;
    return this.#cached.credentials;
  }
}

/** The kubelet replaces a service account's token in the file long before it expires. */
const REREAD_MS = 60_000;

/**
 * A token in a file that is renewed from outside (a pod's projected service account token). It is read again every minute and after a 401.
 * If the file cannot be read, the last token stays in use. `name`: its name in errors.
 */
export function tokenFileAuth(
  clock: Clock,
  file: string,
  base: Credentials = {},
  name = `the token file ${file}`,
): Authenticator {
  let last: string | undefined;
  return new FetchedAuth(clock, async () => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (last !== undefined) return last;
      throw new AccessError(`${name} cannot be read (${error.code ?? 'unknown error'})`);
    });
    const token = text.trim() || last;
    if (token === undefined) throw new AccessError(`${name} is empty`);
    if (!isToken(token)) throw new AccessError(`${name} ${NO_TOKEN}`);
    last = token;
    return {
      credentials: { ...base, authorization: bearer(token) },
      wall: Infinity,
      monotonic: clock.monotonic() + REREAD_MS,
    };
  });
}
