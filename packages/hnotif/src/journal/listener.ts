import type { LivePlan } from '../dispatch/delivery.ts';
import type { LogEntry, Routed } from '../dispatch/log-entry.ts';
import type { Observed } from '@hnotif/core/lifecycle';
import type { Plan, SinkAddress } from '@hnotif/core/resources';
import type { MemoryKey } from '@hnotif/core/sinks';
import type { WriteProblem } from './durability.ts';
import type { OutcomeLine } from './outcome-line.ts';

/** What the journals report to other parts of the service. */
export interface JournalListener {
  /** Events were accepted, now or (`restored`) by an earlier process. */
  appended(live: LivePlan, events: readonly Routed[], restored: boolean): void;
  /** These events are stored, or cannot be stored, and will be sent. They were accepted by this process. There is at least one. */
  released(entries: readonly LogEntry[]): void;
  /** Another process has stored a different state. The events of this plan must be derived again from `observed`. */
  rebase(planUid: string, observed: Observed): void;
  /** A value that a sink saved in an earlier process. */
  memoryFound(live: LivePlan, at: MemoryKey, value: unknown): void;
  /** Deliveries ended in an earlier process, which may have been killed before it reported them. */
  endingFound(to: SinkAddress, ending: OutcomeLine): void;
  /** Why accepted events of a namespace are not stored; undefined: they are stored. */
  durabilityChanged(namespace: string, trouble: WriteProblem | undefined): void;
  /** The entry of a plan cannot be read. `message` is for the owner of the plan. */
  journalUnreadable(plan: Plan, message: string): void;
  /** The journal of a newer hnotif is gone, so this process may serve the plan. */
  planReleased(plan: Pick<Plan, 'namespace' | 'name'>): void;
}
