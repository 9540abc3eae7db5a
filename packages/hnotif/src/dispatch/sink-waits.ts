import type { SinkWait, WaitKind } from './delivery.ts';
import type { TokenShare } from '@hnotif/core/fair';
import type { DispatcherOptions } from './options.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Cause } from '@hnotif/core/sinks';
import type { BreakerKind, Stage } from './states.ts';
import type { Stream } from './stream.ts';
import { countSuperseded } from './superseded.ts';

/** A longer wait is reported (milliseconds). */
const LATE_MS = 5_000;

/** While the reason stays the same, a wait is reported again after this time (milliseconds). */
export const REPEAT_MS = 15_000;

/** Superseded progress of a sink with more deliveries is not counted. */
const MOST_COUNTED = 10_000;

/** Messages arrive, and the backlog is being sent. */
export const CATCHING_UP: Cause = {
  reason: 'CatchingUp',
  message: 'messages arrive, and those that have waited are sent one after the other',
};

const SLOW: Cause = {
  reason: 'ReceiverSlow',
  message: 'the receiver answers slowly, or has not answered yet; check its load, and the network',
};

const NOT_SENT: Cause = {
  reason: 'NotSentYet',
  message: 'hnotif has not sent it yet; check the CPU limit of hnotif, and the number of plans that change',
};

/** The notification is suspended. The ends of runs are sent after the suspension. */
export const TOLD_AFTER: Cause = {
  reason: 'Suspended',
  message:
    'the notification is suspended, and spec.tellAfterSuspend is set: Success and Failure are sent when the suspension is over; hnotif unmute ends one of spec.suspend',
};

/** A receiver that takes nothing for this time is not expected to recover by itself (milliseconds). */
export const LASTING_MS = 60_000;

/** Why deliveries of a sink wait, and until when; undefined: none waits for long. `short`: short waits count, too. */
export function waitOf(shared: DispatcherOptions, queue: SinkQueue, short = false): SinkWait | undefined {
  if (queue.waiting === 0) return undefined;
  const now = shared.clock.monotonic();
  let wait: SinkWait | undefined = parked(queue, now);
  for (const stream of queue.streams.values()) wait ??= held(stream);
  if (wait !== undefined || !(short || isLate(queue, now))) return wait;
  return withCounts(reasonOf(shared, queue), queue, now);
}

function isLate(queue: SinkQueue, now: number): boolean {
  const end = now - LATE_MS;
  // Deliveries of an earlier process are old, but may be sent in a moment.
  if (queue.since > end) return false;
  for (const stream of queue.streams.values()) if ((stream.oldest?.since ?? Infinity) <= end) return true;
  return false;
}

/** Why deliveries wait, if the circuit is closed and no stream is held. */
function reasonOf(shared: DispatcherOptions, queue: SinkQueue): Reason {
  const { admission, blocked } = queue;
  if (admission.kind === 'paused') return { kind: 'paused', ...admission.why, nextAt: admission.until.wall };
  const stages = stagesOf(queue);
  const why = blocked ?? shortageOf(shared, queue, stages);
  if (why !== undefined) return { kind: 'blocked', ...why, nextAt: 0 };
  if (stages.tokens !== undefined) return behind(shared, queue, stages.tokens);
  const tries = [...queue.streams.values()].flatMap(({ state }) =>
    state.kind === 'held' ? [state.until.wall] : [],
  );
  return { kind: 'late', ...lateFor(shared, queue), nextAt: tries.length === 0 ? 0 : Math.min(...tries) };
}

/** Attempts wait for a request slot: the namespace is over its share, unless it holds no slot. */
function shortageOf(
  { rateLimits, blocked }: DispatcherOptions,
  { namespace, attempts }: SinkQueue,
  { slot, tokens, request }: Stages,
): Cause | undefined {
  const shortage = slot && rateLimits.slots.shortage(slot.origin, namespace);
  if (slot === undefined || shortage === undefined || shortage.held === 0)
    return request === undefined && tokens === undefined && attempts.size > 0
      ? blocked?.(namespace)
      : undefined;
  const where = shortage.of === 'origin' ? ` to ${slot.origin}` : '';
  return {
    reason: 'NamespaceOverShare',
    message:
      `namespace ${namespace} has its share of the requests in flight${where} (${shortage.held}); the next one goes out when one of ` +
      'them is answered: correct or remove the sinks whose receivers answer slowly or not at all',
  };
}

function behind(
  { clock, rateLimits }: DispatcherOptions,
  queue: SinkQueue,
  { sink: { rates, coalescesProgress } }: StageOf<'tokens'>,
): Reason {
  const share = rateLimits.shareOf(rates, queue.namespace);
  const { perSecond } = share;
  const nextAt = clock.now() + Math.ceil(toSend(queue, clock.monotonic()) / perSecond) * 1_000;
  const message =
    `${limitOf(share)} gives it about ${formatRate(perSecond)}; ${remedyOf(share)}, or list fewer kinds in onEvents` +
    (coalescesProgress === true
      ? ''
      : '; if ExecutionProgress is among them, coalesce_progress leaves out what newer progress of the same target supersedes');
  return { kind: 'behind', reason: 'RateLimited', message, nextAt };
}

