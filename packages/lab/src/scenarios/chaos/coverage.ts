import { inflateRawSync } from 'node:zlib';
import type { KubeObject } from '../../kube.ts';
import type { DeliveryEnd, Drop } from '../../record.ts';

interface Entry {
  readonly observed?: unknown;
  readonly outcomes?: Readonly<Record<string, string>>;
  readonly nights?: Readonly<Record<string, string>>;
}

interface Journal extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly namespace?: string };
  readonly spec: { readonly plans?: Readonly<Record<string, Entry>> };
}

/** The end of a delivery, in an entry: its number and its stream. */
const DELIVERED = /^\S+ #(\d+) \w+ \S+\/(\S+) delivered/;

/** Deliveries that were dropped because a queue was full: when, the number of the last one, their stream, and how many. */
const DROPPED = /^(\S+ #\d+) \w+ \S+\/(\S+) dropped (overflow|superseded)(?: \((\d+)\))?/;

/** The last observed version of a plan in its entry. */
const OBSERVED = /"rv":"(\d+)"/;
/** The prefix of a long text, which is deflated. */
const DEFLATED = 'deflate-raw+base64:';

function versionIn(observed: string): string | undefined {
  const isDeflated = observed.startsWith(DEFLATED);
  const base64 = observed.slice(DEFLATED.length);
  const text = isDeflated ? inflateRawSync(Buffer.from(base64, 'base64')).toString() : observed;
  return OBSERVED.exec(text)?.[1];
}

/**
 * Which states of plans were stored. If a state was in a journal, hnotif has seen it, and its events are in the journal.
 */
export class Coverage {
  /** By plan. */
  readonly #newest = new Map<string, unknown>();
  readonly #waiting = new Map<string, () => void>();
  readonly #keptAt = new Map<string, number>();
  readonly #ends = new Map<string, DeliveryEnd>();
  readonly #drops = new Map<string, Drop>();
  readonly #sinks: ReadonlySet<string>;

  /** `sinks`: those whose ends of deliveries are kept. */
  constructor(sinks: Iterable<string> = []) {
    this.#sinks = new Set(sinks);
  }

  /** The ends of deliveries that were in a journal. `plan` is the uid. */
  get ends(): readonly DeliveryEnd[] {
    return [...this.#ends.values()];
  }

  /** Drops that were in a journal. `plan` is the uid. */
  get drops(): readonly Drop[] {
    return [...this.#drops.values()];
  }

  /** Takes the present version of a journal. */
  journal(object: KubeObject): void {
    const { spec, metadata } = object as Journal;
    const { plans = {} } = spec;
    for (const [uid, { observed, outcomes = {}, nights = {} }] of Object.entries(plans)) {
      for (const line of [...Object.values(outcomes), ...Object.values(nights)]) {
        this.#end(uid, line);
        this.#dropped(uid, line, metadata.namespace ?? '');
      }
      if (typeof observed !== 'string' || this.#newest.get(uid) === observed) continue;
      this.#newest.set(uid, observed);
      const rv = versionIn(observed);
      if (rv === undefined || this.#keptAt.has(rv)) continue;
      this.#keptAt.set(rv, Date.now());
      this.#waiting.get(rv)?.();
      this.#waiting.delete(rv);
    }
  }

  #end(uid: string, line: string): void {
    const [, seq = '', sink = ''] = DELIVERED.exec(line) ?? [];
    const key = `${uid} ${line}`;
    if (!this.#sinks.has(sink) || this.#ends.has(key)) return;
    this.#ends.set(key, { plan: uid, sink, seq: Number(seq), at: Date.now() });
  }

  #dropped(plan: string, line: string, namespace: string): void {
    const [, when, sink = '', reason, count = '1'] = DROPPED.exec(line) ?? [];
    const key = [plan, when, sink, reason].join(' ');
    // The line of a drop may change later: one of its deliveries may arrive after all.
    if (when === undefined || this.#drops.has(key)) return;
    this.#drops.set(key, { namespace, sink, plan, count: Number(count), at: Date.now() });
  }

  /** When the state of this version was first in a journal (milliseconds since the epoch); undefined: never. */
  keptAt(version: string): number | undefined {
    return this.#keptAt.get(version);
  }

  /** Resolves when the state of this version is in a journal, or the signal aborts. */
  kept(version: string, signal: AbortSignal): Promise<void> {
    if (this.#keptAt.has(version) || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.set(version, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
