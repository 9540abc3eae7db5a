import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from './fault.ts';

/** Selects requests. All given fields must match. */
export interface FaultMatch {
  /** The path, without its query. */
  readonly path?: string;
  /** The path's last segment. For a chat it is the method, such as `chat.postMessage`. */
  readonly call?: string;
  /** Header name (any case) to its value, or a pattern for it. */
  readonly headers?: Readonly<Record<string, string | RegExp>>;
  /** The `webhook-id` header. */
  readonly id?: string;
  /** The number of the request among those with its id, from 1: `attempt: 1` affects each message once. */
  readonly attempt?: number;
  /** The n-th request that matches the other fields, from 1. */
  readonly nth?: number;
  /**
   * A predicate for the parsed body: JSON, or a form's fields as an object of texts; otherwise undefined. Such a rule is evaluated when
   * the body has been read.
   */
  readonly json?: (body: unknown) => boolean;
}

/** The first matching rule decides. */
export interface FaultRule {
  /** Default: every request. */
  readonly match?: FaultMatch;
  /** The number of faults after which the rule ends. Default: unlimited. */
  readonly times?: number;
  /** 0 to 1, default 1. For the other requests the next rules apply. */
  readonly probability?: number;
  readonly fault: Fault;
}

/** The request before the body is read. */
export interface RequestHead {
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly attempt: number;
}

interface Entry {
  readonly rule: FaultRule;
  seen: number;
  fired: number;
}

/** The receiver's rules, in the order in which they were added. */
export class FaultRules {
  readonly #random: () => number;
  #entries: readonly Entry[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Adds a rule after the others. Returns a function that removes it. */
  add(rule: FaultRule): () => void {
    const entry: Entry = { rule, seen: 0, fired: 0 };
    this.#entries = [...this.#entries, entry];
    return () => {
      this.#entries = this.#entries.filter((each) => each !== entry);
    };
  }

  /** Removes a rule: the same object that was added. An unknown rule is ignored. */
  remove(rule: FaultRule): void {
    this.#entries = this.#entries.filter((entry) => entry.rule !== rule);
  }

  clear(): void {
    this.#entries = [];
  }

  /** The fault for a request, if any. Reads the body only for a rule that needs it. */
  async choose(head: RequestHead, json: () => Promise<unknown>): Promise<Fault | undefined> {
    for (const entry of this.#entries) {
      const { match = {}, times = Infinity, probability = 1, fault } = entry.rule;
      if (!matchesHead(match, head)) continue;
      if (match.json !== undefined && !match.json(await json())) continue;
      entry.seen++;
      if (match.nth !== undefined && entry.seen !== match.nth) continue;
      if (entry.fired >= times) continue;
      if (probability < 1 && this.#random() >= probability) continue;
      entry.fired++;
      return fault;
    }
    return undefined;
  }
}

function matchesHead(match: FaultMatch, head: RequestHead): boolean {
  const path = head.path.split('?', 1)[0] ?? '';
  if (match.path !== undefined && match.path !== path) return false;
  if (match.call !== undefined && match.call !== callOf(path)) return false;
  if (match.id !== undefined && match.id !== head.id) return false;
  if (match.attempt !== undefined && match.attempt !== head.attempt) return false;
  return Object.entries(match.headers ?? {}).every(([name, wanted]) => {
    const value = head.headers[name.toLowerCase()];
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (text === undefined) return false;
    return typeof wanted === 'string' ? text === wanted : wanted.test(text);
  });
}

/** The last segment of a path, without the query: in a chat's Web API the called method. */
function callOf(path: string): string {
  return path.split('?', 1)[0]?.split('/').at(-1) ?? '';
}
