import { isRaw } from '../../cluster/objects.ts';
import { explain, type Explanation } from '../../explain/explain.ts';
import type { Leader } from '../../explain/leader.ts';
import type { Moment } from '../../explain/timeline.ts';
import { differenceInWords } from '../../routing/nearest.ts';
import { matches, requirementsOf } from '../../routing/selector.ts';
import { momentsOf } from '../recorded-events.ts';
import type { Session } from '../session.ts';
import type { ClusterView } from './cluster-view.ts';
import type { Question } from './server.ts';

/** A notification of the plan's namespace, and whether it is for the plan. */
export interface Candidate {
  readonly name: string;
  readonly isMatch: boolean;
  /** The events that it asks for. */
  readonly onEvents: readonly string[];
  readonly sinks: readonly { readonly name: string; readonly type: string }[];
  /** Which label differs; `''`: none. */
  readonly difference: string;
}

/** The answer to "where is my notification?" for one plan, as `hnotif why` and `hnotif trace` give it. */
export interface WhyAnswer extends Explanation {
  readonly plan: string;
  /** Those that match first. */
  readonly candidates: readonly Candidate[];
  readonly moments: readonly Moment[];
}

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
