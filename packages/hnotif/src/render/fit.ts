/** Cuts an event to the length of a message before it is rendered: the longest plan costs little. */
import type { TargetState } from '../lifecycle/event.ts';
import { linksOf, type Link } from '../resources/links.ts';
import { type Source, shownOf } from './context.ts';
import { cutText } from './cut.ts';
import { oneLine } from './one-line.ts';
import { isUnsuccessful, unsuccessfulFirst } from './targets.ts';

/** How many UTF-16 units of a message a text takes. Escapes may count. */
export type Cost = (text: string) => number;

/** How a receiver treats values. */
export interface MarkupRules {
  readonly cost: Cost;
  /** Removes mentions from a value. A second call changes nothing. `cost` counts its result. */
  readonly neutralize: (text: string) => string;
  /** Whether the template lists the targets. */
  readonly listsTargets: boolean;
  /** How many UTF-16 units a link takes. Absent: the template has no links. */
  readonly linkCost?: (link: Link) => number;
}

/** The most that words and markup of a built-in template take, without the target lines. */
const FIXED_TEXT = 240;

/** The longest name or word; at most a sixteenth of the budget. */
const LONGEST_VALUE = 256;

/**
 * The data of a built-in template, by the names of `BUILTIN`'s fields: every value on one line and neutralized, all within
 * `budget` (1,024 at least). A message or an error has at least half of the room; targets have the rest.
 */
export function fit({ event, plan }: Source, budget: number, rules: MarkupRules): object {
  const { cost, neutralize: guard, listsTargets: lists } = rules;
  // After the cut: a path may have become a command.
  const cut = (text: string, room: number): string => guard(cutTo(text, room, cost));
  const short = (text: string): string => cut(oneLine(text), Math.min(LONGEST_VALUE, budget >> 4));
  const { target, ...shown } = shownOf(event);
  const names = {
    Phase: short(event.phase),
    PreviousPhase: short(shown.previousPhase),
    Operation: short(event.operation),
  };
  const planNames = { Name: short(event.plan), Namespace: short(event.namespace) };
  const changed = target && namesOf(target, short);
  const head = Object.values<string>({ ...names, ...planNames }).concat(Object.values(changed ?? {}));
  const links = rules.linkCost === undefined ? [] : linksOf(plan.annotations, plan.notification);
  const linked = links.reduce((total, link) => total + (rules.linkCost?.(link) ?? 0), 0);
  const room = Math.max(0, budget - FIXED_TEXT - sum(head, cost) - linked);

  const bullets = new Map<TargetState, Bullet>();
  const bullet = (each: TargetState): Bullet => {
    const known = bullets.get(each);
    if (known !== undefined) return known;
    const { accountId, clusterName, region } = plan.connector(each.name);
    const place = { AccountID: short(accountId), ClusterName: short(clusterName), Region: short(region) };
    const made = { ...namesOf(each, short), Connector: place };
    bullets.set(each, made);
    return made;
  };
  const price = (each: TargetState): number => bulletCost(bullet(each), cost);

  const targets = lists ? unsuccessfulFirst(event.targets) : [];
  const wanted = sumWithin(targets, price, room);
  // No event has both.
  const text = oneLine(target?.message ?? shown.errorMessage);
  const long = cut(text, Math.max(room >> 1, room - wanted));
  const left = room - cost(long);
  const listed = wanted <= left ? targets : targets.slice(0, countWithin(targets, price, left));
  return {
    ...names,
    Event: event.kind,
    Timestamp: new Date(event.timestamp),
    Plan: planNames,
    TargetCount: event.targets.length,
    Targets: listed.map(bullet),
    More: targets.length - listed.length,
    TargetExecution: changed === undefined ? null : { ...changed, Message: long },
    ErrorMessage: target === undefined ? long : '',
    RetryCount: shown.retryCount,
    Troubled: event.targets.some(isUnsuccessful),
    Links: links.map(({ label, url }) => ({ Label: label, URL: url })),
  };
}

/** The text, cut so that it costs no more than `room`. */
export function cutTo(text: string, room: number, cost: Cost): string {
  if (text.length <= room && cost(text) <= room) return text;
  let units = 0;
  for (let spent = 0; units < text.length; units++) {
    spent += cost(text.charAt(units));
    if (spent > room) break;
  }
  // The note of the cut is shorter than the text it replaces.
  return cutText(text, units);
}

interface Names {
  readonly Name: string;
  readonly Executor: string;
  readonly State: string;
}

interface Bullet extends Names {
  readonly Connector: { readonly AccountID: string; readonly ClusterName: string; readonly Region: string };
}

const namesOf = (target: TargetState, short: (text: string) => string): Names => ({
  Name: short(target.name),
  Executor: short(target.executor),
  State: short(target.state),
});

function bulletCost({ Name, Executor, State, Connector }: Bullet, cost: Cost): number {
  const { AccountID, ClusterName, Region } = Connector;
  const part = (label: string, value: string): number => (value === '' ? 0 : label.length + cost(value));
  return (
    '\n•  (): '.length +
    sum([Name, Executor, State], cost) +
    part(' | Account: ', AccountID) +
    part(' | Cluster: ', ClusterName) +
    part(' | Region: ', Region)
  );
}

const sum = (texts: readonly string[], cost: Cost): number =>
  texts.reduce((total, text) => total + cost(text), 0);

/** The sum of the prices, or Infinity if it is above `room`. */
function sumWithin(
  targets: readonly TargetState[],
  price: (target: TargetState) => number,
  room: number,
): number {
  let total = 0;
  for (const target of targets) {
    total += price(target);
    if (total > room) return Infinity;
  }
  return total;
}

/** How many of the targets fit, in their order. */
function countWithin(
  targets: readonly TargetState[],
  price: (target: TargetState) => number,
  room: number,
): number {
  let left = room;
  const past = targets.findIndex((target) => (left -= price(target)) < 0);
  return past === -1 ? targets.length : past;
}
