import { HARMLESS_DROPS, SILENT_DROPS } from '../dispatch/reasons.ts';
import { formatSeconds, parseTime } from '@hnotif/core/lifecycle';
import {
  hasFailed,
  type DeliveryRow,
  type Night,
  type NotTold,
  type PlanNight,
  type PlanState,
  type ShownRun,
} from '@hnotif/core/page';
import { matches } from '@hnotif/core/routing';
import { deliveriesOf } from './deliveries.ts';
import { deliveryGroups, type DeliveryGroup } from './delivery-groups.ts';
import type { Facts, PlanFacts } from './facts.ts';
import { differencesOf } from './night-differences.ts';
import { lastNight, nightBefore, nightOn, tonight, type NightWindow } from './night-window.ts';
import { runsOf, type Run } from './runs.ts';

/** What happened in a night, in some namespaces. Pure. */
export function nightOf(all: readonly Facts[], window: NightWindow, now: number): Night {
  const { date, from, to, zone } = window;
  const found = all.map((facts) => namespaceNight(facts, window, now));
  return {
    ...{ date, zone, from: formatSeconds(from), to: formatSeconds(to), isOver: now >= to },
    plans: found
      .flatMap(({ plans }) => plans)
      .sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state)),
    notTold: found
      .flatMap(({ notTold }) => notTold)
      .sort((a, b) => Number(b.isProblem) - Number(a.isProblem)),
  };
}

/**
 * The night that began on this date. Without a date: the last night, or the time since noon if the last night is empty, as in a new cluster.
 * Undefined: there is no such date.
 */
export function askedNight(
  all: readonly Facts[],
  date: string | undefined,
  zone: string,
  now: number,
): Night | undefined {
  const of = (window: NightWindow | undefined): Night | undefined => window && nightOf(all, window, now);
  if (date !== undefined) return of(nightOn(date, zone));
  const last = of(lastNight(now, zone));
  if (last === undefined || last.plans.length > 0) return last;
  const next = of(tonight(now, zone));
  return next === undefined || next.plans.length === 0 ? last : next;
}

/** From what needs a look to what is well. */
const STATES: readonly PlanState[] = [
  'failed',
  'incomplete',
  'missing',
  'running',
  'asleep',
  'awake',
  'done',
];

/** Whether nothing failed, and everybody was told. A plan that did not run is well: it may be a weekend. */
export const isWell = ({ plans, notTold }: Night): boolean =>
  plans.every(({ state }) => !hasFailed(state)) && notTold.every(({ isProblem }) => !isProblem);

function namespaceNight(
  facts: Facts,
  window: NightWindow,
  now: number,
): { readonly plans: readonly PlanNight[]; readonly notTold: readonly NotTold[] } {
  const { namespace } = facts;
  const rows = deliveriesOf(facts).filter((row) => row.facts !== undefined);
  const plans = facts.shown.flatMap((each) => planNight(each, facts, rows, window, now) ?? []);
  const lost = plans
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ state }) => state !== 'delivered' && state !== 'suppressed');
  return { plans, notTold: deliveryGroups(lost).map((group) => notTold(namespace, group, now)) };
}

function planNight(
  { plan }: PlanFacts,
  { namespace, notifications }: Facts,
  all: readonly DeliveryRow[],
  window: NightWindow,
  now: number,
): PlanNight | undefined {
  const rows = all.filter((row) => row.plan === plan.name);
  const runs = runsOf(plan, eventsOf(rows));
  const during = ({ from, to }: NightWindow): readonly Run[] =>
    runs.filter(({ began }) => began >= from && began < to);
  const [before, these] = [nightBefore(window), during(window)];
  const differences = differencesOf(these, before === undefined ? [] : during(before), window, now);
  const deliveries = rows.filter(({ facts }) => {
    const at = parseTime(facts?.time ?? '') ?? 0;
    return at >= window.from && at < window.to;
  });
  if (these.length + differences.length + deliveries.length === 0) return undefined;
  const selecting = notifications.filter(({ selector }) => matches(selector, plan.labels));
  return {
    ...{
      namespace,
      plan: plan.name,
      state: stateOf(these),
      runs: these.map(shownRun),
      differences,
      deliveries,
    },
    notifications: selecting.map(({ name }) => name),
    withoutFailure: selecting.filter(({ onEvents }) => !onEvents.includes('Failure')).map(({ name }) => name),
  };
}

/** The events of a plan, each once. */
function eventsOf(rows: readonly DeliveryRow[]) {
  const known = new Map(
    rows.map(({ event, facts, seq }) => [`${seq} ${event}`, { kind: event, facts, seq }]),
  );
  return [...known.values()]
    .flatMap(({ kind, facts, seq }) => (facts === undefined ? [] : [{ kind, facts, seq }]))
    .sort((a, b) => (parseTime(a.facts.time) ?? 0) - (parseTime(b.facts.time) ?? 0) || a.seq - b.seq);
}

/** By the last run of each operation: an earlier one may have failed, and been started again. */
function stateOf(all: readonly Run[]): PlanState {
  const runs = lastOfEach(all);
  for (const state of ['failed', 'incomplete'] as const)
    if (runs.some((run) => run.state === state)) return state;
  const last = runs.at(-1);
  if (last === undefined) return 'missing';
  if (last.state === 'running') return 'running';
  return last.operation === 'shutdown' ? 'asleep' : last.operation === 'wakeup' ? 'awake' : 'done';
}

/** The last run of each operation, in their order. */
export const lastOfEach = <R extends Pick<Run, 'operation'>>(runs: readonly R[]): readonly R[] =>
  runs.filter((run, at) => !runs.slice(at + 1).some(({ operation }) => operation === run.operation));

const shownRun = ({ began, ended, error, failed, operation, retries, state }: Run): ShownRun => ({
  ...{ operation, state, retries, began: formatSeconds(began) },
  ...(ended !== undefined && { ended: formatSeconds(ended), seconds: Math.round((ended - began) / 1_000) }),
  ...(error !== '' && { error }),
  ...(failed && { failed }),
});

function notTold(namespace: string, { oldest, plans, count }: DeliveryGroup, now: number): NotTold {
  const { at, event, eventId, facts, ids = [], notification, sink, state, why } = oldest;
  return {
    ...{ namespace, notification, sink, state, why, count, plans, event, since: facts?.time ?? oldest.at },
    id: eventId ?? ids.at(-1) ?? '',
    isProblem:
      state === 'waiting'
        ? now - (parseTime(at) ?? now) >= MOMENT_MS
        : state === 'failed' || !(HARMLESS_DROPS.has(why) || SILENT_DROPS.has(why)),
  };
}

/** A delivery may wait so long for its turn (milliseconds). */
const MOMENT_MS = 60_000;
