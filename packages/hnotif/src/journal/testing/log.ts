import { streamKey, type LogEntry, type Routed, type StreamName } from '../../dispatch/log-entry.ts';
import { PlanLog } from '../../dispatch/plan-log.ts';
import type { Stream } from '../../dispatch/stream.ts';
import type { Plan } from '@hnotif/core/resources';
import { aPlan } from '../../../../core/src/testing/plans.ts';

/** The log of a plan. Its deliveries and bytes are not counted. */
export const aLog = (plan: Plan = aPlan()): PlanLog => new PlanLog({ current: plan }, () => undefined);

/** Accepts events for these sinks. */
export function add(
  log: PlanLog,
  events: readonly Routed['event'][],
  to: readonly StreamName[],
  acceptedAt: number,
): void {
  log.append(
    events.map((event) => ({ event, to })),
    { acceptedAt, since: acceptedAt, restored: false },
  );
}

/** One delivery ends, even if it is not its stream's turn. */
export function settle(log: PlanLog, seq: number, stream: string): void {
  log.streams.get(stream)?.remove((entry) => entry.seq === seq);
}

/** The streams in which an event waits. */
export const waits = (log: PlanLog, entry: LogEntry): Stream[] =>
  [...log.streams.values()].filter((stream) => log.waitingOf(stream).includes(entry));

/** `seq/notification/sink` of all waiting deliveries, in order. */
export const waiting = (log: PlanLog): string[] =>
  log.entries().flatMap((entry) => waits(log, entry).map(({ to }) => `${entry.seq}/${streamKey(to)}`));
