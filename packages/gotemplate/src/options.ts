/** The options of parsing and executing. */
import { DEFAULT_LIMITS, type Limits } from './budget.ts';
import { workTime } from './clock.ts';
import { HostError, TemplateError } from './errors.ts';
import type { FuncMap } from './value/func.ts';
import { kindOf } from './value/kind-of.ts';

/** The options of an execution. */
export interface ExecutionOptions {
  /** Limits of parsing and of each execution. A limit that is not given has its default. */
  readonly limits?: Partial<Limits>;
  /** Nanoseconds since 1970. Default: the host's clock, in whole milliseconds. */
  readonly now?: () => bigint;
  /** Exactly `n` random bytes. Default: the host's cryptographically strong generator. */
  readonly random?: (n: number) => Uint8Array;
  /** The IANA name of Go's local zone; case matters. Default `UTC`. */
  readonly zone?: string;
  /** A clock in milliseconds that never goes back, for `limits.time`. Default {@link workTime}. */
  readonly clock?: () => number;
}

/** The result of a missing map key: `<no value>` (`default`, `invalid`), the element type's zero value, or an error. */
export type MissingKey = 'default' | 'invalid' | 'zero' | 'error';

export interface TemplateOptions extends ExecutionOptions {
  /** Functions, added to Go's predefined ones. They may replace those. */
  readonly funcs?: FuncMap;
  /** The delimiters of actions. An empty string means Go's own, which are the default: `{{` and `}}`. */
  readonly delims?: readonly [left: string, right: string];
  /** A {@link MissingKey}; default `default`. Other strings cause a {@link TemplateError} of stage `option`. */
  readonly missingkey?: string;
}

/** Parses the option. Throws a {@link TemplateError} with Go's text. */
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

/** All options of an execution, with defaults. */
export type ResolvedOptions = Required<Omit<ExecutionOptions, 'limits'>> & { readonly limits: Limits };

const HOST: ResolvedOptions = {
  limits: DEFAULT_LIMITS,
  now: () => BigInt(Date.now()) * 1_000_000n,
  random: randomBytes,
  zone: 'UTC',
  clock: workTime,
};

/** Fills in missing options from `base`, by default the host's. */
export function resolveOptions(given: ExecutionOptions, base: ResolvedOptions = HOST): ResolvedOptions {
  return {
    limits: given.limits === undefined ? base.limits : { ...base.limits, ...defined(given.limits) },
    now: given.now === undefined ? base.now : checkedNow(given.now),
    random: given.random === undefined ? base.random : checkedRandom(given.random),
    zone: given.zone ?? base.zone,
    clock: given.clock === undefined ? base.clock : checkedClock(given.clock),
  };
}

// The results of the host's functions are checked here. Otherwise errors would blame the template, or a loop would not end.

function checkedNow(now: () => unknown): () => bigint {
  return () => {
    const moment = now();
    if (typeof moment === 'bigint' && BigInt.asIntN(64, moment) === moment) return moment;
    throw new HostError(
      `options.now returned ${describe(moment)}; wanted nanoseconds as a bigint of 64 bits, as in BigInt(Date.now()) * 1_000_000n`,
    );
  };
}

function checkedRandom(random: (n: number) => unknown): (n: number) => Uint8Array {
  return (n) => {
    const bytes = random(n);
    if (bytes instanceof Uint8Array && bytes.length === n) return bytes;
    const found = bytes instanceof Uint8Array ? `${bytes.length} bytes` : kindOf(bytes);
    throw new HostError(`options.random returned ${found}; wanted a Uint8Array of ${n} bytes`);
  };
}

function checkedClock(clock: () => unknown): () => number {
  return () => {
    const moment = clock();
    if (typeof moment === 'number' && !Number.isNaN(moment)) return moment;
    throw new HostError(`options.clock returned ${describe(moment)}; wanted milliseconds as a number`);
  };
}

function describe(found: unknown): string {
  if (Number.isNaN(found)) return 'NaN';
  return kindOf(found);
}

/** Removes keys whose value is undefined: they would hide the defaults. */
function defined(limits: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** The most bytes that `crypto` returns in one call. */
const CHUNK = 65_536;

function randomBytes(n: number): Uint8Array {
  const bytes = new Uint8Array(n);
  for (let i = 0; i < n; i += CHUNK) crypto.getRandomValues(bytes.subarray(i, i + CHUNK));
  return bytes;
}
