/**
 * What a run of chaos leaves behind, as plain JSON: all that the checker looks at. Times are milliseconds since the epoch, by
 * one clock.
 */
export interface ChaosRecord {
  readonly seed: number;
  readonly plans: readonly PlanHistory[];
  readonly notifications: readonly NotificationSpec[];
  readonly kills: readonly Kill[];
  /** When writes of plans could go by unseen. */
  readonly gaps: readonly Gap[];
  /** Journals that were deleted, until they stood again. */
  readonly absences: readonly Absence[];
  /** Every request that was a message, in the order in which the receivers read them. */
  readonly arrivals: readonly Arrival[];
  /** What stands in the channels of the sinks that keep threads, at the end. */
  readonly roots: readonly RootMessage[];
}

export interface PlanHistory {
  readonly namespace?: string | undefined;
  /** Unique in the run. Plans that have had one name after the other are told apart by their label `life`: `plan-3#1`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `spec.behavior.retries`. */
  readonly retries: number;
  /** Every state of the plan, the first one (without a status) too. */
  readonly writes: readonly StatusWrite[];
  readonly deleted?: Deletion | undefined;
}

/** A plan was deleted, after its last write: when that was asked for, and done. */
export interface Deletion {
  readonly from: number;
  readonly to: number;
  /** With its whole namespace: what waits has no secret any more. */
  readonly withNamespace: boolean;
}

/** Journals were deleted, and stood again: from before the first was until all that they kept was found in journals. */
export interface Absence {
  readonly from: number;
  readonly to: number;
  /** Whose entries were in them, and when the last look began that did not find it. */
  readonly missing: Readonly<Record<string, number>>;
}

export interface StatusWrite {
  /** When it was asked for, and when it was answered: it took place in between. */
  readonly from: number;
  readonly to: number;
  /** The whole status, as it was written. */
  readonly status: unknown;
  /** The plan's `resourceVersion` after it. */
  readonly version?: string | undefined;
  /** When a journal first had this state: it was seen, and what it makes is kept. Undefined: that is not known. */
  readonly keptAt?: number | undefined;
}

export interface NotificationSpec {
  readonly name: string;
  readonly onEvents: readonly string[];
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly sinks: readonly SinkSpec[];
  /** Whose plans it may select. Default: those of all namespaces. */
  readonly namespace?: string | undefined;
  /** When it selected nothing, or may have. Default: never. */
  readonly absences?: readonly Unselected[] | undefined;
}

/** A notification selected none of its plans, for sure or perhaps (milliseconds since the epoch). */
export interface Unselected {
  readonly from: number;
  readonly to: number;
  readonly isSure: boolean;
}

export interface SinkSpec {
  /** Unique in the run. */
  readonly name: string;
  /** What its messages look like; `thread` is teamchat's thread mode, `channel` its other one. */
  readonly form: Form;
}

export type Form = 'webhook' | 'channel' | 'thread' | 'botchat';

export interface Kill {
  readonly at: number;
  /** When the process after it had listed the plans; Infinity (null in JSON) where it never did. */
  readonly servedAt: number | null;
  /** How long what takes no time took on this machine just then: judged by how long the processes before and after needed to begin. */
  readonly slackMs: number;
  /** It ended by itself, since it had lost its Lease for example. */
  readonly fell: boolean;
}

export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly why: string;
  /** Which plans it concerns. Default: all. */
  readonly plans?: readonly string[] | undefined;
}

export interface Arrival {
  /** When it was taken in, or refused. */
  readonly at: number;
  /** When the receiver had read it. */
  readonly sentAt: number;
  readonly sink: string;
  /** The message's own id: a header, or metadata; `''` where the receiver has no place for one. */
  readonly id: string;
  /** A webhook's `context`, or `{ text }` of a chat. */
  readonly message: unknown;
  /** `ts` of the thread's root; `''` outside threads. */
  readonly thread: string;
  /** Whether the receiver has taken it in. */
  readonly accepted: boolean;
  /** What the sender was told: that it arrived, that it did not, that it never will, or nothing that would tell. */
  readonly told: 'accepted' | 'refused' | 'rejected' | 'unclear';
  /** How long the answer took at most. */
  readonly lateMs: number;
}

/** A message in a channel itself that says by its metadata that it is a root. */
export interface RootMessage {
  readonly sink: string;
  readonly ts: string;
  readonly text: string;
  /** What it said before it was changed, oldest first. */
  readonly edits: readonly string[];
}
