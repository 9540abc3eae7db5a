import {
  type DerivedEvent,
  type FailedTargets,
  type LifecycleEvent,
  type TargetState,
  failedTargets,
  idOf,
  wholeEvent,
} from '@hnotif/core/lifecycle';
import type { EventKind, SinkType, SinkAddress } from '@hnotif/core/resources';
import type { Limits } from './limits.ts';
import type { PlanLog } from './plan-log.ts';
import type { Stream } from './stream.ts';

/** An event in the log of its plan. Its target table is made on demand. */
export type LoggedEvent = Omit<LifecycleEvent, 'targets'>;

/** A sink in the namespace of the plan. Together with the plan it names a stream. */
export interface StreamName {
  readonly notification: string;
  readonly sink: string;
  /** When the event was accepted: for metrics. */
  readonly type: SinkType;
}

export const streamKey = ({ notification, sink }: Pick<SinkAddress, 'notification' | 'sink'>): string =>
  `${notification}/${sink}`;

/** An event, and the sinks that subscribe to it. */
export interface Routed {
  /** `id`: of an event that was read from a journal. */
  readonly event: DerivedEvent & { readonly id?: string };
  readonly to: readonly StreamName[];
  /** Whether it may be sent before it is stored: the plan's status proves it, and its receivers drop repeats. */
  readonly isProven?: boolean | undefined;
}

/** Whether an event may be lost under pressure. The other kinds say how a run went. */
export const isExpendable = ({ kind }: Pick<LoggedEvent, 'kind'>): boolean =>
  kind === 'ExecutionProgress' || kind === 'PhaseChange';

/** Whether an event ends a run. */
export const isEnd = ({ kind }: Pick<LoggedEvent, 'kind'>): boolean =>
  kind === 'Success' || kind === 'Failure';

/** Whether a delivery has waited too long. `now` in monotonic milliseconds: a change of the wall clock expires nothing. */
export const isTooOld = (entry: LogEntry, { maxAgeMs, maxAgeOfProgressMs }: Limits, now: number): boolean =>
  entry.since + (isExpendable(entry) ? maxAgeOfProgressMs : maxAgeMs) <= now;

/** The memory of an object and its references, without its texts (bytes). Measured on V8, rounded up. */
const EVENT_OVERHEAD = 400;

/** The memory that an event takes by itself, without its target table (bytes). A character counts as two. */
export const sizeOfEvent = ({
  errorMessage,
  cycle,
  targetExecution,
}: Pick<LoggedEvent, 'errorMessage' | 'cycle' | 'targetExecution'>): number =>
  EVENT_OVERHEAD + 2 * (errorMessage.length + cycle.length + (targetExecution?.message.length ?? 0));

/** When an event was accepted. */
export interface Acceptance {
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
  /** The same in monotonic milliseconds. May be before the process began. */
  readonly since: number;
  /** Whether an earlier process accepted it. That process may have sent it. */
  readonly restored: boolean;
}

/** An accepted event, until no stream needs it, with all fields of an event. Texts that events have in common are shared. */
export class LogEntry implements LoggedEvent, Acceptance, Record<keyof LoggedEvent, unknown> {
  readonly #log: PlanLog;
  readonly #by: Acceptance;
  /** Parts of its id; undefined: the id was read from a journal. */
  readonly fact: string | undefined;
  readonly epoch: string | undefined;
  #id: string | undefined;
  readonly seq: number;
  readonly kind: EventKind;
  readonly run: number;
  readonly cycle: string;
  readonly operation: string;
  readonly phase: string;
  readonly previousPhase: string;
  readonly timestamp: string;
  readonly targetExecution: TargetState | undefined;
  readonly errorMessage: string;
  readonly retryCount: number;
  readonly startedAt: string | undefined;
  readonly replayed: true | undefined;
  /** Of an event that says how a run went. */
  readonly failed: FailedTargets | undefined;
  /** Its position in the log: its `seq`, or one more than the position before, whichever is higher. */
  readonly at: number;
  /** The number of its target table. */
  readonly table: number;
  /** The streams that it is for. Fixed at acceptance. */
  readonly group: ReadonlySet<Stream>;
  /** How many streams still need it. */
  open: number;

  constructor(
    log: PlanLog,
    event: Routed['event'],
    by: Acceptance,
    { at, table, group }: Pick<LogEntry, 'at' | 'table' | 'group'>,
    last: LogEntry | undefined,
  ) {
    // Field by field: in V8 an object made by a spread takes several times the memory.
    this.#log = log;
    this.#by = by;
    this.fact = event.fact;
    this.epoch = event.epoch;
    this.#id = event.id;
    this.seq = event.seq;
    this.kind = event.kind;
    this.run = event.run;
    // Each write of the plan brings new copies of these texts.
    this.cycle = last?.cycle === event.cycle ? last.cycle : event.cycle;
    this.operation = last?.operation === event.operation ? last.operation : event.operation;
    this.phase = last?.phase === event.phase ? last.phase : event.phase;
    this.previousPhase =
      last?.previousPhase === event.previousPhase ? last.previousPhase : event.previousPhase;
    this.timestamp = last?.timestamp === event.timestamp ? last.timestamp : event.timestamp;
    this.targetExecution = event.targetExecution;
    this.errorMessage = event.errorMessage;
    this.retryCount = event.retryCount;
    this.startedAt = event.startedAt;
    this.replayed = event.replayed;
    this.failed = isExpendable(event) ? undefined : failedTargets(event.targets);
    this.at = at;
    this.table = table;
    this.group = group;
    this.open = group.size;
  }

  /** Computed on first use: most dropped events need none. */
  get id(): string {
    return (this.#id ??= idOf(this));
  }

  get planUid(): string {
    return this.#log.planUid;
  }

  get namespace(): string {
    return this.#log.namespace;
  }

  get plan(): string {
    return this.#log.name;
  }

  get acceptedAt(): number {
    return this.#by.acceptedAt;
  }

  get since(): number {
    return this.#by.since;
  }

  get restored(): boolean {
    return this.#by.restored;
  }

  /** The memory that it takes, without its target table (bytes). */
  get bytes(): number {
    return sizeOfEvent(this);
  }

  /** The event with its target table. */
  withTargets(targets: LifecycleEvent['targets']): LifecycleEvent {
    const { planUid, namespace, plan, targetExecution } = this;
    return wholeEvent(this, { planUid, namespace, plan, targets, targetExecution });
  }
}
