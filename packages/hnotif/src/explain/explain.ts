import type { Explanation } from '@hnotif/core/page';
import { deliveriesOf } from './deliveries.ts';
import type { Facts } from './facts.ts';
import { findingsOf } from './findings.ts';

/** The answer to "where is my notification?" for one namespace. */
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
