import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { abortAfter, type Clock } from '@hnotif/core/clock';
import { TokenBucket, FairSemaphore } from '@hnotif/core/fair';
import { KubeError } from '../cluster/error.ts';
import type { TokenVerdict } from '../cluster/reviews.ts';
import type { Answer, Asker, Route } from '../observe/http.ts';

interface MetricsAuthOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Asks the API server whether a token may read the metrics; rejects with a `KubeError`. */
  readonly review: (token: string, signal: AbortSignal) => Promise<TokenVerdict>;
}

/** How long a verdict is kept (milliseconds), and how many are kept. Refused tokens cannot displace allowed ones. */
const KEPT = {
  allowed: { forMs: 60_000, most: 128 },
  refused: { forMs: 10_000, most: 512 },
} as const;

/** Reviews at the same time. One address may use half of them. */
const MAX_REVIEWS = 4;
/** Reviews per second, and at once. Each is two requests to the API server, which do not count for --kube-api-qps. */
const REVIEWS_PER_SECOND = 10;
const BURST = 20;
/** The longest time of one review, with its wait (milliseconds). */
const REVIEW_MS = 5_000;

/** A failed review is logged at most once in this time (milliseconds). */
const LOG_MS = 60_000;

/** The reason of a review that could not begin in time. */
const TOO_MANY = 'TooManyTokens';

interface Known {
  readonly verdict: TokenVerdict;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/**
 * Answers only requests with the bearer token of a user that may `get` the path, as kubebuilder's controllers do. The API server
 * decides. Only hashes of tokens are kept.
 */
export class MetricsAuth {
  readonly #options: MetricsAuthOptions;
  readonly #known = { allowed: new Map<string, Known>(), refused: new Map<string, Known>() };
  readonly #asking = new Map<string, Promise<TokenVerdict | undefined>>();
  readonly #turns = new FairSemaphore(MAX_REVIEWS);
  readonly #bucket: TokenBucket;
  /** When a failed review was last logged (monotonic milliseconds). */
  #loggedAt = -Infinity;

  constructor(options: MetricsAuthOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(options.clock, REVIEWS_PER_SECOND, BURST);
  }

  /** The route, for allowed tokens. */
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
        return refuse(503, 'the token could not be reviewed; the log has the reason');
    }
  }

  #kept(key: string): TokenVerdict | undefined {
    const known = this.#known.allowed.get(key) ?? this.#known.refused.get(key);
    return known !== undefined && this.#options.clock.monotonic() < known.until ? known.verdict : undefined;
  }

  /** Undefined: no answer. Requests with the same token share one review. */
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
    const cancel = abortAfter(clock, REVIEW_MS, enough);
    let granted: boolean | undefined;
    try {
      granted = await this.#turns.acquire(address, enough.signal);
      if (granted) await this.#bucket.take({ owner: '', signal: enough.signal });
      if (enough.signal.aborted) throw new KubeError(0, TOO_MANY, 'no turn in time');
      return await review(token, enough.signal);
    } catch (error) {
      this.#log(error);
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

  /** Without the error's message, because it may contain the token. */
  #log(error: unknown): void {
    const { status = 0, reason = 'Error' } = error instanceof KubeError ? error : {};
    const now = this.#options.clock.monotonic();
    if (now - this.#loggedAt < LOG_MS) return;
    this.#loggedAt = now;
    const remedy =
      status === 403
        ? 'let hnotif create tokenreviews and subjectaccessreviews, as deploy/kustomize/components/metrics-auth does'
        : reason === TOO_MANY
          ? 'find the client that sends ever new tokens to /metrics, and block it with a NetworkPolicy'
          : 'check whether the API server answers';
    this.#options.log.warn(
      { reason, status, remedy },
      'tokens for /metrics cannot be reviewed: their requests get 503',
    );
  }
}

const refuse = (status: number, why: string): Answer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: `${why}\n`,
  ...(status === 401 && { headers: { 'www-authenticate': 'Bearer' } }),
});
