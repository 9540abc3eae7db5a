import type { Connector } from './connectors.ts';

/** A plan at the time of sending. */
export interface PlanView {
  /** Views with the same number show the same, so sinks can share a message. Absent: no other view is known to show the same. */
  readonly view?: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The annotations of the notification for links. */
  readonly notification?: Readonly<Record<string, string>>;
  /** The constant labels of the notification, `spec.labels`. Absent: it has none. */
  readonly notificationLabels?: Readonly<Record<string, string>>;
  /** The name of the cluster that hnotif watches, `--cluster-name`. Absent or `''`: it was not given. */
  readonly cluster?: string;
  /** How often the plan is retried; undefined: not known. */
  readonly retries?: number;
  /** The connector of a target; an empty one if the plan does not list the target. */
  connector(target: string): Connector;
  /** The work of a target by the plan's status; undefined: the status is about another run, or has no such target. */
  work?(target: string, run: Run): Work | undefined;
}

/** One execution of a plan. */
export interface Run {
  readonly cycle: string;
  readonly operation: string;
}

/** The work of one target. Times are as written, or `''`. */
export interface Work {
  readonly executor: string;
  readonly state: string;
  /** Of the first attempt. */
  readonly startedAt: string;
  /** Of the last attempt. */
  readonly finishedAt: string;
}
