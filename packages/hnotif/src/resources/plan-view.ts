import type { Connector } from './connectors.ts';

/** What a plan looks like at the time of sending. */
export interface PlanView {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The connector of a target by its name; an empty one where the plan does not list it any more. */
  connector(target: string): Connector;
}
