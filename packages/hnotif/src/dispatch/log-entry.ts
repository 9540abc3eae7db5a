import type { DerivedEvent, TargetState } from '../lifecycle/event.ts';
import { idOf } from '../lifecycle/ids.ts';
import type { EventKind, SinkType } from '../resources/kinds.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { LoggedEvent } from './delivery.ts';
import type { PlanLog } from './plan-log.ts';
import { sizeOfEvent } from './size.ts';
import type { Stream } from './stream.ts';

/** A sink of the plan's namespace: with the plan it is a stream. */
export interface StreamName {
  readonly notification: string;
  readonly sink: string;
  /** When the event was accepted: for metrics. */
  readonly type: SinkType;
}

export const streamKey = ({ notification, sink }: Pick<SinkAddress, 'notification' | 'sink'>): string =>
  `${notification}/${sink}`;

/** An event, and the sinks that subscribed to it. */
export interface Routed {
  /** `id`: as it was read back. */
  readonly event: DerivedEvent & { readonly id?: string };
  readonly to: readonly StreamName[];
}

/** When an event was accepted. */
export interface Acceptance {
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
  /** The same in monotonic milliseconds: may be before the process began. */
  readonly since: number;
  /** Whether an earlier process accepted it, and may have sent it. */
  readonly restored: boolean;
}

/** An accepted event, until no stream needs it any more. Of what many have in common it has a reference. */
export class LogEntry implements LoggedEvent, Acceptance {
  readonly #log: PlanLog;
  readonly #by: Acceptance;
  /** What its id is made of besides; undefined: the id was read back. */
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
  /** Its place in the log, which rises: its `seq`, but where that does not rise. */
  readonly at: number;
  /** Which of the log's target tables is its own. */
  readonly table: number;
  /** The streams that it is for, fixed at acceptance. */
  readonly group: ReadonlySet<Stream>;
  /** How many streams still need it. */
  open: number;

  constructor(
    log: PlanLog,
    event: Routed['event'],
    by: Acceptance,
    {
      at,
      table,
      group,
      last,
    }: { at: number; table: number; group: ReadonlySet<Stream>; last: LogEntry | undefined },
  ) {
    // Field by field: V8 keeps what is put together by a spread in several times the memory.
    this.#log = log;
    this.#by = by;
    this.fact = event.fact;
    this.epoch = event.epoch;
    this.#id = event.id;
    this.seq = event.seq;
    this.kind = event.kind;
    this.run = event.run;
    // Each write of the plan brings these texts anew.
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
    this.at = at;
    this.table = table;
    this.group = group;
    this.open = group.size;
  }

  /** Made when it is first asked for: most of what is dropped never needs one. */
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

  /** What it takes of memory, target tables not counted. */
  get bytes(): number {
    return sizeOfEvent(this);
  }
}
