import { deliveriesOf, type DeliveryRow } from './deliveries.ts';
import type { Facts } from './facts.ts';
import { findingsOf, type Finding } from './findings.ts';
import type { Leader } from './leader.ts';

/** The answer to "where is my notification?" for one namespace. */
export interface Explanation {
  readonly namespace: string;
  readonly leader: Leader;
  /** The worst first. None: nothing is wrong. */
  readonly findings: readonly Finding[];
  readonly deliveries: readonly DeliveryRow[];
  /** What the user may not read, each in a sentence. */
  readonly unread: readonly string[];
}

/** Explains what became of the events of plans, from what the cluster keeps. A pure function: the controller need not run. */
export function explain(facts: Facts): Explanation {
  const { namespace, leader, plans, shown } = facts;
  const deliveries = deliveriesOf(facts);
  const unread = [plans, ...shown.map(({ journal }) => journal)].filter((why) => typeof why === 'string');
  return {
    ...{ namespace, leader, deliveries, unread: [...new Set(unread)] },
    findings: findingsOf(facts, deliveries),
  };
}

/** Whether something needs a correction. */
export const hasError = ({ findings, leader }: Explanation): boolean =>
  leader.state === 'inactive' || findings.some(({ severity }) => severity === 'error');
