/**
 * The record of a run of chaos, as plain JSON. The checker uses nothing else. Times are milliseconds since the epoch, of one
 * clock.
 */
export interface ChaosRecord {
  readonly seed: number;
  readonly plans: readonly PlanHistory[];
  readonly notifications: readonly NotificationSpec[];
  readonly kills: readonly Kill[];
  /** The times when writes of plans could be missed. */
  readonly gaps: readonly Gap[];
  /** Deletions of journals, each until the journals exist again. */
  readonly absences: readonly Absence[];
  /** Every request with a message, in the order in which the receivers read them. */
  readonly arrivals: readonly Arrival[];
  /** The roots in the channels of sinks with threads, at the end. */
  readonly roots: readonly RootMessage[];
  /** The boards in the channels of sinks with boards, at the end. */
  readonly boards: readonly BoardMessage[];
  /** The deliveries of these sinks that a journal had as delivered. */
  readonly ends: readonly DeliveryEnd[];
  /** Deliveries that hnotif says were dropped. */
  readonly drops: readonly Drop[];
  /** Requests that the log of hnotif says had no answer within the time limit. */
  readonly timeouts: readonly Timeout[];
}

/**
 * Deliveries that were dropped because a queue was full: docs/guarantees.md#full-queues. A journal tells them for each plan. A line of the
 * log adds up those of a sink, also those that a journal tells.
 */
export interface Drop {
  readonly namespace: string;
  readonly sink: string;
  /** `''`: a line of the log tells it. */
  readonly plan: string;
  readonly count: number;
  /** When it was told. */
  readonly at: number;
}

/** A request of which hnotif could not know whether the message had arrived. */
export interface Timeout {
  readonly sink: string;
  /** The plan's name, without `#`. */
  readonly plan: string;
  readonly kind: string;
  /** When the log told it. */
  readonly at: number;
}

export interface PlanHistory {
  readonly namespace?: string | undefined;
  /** Unique in the run. The label `life` distinguishes plans that had the same name one after the other: `plan-3#1`. */
  readonly name: string;
  /** Default: not known. */
  readonly uid?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** `spec.behavior.retries`. */
  readonly retries: number;
  /** Every state of the plan, also the first one, which has no status. */
  readonly writes: readonly StatusWrite[];
  readonly deleted?: Deletion | undefined;
  /** The epochs of its entries in journals, in the order of their first versions. Default: not known. */
  readonly epochs?: readonly Epoch[] | undefined;
}

/** Each time a plan is seen as new, its entry gets another epoch. */
export interface Epoch {
  readonly epoch: string;
  /** Of the first version: when it was in a journal, and the term of its writer. */
  readonly at: number;
  readonly term: number;
  /** The term of the last writer of a journal with this epoch. */
  readonly lastTerm: number;
}

/** The deletion of a plan after its last write: from the request until it was done. */
export interface Deletion {
  readonly from: number;
  readonly to: number;
  /** What its journal said before its whole namespace was deleted, with the secrets of its waiting deliveries. Undefined: the namespace stays. */
  readonly withNamespace?: Stored | undefined;
}

/** What an entry of a journal said of a plan. */
export interface Stored {
  /** The number of its last event: the first one has 1. */
  readonly seq: number;
  /** The plan's `resourceVersion` in the last state that hnotif had seen. Default: not known. */
  readonly version?: string | undefined;
  /** Default: not known. */
  readonly epoch?: string | undefined;
  /** The numbers of the events that waited, by sink. */
  readonly waiting: Readonly<Record<string, readonly number[]>>;
}

/** A deletion of journals: from before the first deletion until all their entries are in journals again. */
export interface Absence {
  readonly from: number;
  readonly to: number;
  /** The plans with entries in these journals. */
  readonly plans: Readonly<Record<string, Absent>>;
}

/** An entry that was deleted with its journal. */
export interface Absent {
  /** What the last read before the deletion found in it. */
  readonly stored: Stored;
  /** When a journal had an entry of the plan again, and the term of the leader that wrote it. Undefined: never, for a deleted plan. */
  readonly again?: { readonly at: number; readonly term: number } | undefined;
}

