import { unpack } from '../../../../hnotif/src/journal/text.ts';
import type { JournalEntry, JournalObject } from '../../journals.ts';
import type { KubeObject } from '../../kube.ts';
import type { Absent, DeliveryEnd, Drop, Epoch, PlanHistory, Stored } from '../../record.ts';

/** A version of the journal with this uid. */
type Written = NonNullable<Absent['again']> & { readonly journal: string };

/** What an entry has seen of its plan. */
interface Seen {
  readonly seq?: number;
  readonly rv?: string;
  readonly epoch?: string;
}

/** The end of a delivery, in an entry: its number and its stream. */
const DELIVERED = /^\S+ #(\d+) \w+ \S+\/(\S+) delivered/;

/** Deliveries that were dropped because a queue was full: when, the number of the last one, their stream, and how many. */
const DROPPED = /^(\S+ #\d+) \w+ \S+\/(\S+) dropped (overflow|superseded)(?: \((\d+)\))?/;

/** More messages of a plan than this wait: hnotif or a receiver lags behind. */
const MOST_WAITING = 60;

/** The deliveries that wait in an entry: for each sink the numbers of their events, in order. */
export function storedIn({ observed = '{}', streams, cursors, log = {} }: Partial<JournalEntry>): Stored {
  const { seq = 0, rv: version, epoch } = unpack(observed) as Seen;
  const waiting: Record<string, number[]> = {};
  if (streams === undefined || cursors === undefined) return { seq, version, epoch, waiting };
  const { streams: names, groups } = unpack(streams) as {
    readonly streams: readonly { readonly sink: string }[];
    readonly groups: readonly (readonly number[])[];
  };
  const places = unpack(cursors) as readonly (readonly number[])[];
  const events = Object.values(log).flatMap(
    (chunk) =>
      unpack(chunk) as readonly { readonly seq: number; readonly at?: number; readonly to: number }[],
  );
  for (const { seq: number, at = number, to } of events)
    for (const stream of groups[to] ?? []) {
      const [from = Infinity, ...own] = places[stream] ?? [];
      // One number: this stream skips what another one skips.
      const skips = own.length === 1 ? (places[own[0] ?? 0] ?? []).slice(1) : own;
      const isSkipped = skips.some(
        (first, place) => place % 2 === 0 && first <= at && at <= (skips[place + 1] ?? 0),
      );
      if (at >= from && !isSkipped) (waiting[names[stream]?.sink ?? ''] ??= []).push(number);
    }
  return { seq, version, epoch, waiting };
}

/**
 * Which states of plans were stored. If a state was in a journal, hnotif has seen it, and its events are in the journal.
 */
export class Coverage {
  /** By plan. */
  readonly #entries = new Map<string, JournalEntry & { readonly version: number }>();
  readonly #looking = new Map<string, () => void>();
  #written = new Map<string, Written[]>();
  readonly #epochs = new Map<string, Map<string, Epoch>>();
  readonly #keptAt = new Map<string, number>();
  readonly #ends = new Map<string, DeliveryEnd>();
  readonly #drops = new Map<string, Drop>();
  readonly #sinks: ReadonlySet<string>;
  readonly #dead: ReadonlySet<string>;

  /** `sinks`: those whose ends of deliveries are kept. `dead`: those that take nothing. */
  constructor(sinks: Iterable<string> = [], dead: Iterable<string> = []) {
    this.#sinks = new Set(sinks);
    this.#dead = new Set(dead);
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
    const { spec, metadata } = object as JournalObject;
    const { plans = {} } = spec;
    for (const [uid, entry] of Object.entries(plans)) {
      const { gen, observed = '{}', outcomes = {}, nights = {} } = entry;
      const { rv = '', epoch = '' } = unpack(observed) as Seen;
      const written = { journal: metadata.uid, at: Date.now(), term: spec.writer.term };
      this.#seen(uid, epoch, written);
      const versions = this.#written.get(uid);
      if (versions === undefined) this.#written.set(uid, [written]);
      else versions.push(written);
      const before = this.#entries.get(uid);
      if (gen !== undefined && before?.gen === gen && before.observed === observed) continue;
      for (const line of [...Object.values(outcomes), ...Object.values(nights)]) {
        this.#end(uid, line);
        this.#dropped(uid, line, metadata.namespace ?? '');
      }
      this.#entries.set(uid, { ...entry, version: Number(rv) });
      if (!this.#keptAt.has(rv)) this.#keptAt.set(rv, Date.now());
      this.#looking.get(uid)?.();
    }
  }

  /** Each version of the entries from now on, by the uid of the plan; it fills itself. */
  versions(): ReadonlyMap<string, readonly Written[]> {
    return (this.#written = new Map());
  }

  /** A plan's history, with what journals had of it. */
  in(history: PlanHistory & { readonly uid: string }): PlanHistory {
    const writes = history.writes.map(({ version, ...write }) => ({
      ...{ ...write, version },
      keptAt: version === undefined ? undefined : this.keptAt(version),
    }));
    return { ...history, writes, epochs: [...(this.#epochs.get(history.uid)?.values() ?? [])] };
  }

  #seen(uid: string, epoch: string, { at, term }: Written): void {
    const epochs = this.#epochs.get(uid) ?? new Map<string, Epoch>();
    this.#epochs.set(uid, epochs);
    const { lastTerm, ...first } = epochs.get(epoch) ?? { epoch, at, term, lastTerm: term };
    epochs.set(epoch, { ...first, lastTerm: Math.max(lastTerm, term) });
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

  /** Resolves when this version of a plan, or a later one, is in a journal, and few of its messages wait; or the signal aborts. */
  kept(uid: string, version: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!signal.aborted && !this.#isAbreast(uid, Number(version))) return;
        this.#looking.delete(uid);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.#looking.set(uid, look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  #isAbreast(uid: string, version: number): boolean {
    const entry = this.#entries.get(uid);
    if (entry === undefined || entry.version < version) return false;
    if ((entry.waiting ?? 0) <= MOST_WAITING) return true;
    const waiting = Object.entries(storedIn(entry).waiting).filter(([sink]) => !this.#dead.has(sink));
    return waiting.reduce((sum, [, events]) => sum + events.length, 0) <= MOST_WAITING;
  }
}
