import {
  type Candidate,
  type EventStory,
  type Night,
  type NowAnswer,
  SEVERITIES,
  type WhyAnswer,
} from '@hnotif/core/page';
import { EVENT_ID, isLocation, isRaw } from '@hnotif/core/resources';
import { findById } from '../../explain/by-id.ts';
import { eventStory, others } from '../../explain/event-story.ts';
import { explain } from '../../explain/explain.ts';
import { findDeliveries } from '../../explain/found.ts';
import type { Leaders } from '../../explain/leader.ts';
import { askedNight } from '../../explain/night.ts';
import { differenceInWords, matches, requirementsOf } from '@hnotif/core/routing';
import { SILENT } from '../../status/conditions.ts';
import { momentsOf } from '../recorded-events.ts';
import type { Session } from '../session.ts';
import type { ClusterView } from './cluster-view.ts';
import type { Question } from './server.ts';

/** A plan by its name. */
export interface PlanName {
  readonly namespace: string;
  readonly name: string;
}

/** What the page asks about the cluster. `leaders`: who serves, as last seen. */
export const questionsAbout = (
  view: ClusterView,
  session: Session,
  leaders: () => Leaders,
): Readonly<Record<string, Question>> => ({
  '/api/why': (query) => why(view, session, leaders(), nameIn(query)),
  '/api/now': () => whatIsWrong(view, leaders(), session.client.serverClock.now()),
  '/api/night': (query) => night(view, leaders(), session.client.serverClock.now(), query),
  '/api/event': (query) => event(view, session, leaders(), query.get('id') ?? ''),
  '/api/find': (query) =>
    findDeliveries(query.get('text') ?? '', view.facts(leaders(), session.client.serverClock.now())),
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
  leaders: Leaders,
  { namespace, name }: PlanName,
): Promise<WhyAnswer | undefined> {
  const plan = view.plan(namespace, name);
  const now = session.client.serverClock.now();
  const facts = view.facts(leaders, now, { kind: 'plan', name }).find((each) => each.namespace === namespace);
  if (plan === undefined || facts === undefined) return undefined;
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

/** What needs a look, and what is muted: nothing else says that somebody hears nothing. */
function whatIsWrong(view: ClusterView, leaders: Leaders, now: number): NowAnswer {
  const found = view.facts(leaders, now).map(explain);
  return {
    causes: found
      .flatMap(({ findings, namespace }) => findings.map((finding) => ({ namespace, ...finding })))
      .filter(({ reason, severity }) => severity !== 'note' || SILENT.has(reason))
      .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    unread: [...new Set(found.flatMap(({ unread }) => unread))],
  };
}

/** Undefined: there is no such night. */
function night(view: ClusterView, leaders: Leaders, now: number, query: URLSearchParams): Night | undefined {
  const zone = query.get('zone') ?? 'UTC';
  if (!isLocation(zone)) return undefined;
  return askedNight(view.facts(leaders, now), query.get('date') ?? undefined, zone, now);
}

/** Undefined: no journal knows this id of an event or a message. */
async function event(
  view: ClusterView,
  session: Session,
  leaders: Leaders,
  id: string,
): Promise<EventStory | undefined> {
  if (!EVENT_ID.test(id)) return undefined;
  for (const facts of view.facts(leaders, session.client.serverClock.now())) {
    const found = findById(id, facts);
    if (found === undefined) continue;
    const { all, delivery, event: rows, plan } = found;
    const { moments } = await momentsOf(session, plan, facts.notifications, others(all, rows));
    return eventStory(plan, delivery === undefined ? rows : [delivery], moments);
  }
  return undefined;
}
