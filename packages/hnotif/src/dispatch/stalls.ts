import type { Clock } from '../clock.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { OpenCircuit, Why } from './circuit-breaker.ts';
import type { Stall, StallKind } from './delivery.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RequestSlots } from './request-slots.ts';
import type { Limited, SinkQueue } from './sink-queue.ts';
import type { Slices } from './slices.ts';
import type { Stream } from './stream.ts';

/** A wait that is longer is told (milliseconds). */
export const LATE_MS = 5_000;

/** What waits is looked at so often (milliseconds). */
const LOOK_MS = 2_000;

/** …and how much waits, and until when, is told so often while the reason stays the same (milliseconds). */
const AGAIN_MS = 15_000;

/** More deliveries of a sink are not looked through to find which of them will be left out. */
const MOST_COUNTED = 10_000;

/** Messages arrive, and what waited goes one after the other. */
export const CATCHING_UP: Why = {
  reason: 'CatchingUp',
  message: 'messages arrive, and those that have waited are sent one after the other',
};

/** A receiver that takes nothing for so long is not expected to do so by itself (milliseconds). */
export const LASTING_MS = 60_000;

export interface StallsOptions {
  readonly clock: Clock;
  readonly slices: Slices;
  readonly slots: RequestSlots;
  readonly queues: () => Iterable<SinkQueue>;
  /** How many tokens of these buckets an owner gets in a second, beside the others that wait for them. */
  readonly perSecondOf: RateLimiter['perSecondOf'];
  /** Why attempts of a namespace do not come to a request, where the dispatcher does not know: its templates wait for a worker. */
  readonly blocked: (namespace: string) => Why | undefined;
  readonly waits: (to: SinkAddress, stall: Stall, begun: boolean) => void;
  readonly flows: (to: SinkAddress) => void;
}

interface Told {
  readonly to: SinkAddress;
  readonly stall: Stall;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/**
 * Knows why something of a sink waits, and tells it when the wait is longer than a moment: there is one look at all queues every two
 * seconds, while something waits.
 */
export class Stalls {
  readonly #options: StallsOptions;
  /** By the key of the sink. */
  readonly #told = new Map<string, Told>();
  #cancel: (() => void) | undefined;

  constructor(options: StallsOptions) {
    this.#options = options;
  }

  /** The sinks that wait, as they were told last. */
  all(): Iterable<Pick<Told, 'to' | 'stall'>> {
    return this.#told.values();
  }

  /** Why something of a sink waits, and until when; undefined: nothing does, or not for long. `isLate`: however long it waits. */
  of(queue: SinkQueue, isLate = false): Stall | undefined {
    if (queue.waiting === 0) return undefined;
    if (queue.circuit !== undefined) return parked(queue, queue.circuit, this.#options.clock.monotonic());
    for (const stream of queue.streams.values())
      if (stream.state === 'held' && stream.suspected !== undefined) return held(stream, stream.suspected);
    if (!isLate && !this.#isLate(queue)) return undefined;
    if (queue.pause !== undefined) return this.#stall('paused', queue.pause, queue);
    const why = queue.blocked ?? this.#shortage(queue);
    if (why !== undefined) return this.#stall('blocked', { ...why, nextAt: 0 }, queue);
    const limited = queue.forTokens.about;
    if (limited !== undefined) return this.#behind(queue, limited);
    return this.#stall('late', { ...this.#lateFor(queue), nextAt: this.#nextTry(queue) }, queue);
  }

  /** Something waits: it is looked at. */
  enter(): void {
    const { clock, slices } = this.#options;
    this.#cancel ??= clock.after(LOOK_MS, () => {
      this.#cancel = undefined;
      slices.run(this.#look());
    });
  }

  /** Nothing waits any more. */
  rest(): void {
    const told = [...this.#told.values()];
    this.close();
    for (const { to } of told) this.#options.flows(to);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#told.clear();
  }

  *#look(): Generator<undefined, void> {
    const { clock, queues, waits, flows } = this.#options;
    const seen = new Set<string>();
    let isAnyWaiting = false;
    for (const queue of [...queues()]) {
      const [stream] = queue.streams.values();
      if (stream === undefined) continue;
      isAnyWaiting = true;
      const now = this.of(queue);
      yield;
      if (now === undefined) continue;
      seen.add(queue.key);
      const before = this.#told.get(queue.key);
      const begun = before?.stall.kind !== now.kind || before.stall.reason !== now.reason;
      const isDue = before === undefined || clock.monotonic() - before.at >= AGAIN_MS;
      if (!begun && !isDue && before.stall.lasting === now.lasting) continue;
      this.#told.set(queue.key, { to: stream.to, stall: now, at: clock.monotonic() });
      waits(stream.to, now, begun);
    }
    for (const [key, { to }] of this.#told) {
      if (seen.has(key)) continue;
      this.#told.delete(key);
      flows(to);
    }
    if (isAnyWaiting) this.enter();
  }

  #isLate(queue: SinkQueue): boolean {
    const end = this.#options.clock.monotonic() - LATE_MS;
    // What an earlier process has left is old, and may be on its way in a moment.
    if (queue.since > end) return false;
    for (const stream of queue.streams.values()) if ((stream.oldest?.since ?? Infinity) <= end) return true;
    return false;
  }

