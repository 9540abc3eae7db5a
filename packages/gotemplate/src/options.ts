/** What a template is parsed and executed with. */
import { DEFAULT_LIMITS, type Limits } from './budget.ts';
import { HostError, TemplateError } from './errors.ts';
import type { FuncMap } from './value/func.ts';
import { kindOf } from './value/kind-of.ts';

/** What an execution has from outside. */
export interface Surroundings {
  /** Bounds of one execution, and of what is parsed; those that are left out have their defaults. */
  readonly limits?: Partial<Limits>;
  /** Nanoseconds since 1970. Default: the clock of the host, which counts milliseconds. */
  readonly now?: () => bigint;
  /** `n` random bytes, no fewer and no more. Default: the host's cryptographically strong ones. */
  readonly random?: (n: number) => Uint8Array;
  /** The IANA name of what Go calls the local zone, exactly as it is written. Default `UTC`. */
  readonly zone?: string;
  /** Milliseconds from any start, never going back, by which `limits.time` is kept. Default `performance.now`. */
  readonly clock?: () => number;
}

/** What becomes of a key that a map does not have: `<no value>` (two names), the zero of its element type, or an error. */
export type MissingKey = 'default' | 'invalid' | 'zero' | 'error';

export interface TemplateOptions extends Surroundings {
  /** Functions beside Go's predefined ones, which they may replace. */
  readonly funcs?: FuncMap;
  /** What opens and closes an action; an empty one is Go's own. Default `{{` and `}}`. */
  readonly delims?: readonly [left: string, right: string];
  /** Default `default`. Another word is a {@link TemplateError} of the stage `option`. */
  readonly missingkey?: string;
}

/** Reads the word of the option; throws a {@link TemplateError} in Go's words. */
export function missingKey(word = 'default'): MissingKey {
  switch (word) {
    case 'default':
    case 'invalid':
    case 'zero':
    case 'error':
      return word;
    default: {
      const message = `unrecognized option: missingkey=${word}`;
      throw new TemplateError({ stage: 'option', message, description: message });
    }
  }
}

/** The surroundings with their defaults filled in. */
export type Settled = Required<Omit<Surroundings, 'limits'>> & { readonly limits: Limits };

const HOST: Settled = {
  limits: DEFAULT_LIMITS,
  now: () => BigInt(Date.now()) * 1_000_000n,
  random: randomBytes,
  zone: 'UTC',
  clock: () => performance.now(),
};

/** Fills in what is not given from `base`, whose default is the host. */
export function settle(given: Surroundings, base: Settled = HOST): Settled {
  return {
    limits: given.limits === undefined ? base.limits : { ...base.limits, ...defined(given.limits) },
    now: given.now === undefined ? base.now : checkedNow(given.now),
    random: given.random === undefined ? base.random : checkedRandom(given.random),
    zone: given.zone ?? base.zone,
    clock: given.clock === undefined ? base.clock : checkedClock(given.clock),
  };
}

// What a host's functions give is checked where they are called, lest the template is blamed, or waits for ever.

function checkedNow(now: () => unknown): () => bigint {
  return () => {
    const moment = now();
    if (typeof moment === 'bigint' && BigInt.asIntN(64, moment) === moment) return moment;
    throw new HostError(
      `options.now gave ${gave(moment)}; wanted nanoseconds as a bigint of 64 bits, as in BigInt(Date.now()) * 1_000_000n`,
    );
  };
}

function checkedRandom(random: (n: number) => unknown): (n: number) => Uint8Array {
  return (n) => {
    const bytes = random(n);
    if (bytes instanceof Uint8Array && bytes.length === n) return bytes;
    const found = bytes instanceof Uint8Array ? `${bytes.length} bytes` : kindOf(bytes);
    throw new HostError(
      `options.random gave ${found}; wanted a Uint8Array of the ${n} bytes that were asked for`,
    );
  };
}

function checkedClock(clock: () => unknown): () => number {
  return () => {
    const moment = clock();
    if (typeof moment === 'number' && !Number.isNaN(moment)) return moment;
    throw new HostError(`options.clock gave ${gave(moment)}; wanted milliseconds as a number`);
  };
}

function gave(found: unknown): string {
  if (Number.isNaN(found)) return 'NaN';
  return kindOf(found);
}

/** Without the keys that are there but undefined, which would hide the defaults. */
function defined(limits: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** As many as `crypto` gives at once. */
const CHUNK = 65_536;

function randomBytes(n: number): Uint8Array {
  const bytes = new Uint8Array(n);
  for (let i = 0; i < n; i += CHUNK) crypto.getRandomValues(bytes.subarray(i, i + CHUNK));
  return bytes;
}
