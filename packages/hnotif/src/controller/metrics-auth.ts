import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { TokenBucket } from '../fair/token-bucket.ts';
import { KubeError } from '../cluster/error.ts';
import type { TokenVerdict } from '../cluster/token-review.ts';
import { FairSemaphore } from '../fair/semaphore.ts';
import type { Answer, Asker, Route } from '../observe/http.ts';

export interface MetricsAuthOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Asks the API server what a token may do; rejects with a `KubeError`. */
  readonly review: (token: string, signal: AbortSignal) => Promise<TokenVerdict>;
}

/** How long an answer is believed (milliseconds), and how many are kept. What strangers send takes no room of those who may. */
const KEPT = {
  allowed: { forMs: 60_000, most: 128 },
  refused: { forMs: 10_000, most: 512 },
} as const;

/** Reviews under way: one address alone has half of them. */
const MAX_REVIEWS = 4;
/** Reviews a second, and at once: two requests to the API server each, beside --kube-api-qps. */
const REVIEWS_PER_SECOND = 10;
const BURST = 20;
/** One review, its turn included (milliseconds). */
const REVIEW_MS = 5_000;

/** Why reviews cannot be made is logged at most so often (milliseconds). */
const TELL_MS = 60_000;

/** The reason of a review that had no turn. */
const TOO_MANY = 'TooManyTokens';

interface Known {
  readonly verdict: TokenVerdict;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/**
 * Lets those ask who show a bearer token of a user that the API server allows to `get` the path, as kubebuilder's controllers do.
 * Tokens are kept as hashes alone.
 */
export class MetricsAuth {
  readonly #options: MetricsAuthOptions;
  readonly #known = { allowed: new Map<string, Known>(), refused: new Map<string, Known>() };
  readonly #asking = new Map<string, Promise<TokenVerdict | undefined>>();
  readonly #turns = new FairSemaphore(MAX_REVIEWS);
  readonly #bucket: TokenBucket;
  /** When it was last logged why the API server could not be asked (monotonic milliseconds). */
  #toldAt = -Infinity;

  constructor(options: MetricsAuthOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(options.clock, REVIEWS_PER_SECOND, BURST);
  }

  /** The route, for those who may. */
  guard(route: Route): Route {
    return async (asker) => (await this.#refusal(asker)) ?? route(asker);
  }

  async #refusal({ authorization, address }: Asker): Promise<Answer | undefined> {
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return refuse(401, 'give a bearer token in the header Authorization');
    const key = createHash('sha256').update(token).digest('base64');
    const verdict = this.#kept(key) ?? (await (this.#asking.get(key) ?? this.#ask(key, token, address)));
    switch (verdict) {
      case 'allowed':
        return undefined;
      case 'unauthenticated':
        return refuse(401, 'the API server does not know the token, or it has expired');
      case 'forbidden':
        return refuse(403, 'the user of the token may not get the nonResourceURL /metrics');
      case undefined:
        return refuse(503, 'the API server could not be asked about the token; the log says why');
    }
  }

  #kept(key: string): TokenVerdict | undefined {
    const known = this.#known.allowed.get(key) ?? this.#known.refused.get(key);
    return known !== undefined && this.#options.clock.monotonic() < known.until ? known.verdict : undefined;
  }

  /** Undefined: there is no answer. Those who come with the same token meanwhile get the same. */
  #ask(key: string, token: string, address: string): Promise<TokenVerdict | undefined> {
    const asking = this.#review(token, address)
      .then((verdict) => {
        if (verdict !== undefined) this.#keep(key, verdict);
        return verdict;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #review(token: string, address: string): Promise<TokenVerdict | undefined> {
    const { clock, review } = this.#options;
    const enough = new AbortController();
    const cancel = clock.after(REVIEW_MS, () => {
      enough.abort();
    });
    let granted: boolean | undefined;
    try {
      granted = await this.#turns.acquire(address, enough.signal);
      if (granted) await this.#bucket.take({ owner: '', signal: enough.signal });
      if (enough.signal.aborted) throw new KubeError(0, TOO_MANY, 'no turn in time');
      return await review(token, enough.signal);
    } catch (error) {
      this.#tell(error);
      return undefined;
    } finally {
      cancel();
      if (granted === true) this.#turns.release(address);
    }
  }

  #keep(key: string, verdict: TokenVerdict): void {
    for (const known of Object.values(this.#known)) known.delete(key);
    const kind = verdict === 'allowed' ? 'allowed' : 'refused';
    const [known, { forMs, most }] = [this.#known[kind], KEPT[kind]];
    known.set(key, { verdict, until: this.#options.clock.monotonic() + forMs });
    const [oldest = ''] = known.keys();
    if (known.size > most) known.delete(oldest);
  }

  /** Without the message, in which the token may be repeated; once a minute at most. */
  #tell(error: unknown): void {
    const { status = 0, reason = 'Error' } = error instanceof KubeError ? error : {};
    const now = this.#options.clock.monotonic();
    if (now - this.#toldAt < TELL_MS) return;
    this.#toldAt = now;
    const remedy =
      status === 403
        ? 'let hnotif create tokenreviews and subjectaccessreviews, as deploy/hnotif.yaml does'
        : reason === TOO_MANY
          ? 'see which client asks for /metrics with ever new tokens, and keep it from the port by a NetworkPolicy'
          : 'see whether the API server answers';
    this.#options.log.warn(
      { reason, status, remedy },
      'the API server cannot be asked who may read /metrics: such requests are answered 503',
    );
  }
}

const refuse = (status: number, why: string): Answer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: `${why}\n`,
  ...(status === 401 && { headers: { 'www-authenticate': 'Bearer' } }),
});
