import { idOf, type Observed } from '@hnotif/core/lifecycle';
import { streamKey, type Acceptance, type LogEntry, type Routed } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import { dropOldest } from '../drop-oldest.ts';
import { LazySet } from '../lazy-collections.ts';
import type { StoredEvent } from './content.ts';
import { idPart, type OutcomeLine } from './outcome-line.ts';
import type { OutboxOptions } from './plan-options.ts';
import type { JournalState } from './state.ts';

/** The most deliveries that ended before they were stored, of which the ids are known. */
const MOST_ENDED = 1_000;

/** A request, or something else, that waits for the next write. */
interface Waiter {
  readonly resolve: () => void;
  /** Whether a request waits for it. */
  readonly isUrgent: boolean;
}

/**
 * The events of one plan from their acceptance until they may be sent: when they are stored, when nothing can be stored, or at once if the
 * plan's status proves them. And the promises that the next write of the entry resolves.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #log: PlanLog;
  readonly #state: Pick<JournalState, 'log' | 'stored' | 'waits'>;
  /** Streams and ids of deliveries that have ended, and may not be stored yet. */
  readonly #ended = new LazySet<string>();
  readonly #waiters: Waiter[] = [];
  /** The number of the last proven event; 0 after any further change of the plan. */
  #provenTo = 0;
  /** Whether events are derived again that may have been sent. */
  #isRederiving = false;

  constructor(options: OutboxOptions, state: Pick<JournalState, 'log' | 'stored' | 'waits'>) {
    this.#options = options;
    this.#state = state;
    this.#log = state.log;
  }

  /** Whether there are events that are neither stored nor released. */
  get hasUnstored(): boolean {
    const { newest, releasedTo } = this.#log;
    return this.isAhead && (newest?.at ?? 0) > releasedTo;
  }

  /** Whether another process knows of this event: it is stored, or the plan's status proves it. */
  survives({ at }: Pick<LogEntry, 'at'>): boolean {
    const { stored } = this.#state;
    return stored !== undefined && at <= Math.max(stored.observed.seq, this.#provenTo);
  }

  /** Whether an event waits that is not stored. */
  get isAhead(): boolean {
    return (this.#log.newest?.at ?? 0) > (this.#state.stored?.observed.seq ?? 0);
  }

  /** Whether something waits for the next write: an event to send, or a request. */
  get isAwaited(): boolean {
    return this.hasUnstored || this.#waiters.some(({ isUrgent }) => isUrgent);
  }

  get waiters(): number {
    return this.#waiters.length;
  }

  wait(isUrgent: boolean): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ resolve, isUrgent }));
  }

  /** Ends the waits of the oldest `count`. Default: of all. */
  resume(count = this.waiters): void {
    for (const { resolve } of this.#waiters.splice(0, count)) resolve();
  }

  /**
   * Accepts events, at this time (milliseconds since the epoch). Those that the plan's status proves may be sent at once, if no event before
   * them in this change has to be stored first. Nothing else of the plan waits then. Returns whether there are events to send.
   */
  accept(derived: readonly Routed[], acceptedAt: number): boolean {
    this.#provenTo = 0;
    const events = (this.#isRederiving ? derived.map((each) => this.#unsent(each)) : derived).filter(
      ({ to }) => to.length > 0,
    );
    if (events.length === 0) return false;
    const since = this.#options.clock.monotonic();
    this.#append(events, { acceptedAt, since, restored: false });
    for (const { event, isProven } of events) {
      if (isProven !== true) break;
      this.#provenTo = event.seq;
    }
    if (this.#provenTo > 0) this.release(this.#provenTo);
    return true;
  }

  /** Restores events that another process accepted. It may have sent them. */
  restore(events: Iterable<StoredEvent>): void {
    const now = this.#options.clock.monotonic();
    for (const { event, to, acceptedAt } of events) {
      const open = to.filter((stream) => !this.#hasEnded(streamKey(stream), event.id));
      if (event.seq <= this.#log.releasedTo || open.length === 0) continue;
      const since = now - Math.max(0, this.ageOf(acceptedAt));
      this.#append([{ event, to: open }], { acceptedAt, since, restored: true });
    }
  }

  /**
   * Another process has stored these events. They replace those that may not be sent yet. `keepsOwn`: those of this process follow, since
   * nobody derives them again.
   */
  adopt(theirs: Iterable<StoredEvent>, keepsOwn: boolean): void {
    const own = keepsOwn ? unreleased(this.#log) : [];
    this.#log.truncate();
    this.restore(theirs);
    for (const { by, ...each } of own) this.#append([this.#unsent(each)], by);
  }

  /** `derive` accepts events of which some may have been sent: these are not sent again. */
  rederive(derive: () => void): void {
    this.#isRederiving = true;
    derive();
    this.#isRederiving = false;
  }

  /** Events up to this position are stored, or cannot be stored. They may be sent. */
  release(upTo: number): void {
    const { dispatcher, listener } = this.#options;
    const entries = this.#log.entries(this.#log.releasedTo + 1, upTo).filter(({ restored }) => !restored);
    if (entries.length > 0) listener.released(entries);
    dispatcher.release(this.#log, upTo);
  }

  /** Deliveries have ended, and this is not stored yet. */
  ended({ ids = [], stream }: Pick<OutcomeLine, 'ids' | 'stream'>): void {
    for (const id of ids) this.#ended.add(`${stream} ${id}`);
    dropOldest(this.#ended, MOST_ENDED);
  }

  /** The ends of all deliveries are stored. */
  endsStored(): void {
    this.#ended.clear();
  }

  /** The same state, from which the next event has a number after all positions in the log. */
  numbered(observed: Observed): Observed {
    const seq = Math.max(observed.seq, this.#log.releasedTo, this.#log.newest?.at ?? 0);
    return seq === observed.seq ? observed : { ...observed, seq };
  }

  ageOf(at: number): number {
    const { clock, ageOf = (then) => clock.now() - then } = this.#options;
    return ageOf(at);
  }

  #hasEnded(stream: string, id: string): boolean {
    return this.#ended.has(`${stream} ${idPart(id)}`);
  }

  /** The event without the streams that have had it, or wait for it. */
  #unsent({ event, to }: Routed): Routed {
    const id = event.id ?? idOf(event);
    const isOpen = (stream: string): boolean =>
      !this.#hasEnded(stream, id) && !this.#state.waits(stream, idPart(id));
    return { event, to: to.filter((stream) => isOpen(streamKey(stream))) };
  }

  #append(events: readonly Routed[], by: Acceptance): void {
    this.#options.listener.appended(this.#log.plan, events, by.restored);
    this.#options.dispatcher.append(this.#log, events, by);
  }
}

/** The events of this process that may not be sent yet, and the streams in which they wait. */
const unreleased = (log: PlanLog): (Routed & { readonly by: LogEntry })[] =>
  log.entries(log.releasedTo + 1).flatMap((entry) => {
    if (entry.restored) return [];
    const waiting = [...entry.group].filter(({ cursor }) => cursor <= entry.at);
    const to = waiting.filter((stream) => !stream.isSkipped(entry.at));
    return [
      {
        ...{ by: entry, event: log.eventOf(entry) },
        to: to.map(({ to: { notification, sink }, sinkType: type }) => ({ notification, sink, type })),
      },
    ];
  });