  /** Attempts wait for a slot: the namespace is over its share, unless it has none at all. */
  #shortage(queue: SinkQueue): Why | undefined {
    const { slots, blocked } = this.#options;
    const origin = queue.forSlots.about;
    const shortage = origin === undefined ? undefined : slots.shortage(origin, queue.namespace);
    if (shortage === undefined || shortage.held === 0)
      return queue.requests === 0 && queue.inFlight > 0 && queue.forTokens.about === undefined
        ? blocked(queue.namespace)
        : undefined;
    const where = shortage.of === 'origin' ? ` to ${origin}` : '';
    return {
      reason: 'NamespaceOverShare',
      message:
        `namespace ${queue.namespace} has its share of the requests in flight${where} (${shortage.held}); the next one goes out when one of ` +
        'them is answered: correct or remove the sinks whose receivers answer slowly or not at all',
    };
  }

  #behind(queue: SinkQueue, { rates, coalescesProgress }: Limited): Stall {
    const { clock, perSecondOf } = this.#options;
    const perSecond = perSecondOf(rates, queue.namespace);
    const nextAt = clock.now() + Math.ceil(toSend(queue, clock.monotonic()) / perSecond) * 1_000;
    const message =
      `the sink's own rate limit gives it about ${words(perSecond)}; raise rate_limit as far as the receiver permits, or list fewer ` +
      'kinds in onEvents' +
      (coalescesProgress === true
        ? ''
        : '; if ExecutionProgress is among them, coalesce_progress leaves out what newer progress of the same target supersedes');
    return this.#stall('behind', { reason: 'RateLimited', message, nextAt }, queue);
  }

  #stall<Kind extends StallKind>(kind: Kind, until: Until, queue: SinkQueue): Stall<Kind> {
    return stallOf(kind, until, queue, this.#options.clock.monotonic());
  }

  #lateFor(queue: SinkQueue): Why {
    if (queue.failure !== undefined) return queue.failure;
    if (this.#options.clock.monotonic() - queue.arrivedAt < LATE_MS) return CATCHING_UP;
    if (queue.requests > 0)
      return {
        reason: 'ReceiverSlow',
        message: 'the receiver answers slowly, or has not answered yet; look at its load, and at the network',
      };
    return {
      reason: 'NotSentYet',
      message: 'hnotif has not come to it yet; look at its CPU limit, and at the number of plans that change',
    };
  }

  /** When the first of its streams that are held comes again. */
  #nextTry(queue: SinkQueue): number {
    const { clock } = this.#options;
    let next = Infinity;
    for (const { state, heldUntil } of queue.streams.values())
      if (state === 'held') next = Math.min(next, heldUntil);
    return next === Infinity ? 0 : clock.now() + Math.max(0, next - clock.monotonic());
  }
}

/** Why the head of a stream waits, in the words of the last try; undefined: that is not known. */
export const reasonOf = (queue: SinkQueue | undefined, stream: Stream): Why | undefined =>
  queue?.circuit?.cause ??
  queue?.pause ??
  ((stream.head?.failedSends ?? 0) > 0 ? stream.suspected : undefined);

type Until = Why & Pick<Stall, 'nextAt'>;

/** `now` in monotonic milliseconds. */
export const parked = (queue: SinkQueue, { cause, nextAt, tries }: OpenCircuit, now: number) => ({
  ...stallOf(cause.kind, { ...cause, nextAt }, queue, now),
  lasting: cause.kind === 'quarantined' || tries > 0 || now - (queue.failure?.since ?? now) >= LASTING_MS,
});

export const held = (stream: Stream, { reason, message, nextAt }: Until): Stall<'held'> => {
  const leftOut = stream.queue?.coalesces === true ? stream.log.supersededIn(stream) : 0;
  const since = stream.oldest?.acceptedAt ?? Infinity;
  return {
    ...{ kind: 'held', reason, message, since, nextAt },
    ...{ waiting: stream.waiting - leftOut, lasting: false },
  };
};

function stallOf<Kind extends StallKind>(
  kind: Kind,
  { reason, message, nextAt }: Until,
  queue: SinkQueue,
  now: number,
): Stall<Kind> {
  let since = Infinity;
  for (const { oldest } of queue.streams.values()) since = Math.min(since, oldest?.acceptedAt ?? Infinity);
  const waiting = toSend(queue, now);
  const atMost = queue.coalesces && queue.waiting > MOST_COUNTED;
  return { kind, reason, message, since, nextAt, waiting, lasting: false, ...(atMost && { atMost }) };
}

/**
 * How many deliveries of a sink wait to be sent: without the progress that it will leave out. That is counted anew when it is told
 * anew, since it takes a look at each of them; of very many it is not counted.
 */
function toSend(queue: SinkQueue, now: number): number {
  const { waiting, counted } = queue;
  if (!queue.coalesces || waiting > MOST_COUNTED) return waiting;
  if (counted !== undefined && now - counted.at < AGAIN_MS)
    return Math.max(1, Math.min(counted.toSend - (queue.arrived - counted.arrived), waiting));
  let count = waiting;
  for (const stream of queue.streams.values()) count -= stream.log.supersededIn(stream);
  queue.counted = { at: now, toSend: count, arrived: queue.arrived };
  return count;
}

/** A rate in words: per second, or per minute where that reads better. */
function words(perSecond: number): string {
  const [number, unit] = perSecond >= 1 ? [perSecond, 'second'] : [perSecond * 60, 'minute'];
  return `${Number(number.toPrecision(2))} a ${unit}`;
}
