import type {
  About,
  FailedSend,
  LivePlan,
  RequestTimes,
  Settlement,
  SinkWait,
} from '../dispatch/delivery.ts';
import type { DispatchListener } from '../dispatch/listener.ts';
import type { LogEntry, Routed } from '../dispatch/log-entry.ts';
import type { JournalListener } from '../journal/listener.ts';
import type { OutcomeLine } from '../journal/outcome-line.ts';
import type { Observed } from '@hnotif/core/lifecycle';
import type { Plan, SinkAddress } from '@hnotif/core/resources';
import type { Degradation, MemoryKey, Outcome, SavePriority, SinkMemory } from '@hnotif/core/sinks';
import type { GraceListener } from './grace-periods.ts';
import type { Pipeline } from './parts.ts';
import type { SinksListener } from './sink-resolver.ts';

/**
 * Everything that flows back against the pipeline: from the dispatcher, the journals and the sinks to the parts that are made after them, to
 * the reports and to the status. Each method names all parts that react, in their order.
 */
export class Feedback implements DispatchListener, JournalListener, SinksListener, GraceListener, SinkMemory {
  readonly #parts: () => Pipeline;

  /** `parts` is called when a part reports something. */
  constructor(parts: () => Pipeline) {
    this.#parts = parts;
  }

  // From the dispatcher.

  attempted(about: About, outcome: Outcome, times: RequestTimes): void {
    const { journals, reporter, sinks, traces } = this.#parts();
    if (outcome.kind === 'rejected-configuration') sinks.rejected(about.to);
    if (outcome.kind !== 'delivered') journals.of(about.event.planUid)?.delayed();
    reporter.attempted(about, outcome, times);
    traces?.attempted(about, outcome, times);
  }

  settled(settlement: Settlement): void {
    const { journals, reporter, statusTracker, traces } = this.#parts();
    journals.settled(settlement);
    reporter.settled(settlement);
    statusTracker.settled(settlement);
    traces?.settled(settlement);
  }

  degraded(about: About, degradation: Degradation): void {
    const { reporter, statusTracker } = this.#parts();
    reporter.degraded(about, degradation);
    statusTracker.degraded(about.to, about.event.kind, degradation);
  }

  sendFailed(about: About, failure: FailedSend): void {
    const { reporter, statusTracker, traces } = this.#parts();
    reporter.sendFailed(about, failure);
    statusTracker.sendFailed(about.to, failure);
    traces?.sendFailed(about, failure);
  }

  waits(to: SinkAddress, wait: SinkWait, begun: boolean): void {
    const { reporter, statusTracker } = this.#parts();
    reporter.waits(to, wait, begun);
    statusTracker.waits(to);
  }

  resumed(to: SinkAddress): void {
    const { reporter, statusTracker } = this.#parts();
    reporter.resumed(to);
    statusTracker.waits(to);
  }

  circuitClosed(to: SinkAddress, waiting: number, forMs: number): void {
    this.#parts().reporter.circuitClosed(to, waiting, forMs);
  }

  fault(error: unknown): void {
    this.#parts().reporter.fault(error);
  }

  /** Resolves when the outcomes of a plan are stored, or cannot be stored; undefined: they are. */
  persisted(planUid: string): Promise<void> | undefined {
    return this.#parts().journals.of(planUid)?.persistOutcomes();
  }

  // From the journals.

  appended(live: LivePlan, events: readonly Routed[], restored: boolean): void {
    const { gracePeriods, reporter, watches } = this.#parts();
    reporter.accepted(events);
    if (!restored) return;
    // It is not known when a sink of an earlier process was deleted. It may be created again soon.
    const { namespace } = live.current;
    for (const streams of new Set(events.map(({ to }) => to)))
      for (const { notification, sink } of streams) {
        const address = { namespace, notification, sink };
        if (!watches.lists(address) && !gracePeriods.has(address)) gracePeriods.left(address);
      }
  }

  released(entries: readonly LogEntry[]): void {
    const { reporter, traces } = this.#parts();
    reporter.released(entries);
    traces?.released(entries);
  }

  rebase(planUid: string, observed: Observed): void {
    const { intake, replays } = this.#parts();
    intake.rebase(planUid, observed);
    replays.rebased(planUid);
  }

  memoryFound(live: LivePlan, at: MemoryKey, value: unknown): void {
    this.#parts().repairs.memoryFound(live, at, value);
  }

  endingFound(to: SinkAddress, ending: OutcomeLine): void {
    const { reporter, statusTracker } = this.#parts();
    const ended = statusTracker.endedBefore(to, ending);
    if (ended !== undefined) reporter.endedBefore(to, ending, ended);
  }

  durabilityChanged(namespace: string): void {
    this.#parts().statusTracker.changed(namespace);
  }

  journalUnreadable(plan: Plan, message: string): void {
    this.#parts().reporter.journalUnreadable(plan, message);
  }

  planReleased({ namespace, name }: Pick<Plan, 'namespace' | 'name'>): void {
    const { intake, watches } = this.#parts();
    const plan = watches.plans.get(namespace, name);
    if (plan !== undefined) intake.changed(plan, true);
  }

  // From the sinks.

  load(at: MemoryKey): unknown {
    return this.#parts().journals.load(at);
  }

  save(at: MemoryKey, value: unknown, priority: SavePriority): void | Promise<void> {
    return this.#parts().journals.save(at, value, priority);
  }

  renewed(to: SinkAddress): void {
    const { dispatcher, statusTracker } = this.#parts();
    statusTracker.renewed(to);
    dispatcher.configurationChanged(to);
  }

  graceEnded(to: SinkAddress): void {
    const { dispatcher, series } = this.#parts();
    dispatcher.unsubscribe(to);
    series.released();
  }
}