function lateFor({ clock }: DispatcherOptions, queue: SinkQueue): Cause {
  if (queue.failure !== undefined) return queue.failure;
  if (clock.monotonic() - queue.arrivedAt < LATE_MS) return CATCHING_UP;
  return queue.requests > 0 ? SLOW : NOT_SENT;
}

type StageOf<Kind extends Stage['kind']> = Extract<Stage, { kind: Kind }>;

/** For each stage an attempt of the queue that is there. */
type Stages = { readonly [Kind in Stage['kind']]?: StageOf<Kind> };

const stagesOf = ({ attempts }: SinkQueue): Stages =>
  Object.fromEntries([...attempts].map(({ stage }) => [stage.kind, stage]));

/** Why deliveries wait, and until when. */
type Reason<Kind extends WaitKind = WaitKind> = Pick<
  SinkWait<Kind>,
  'kind' | 'reason' | 'message' | 'nextAt'
>;

/** The wait of a sink whose circuit is open. `now` in monotonic milliseconds. */
export function parked(queue: SinkQueue, now: number): SinkWait<BreakerKind> | undefined {
  const { admission, failure } = queue;
  if (admission.kind !== 'parked') return undefined;
  const { why, until, failedProbes } = admission;
  return {
    ...withCounts({ ...why, nextAt: until.wall }, queue, now),
    lasting: why.kind === 'quarantined' || failedProbes > 0 || now - (failure?.since ?? now) >= LASTING_MS,
  };
}

/** The wait of a stream whose head fails while others arrive. */
export function held(stream: Stream): SinkWait<'held'> | undefined {
  const { state } = stream;
  if (state.kind !== 'held' || state.why === undefined) return undefined;
  const { queue, oldest } = stream;
  const waiting = stream.waiting - (queue?.coalesces === true ? countSuperseded(stream) : 0);
  const { why, until } = state;
  const since = oldest?.acceptedAt ?? Infinity;
  return { kind: 'held', ...why, since, nextAt: until.wall, waiting, lasting: false };
}

function withCounts<Kind extends WaitKind>(
  { kind, reason, message, nextAt }: Reason<Kind>,
  queue: SinkQueue,
  now: number,
): SinkWait<Kind> {
  const accepted = [...queue.streams.values()].map(({ oldest }) => oldest?.acceptedAt ?? Infinity);
  const since = accepted.reduce((one, other) => Math.min(one, other), Infinity);
  const atMost = queue.coalesces && queue.waiting > MOST_COUNTED;
  const waiting = toSend(queue, now);
  return { kind, reason, message, since, nextAt, waiting, lasting: false, ...(atMost && { atMost }) };
}

/** The last count of each sink, the time of the count (monotonic milliseconds), and how many had arrived. */
const COUNTED = new WeakMap<SinkQueue, Record<'at' | 'toSend' | 'arrived', number>>();

/**
 * How many deliveries of a sink wait, without superseded progress, which the sink omits. Counting visits each delivery, so it is
 * done once for each report, and not for very many deliveries.
 */
function toSend(queue: SinkQueue, now: number): number {
  const { waiting } = queue;
  const counted = COUNTED.get(queue);
  if (!queue.coalesces || waiting > MOST_COUNTED) return waiting;
  if (counted !== undefined && now - counted.at < REPEAT_MS)
    return Math.max(1, Math.min(counted.toSend - (queue.arrived - counted.arrived), waiting));
  let count = waiting;
  for (const stream of queue.streams.values()) count -= countSuperseded(stream);
  COUNTED.set(queue, { at: now, toSend: count, arrived: queue.arrived });
  return count;
}

const limitOf = ({ owners, sinks }: TokenShare): string =>
  owners > 1
    ? 'the sink shares the rate limit of its credential or channel with other namespaces, whose messages wait, too. That'
    : sinks > 1
      ? `the sink shares the rate limit of its credential or channel with ${sinks - 1} other ${sinks === 2 ? 'sink' : 'sinks'} of its namespace. That`
      : "the sink's own rate limit";

const remedyOf = ({ owners, sinks }: TokenShare): string =>
  owners + sinks > 2
    ? 'use another credential and channel for it'
    : 'raise rate_limit as far as the receiver permits';

/** A rate per second, or per minute if it is low. */
function formatRate(perSecond: number): string {
  const [number, unit] = perSecond >= 1 ? [perSecond, 'second'] : [perSecond * 60, 'minute'];
  return `${Number(number.toPrecision(2))} a ${unit}`;
}
