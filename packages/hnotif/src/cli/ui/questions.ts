import type { Candidate, Leader, WhyAnswer } from '@hnotif/core/page';
import { isRaw } from '@hnotif/core/resources';
import { explain } from '../../explain/explain.ts';
import { differenceInWords, matches, requirementsOf } from '@hnotif/core/routing';
import { momentsOf } from '../recorded-events.ts';
import type { Session } from '../session.ts';
import type { ClusterView } from './cluster-view.ts';
import type { Question } from './server.ts';

/** A plan by its name. */
export interface PlanName {
  readonly namespace: string;
  readonly name: string;
}

/** What the page asks about the cluster. `leader`: who serves, as last seen. */
export const questionsAbout = (
  view: ClusterView,
  session: Session,
  leader: () => Leader,
): Readonly<Record<string, Question>> => ({
  '/api/why': (query) => why(view, session, leader(), nameIn(query)),
  '/api/plans': () => ({
    plans: [...view.plans()].map(({ namespace, name }): PlanName => ({ namespace, name })),
  }),
  '/api/plan': (query) => {
    const { namespace, name } = nameIn(query);
    return readPlan(session, namespace, name);
  },
});

/** The whole object, for events of it in the editor of templates. Undefined: there is no such plan. */
async function readPlan(session: Session, namespace: string, name: string): Promise<object | undefined> {
  const found = await session.get(session.plans, namespace, name);
  return isRaw(found) ? found : undefined;
}

const nameIn = (query: URLSearchParams): PlanName => ({
  namespace: query.get('namespace') ?? '',
  name: query.get('name') ?? '',
});

async function why(
  view: ClusterView,
  session: Session,
  leader: Leader,
  { namespace, name }: PlanName,
): Promise<WhyAnswer | undefined> {
  const plan = view.plan(namespace, name);
  if (plan === undefined) return undefined;
  const facts = view.explainable(plan, leader, session.client.serverClock.now());
  const found = explain(facts);
  const candidates = facts.notifications
    .map((each): Candidate => {
      const isMatch = matches(each.selector, plan.labels);
      return {
        ...{ name: each.name, isMatch, onEvents: each.onEvents },
        sinks: each.sinks.map(({ name: sink, type }) => ({ name: sink, type })),
        difference: isMatch ? '' : differenceInWords(plan.labels, requirementsOf(each.selector)),
      };
    })
    .sort((a, b) => Number(b.isMatch) - Number(a.isMatch) || (a.name < b.name ? -1 : 1));
  const { moments, recorded } = await momentsOf(session, plan, facts.notifications, found.deliveries);
  return {
    ...found,
    ...{ plan: name, candidates, moments },
    unread: recorded.ok ? found.unread : [...found.unread, recorded.why],
  };
}
