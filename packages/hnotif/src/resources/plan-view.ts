import type { Connector } from './connectors.ts';

/** What a plan looks like at the time of sending. */
export interface PlanView {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The annotations of the notification that links are made of. */
  readonly notification?: Readonly<Record<string, string>>;
  /** How often the plan is retried; undefined: not known. */
  readonly retries?: number;
  /** The connector of a target by its name; an empty one where the plan does not list it any more. */
  connector(target: string): Connector;
  /** What the plan's status says of a target's work; undefined: it is about another run, or has no such target. */
  work?(target: string, run: Run): Work | undefined;
}

/** Which execution of a plan. */
export interface Run {
  readonly cycle: string;
  readonly operation: string;
}

/** Of one target, the times as they are written or `''`. */
export interface Work {
  readonly executor: string;
  readonly state: string;
  /** Of the first attempt. */
  readonly startedAt: string;
  /** Of the last attempt. */
  readonly finishedAt: string;
}