export interface StatusWrite {
  /** The times of the request and of the answer. The write took place in between. */
  readonly from: number;
  readonly to: number;
  /** The whole status, as it was written. */
  readonly status: unknown;
  /** The plan's `resourceVersion` after the write. */
  readonly version?: string | undefined;
  /** When this state was first in a journal: hnotif has seen it, and its events are stored. Undefined: not known. */
  readonly keptAt?: number | undefined;
}

export interface NotificationSpec {
  readonly name: string;
  readonly onEvents: readonly string[];
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly sinks: readonly SinkSpec[];
  /** The namespace of the plans that it may select. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** The times when it selected nothing, for sure or perhaps. Default: none. */
  readonly absences?: readonly Unselected[] | undefined;
}

/** A time in which a notification selected none of its plans, for sure or perhaps (milliseconds since the epoch). */
export interface Unselected {
  readonly from: number;
  readonly to: number;
  readonly isSure: boolean;
}

export interface SinkSpec {
  /** Unique in the run. */
  readonly name: string;
  /** The form of its messages. `channel`, `thread` and `board` are teamchat's modes. */
  readonly form: Form;
}

export type Form = 'webhook' | 'channel' | 'thread' | 'board' | 'botchat';

export interface Kill {
  readonly at: number;
  /** When the next process had listed the plans; Infinity (null in JSON): never. */
  readonly servedAt: number | null;
  /** When a paused process continued. It may then write a request that it had begun. Default: it was killed. */
  readonly resumedAt?: number | undefined;
  /** How long an operation that should take no time may have taken then on this machine. Computed from the start times of the processes before and after. */
  readonly slackMs: number;
  /** Whether it ended by itself, for instance because it had lost its Lease. */
  readonly fell: boolean;
  /** Its term as a leader. Default: not known. */
  readonly term?: number | undefined;
}

export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly why: string;
  /** The affected plans. Default: all. */
  readonly plans?: readonly string[] | undefined;
}

export interface Arrival {
  /** When it was accepted or refused. */
  readonly at: number;
  /** When the receiver had read it. */
  readonly sentAt: number;
  readonly sink: string;
  /** The id of the message, from a header or metadata; `''` if the receiver has no place for one. */
  readonly id: string;
  /** A webhook's `context`, or `{ text }` of a chat. */
  readonly message: unknown;
  /** `ts` of the thread's root; `''` outside threads. */
  readonly thread: string;
  /** Whether the receiver has accepted it. */
  readonly accepted: boolean;
  /** The answer to the sender: accepted; refused, so a retry may succeed; permanently refused (`rejected`); or not known. */
  readonly told: 'accepted' | 'refused' | 'rejected' | 'unclear';
  /** The longest time that the answer may have taken (milliseconds). */
  readonly lateMs: number;
}

/** A message in a channel, outside of threads, that is a root by its metadata. */
export interface RootMessage {
  readonly sink: string;
  readonly ts: string;
  readonly text: string;
  /** Its earlier texts, the oldest first. */
  readonly edits: readonly string[];
}

/** A board in a channel. */
export interface BoardMessage {
  readonly sink: string;
  readonly ts: string;
  /** All its texts, the oldest first, and when each was accepted. */
  readonly texts: readonly { readonly at: number; readonly text: string }[];
}

/** A delivery that has arrived, as its journal says. */
export interface DeliveryEnd {
  readonly plan: string;
  readonly sink: string;
  /** The number of its event: the first one of a plan has 1. */
  readonly seq: number;
  /** When the journal was first seen with it. */
  readonly at: number;
}

/** A failure of the control plane, and its time. After it, plans are not seen until they are listed or watched again. */
export interface Trouble {
  /**
   * `lost`: states of plans may be missed. `late`: states of plans are seen late. `pause`: the process was paused. `refusal`: journals
   * are written late.
   */
  readonly kind: 'lost' | 'late' | 'pause' | 'refusal' | 'none';
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

/** One line for each piece of the record, `[field, piece]`: the whole record is longer than a JavaScript string may be. */
export function* linesOf(record: ChaosRecord): Generator<string> {
  for (const [field, value] of Object.entries(record) as [string, unknown][])
    for (const piece of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      yield `${JSON.stringify([field, piece])}\n`;
}
