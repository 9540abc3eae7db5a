/** Cuts an event to the length of a message before it is rendered: the longest plan costs little. */
import type { TargetState } from '../lifecycle/event.ts';
import { linksOf, type Link } from '../resources/links.ts';
import { type Source, shownOf } from './context.ts';
import { cutText } from './cut.ts';
import { oneLine } from './one-line.ts';
import { isUnsuccessful, unsuccessfulFirst } from './targets.ts';

/** How many UTF-16 units of a message a text takes, or bytes where the receiver counts those. Escapes may count. */
export type Cost = (text: string) => number;

/** No character costs more in any markup: one beyond ASCII in Teams, which stores its escape. */
const LARGEST_COST = 7;

/** How a receiver treats values. */
export interface MarkupRules {
  /** At most seven units for a character. */
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
  const shown = shownOf(event);
  const { target } = shown;
  const names = {
    Cluster: short(plan.cluster ?? ''),
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

  const bullet = ({ name, executor, state }: TargetState): Bullet => {
    const { accountId, clusterName, region } = plan.connector(name);
    const place = { AccountID: short(accountId), ClusterName: short(clusterName), Region: short(region) };
    return { Name: short(name), Executor: short(executor), State: short(state), Connector: place };
  };
  const targets = lists ? unsuccessfulFirst(event.targets) : [];
  const { bullets, prices, wanted } = bulletsWithin(room, targets, bullet, cost);
  // No event has both.
  const text = oneLine(target?.message ?? shown.errorMessage);
  const long = cut(text, Math.max(room >> 1, room - wanted));
  const left = room - cost(long);
  const listed = wanted <= left ? bullets : bullets.slice(0, countWithin(prices, left));
  return {
    ...names,
    Event: event.kind,
    Timestamp: new Date(event.timestamp),
    Plan: planNames,
    TargetCount: event.targets.length,
    Targets: listed,
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
  if (text.length * LARGEST_COST <= room || (text.length <= room && cost(text) <= room)) return text;
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

/** The first targets, as many as have room when there is no message. `wanted`: the sum of the prices; infinite if some have none. */
function bulletsWithin(
  room: number,
  targets: readonly TargetState[],
  bulletOf: (target: TargetState) => Bullet,
  cost: Cost,
) {
  const bullets: Bullet[] = [];
  const prices: number[] = [];
  let wanted = 0;
  for (const each of targets) {
    const bullet = bulletOf(each);
    const price = bulletCost(bullet, cost);
    wanted += price;
    if (wanted > room) return { bullets, prices, wanted: Infinity };
    bullets.push(bullet);
    prices.push(price);
  }
  return { bullets, prices, wanted };
}

function bulletCost({ Name, Executor, State, Connector }: Bullet, cost: Cost): number {
  const { AccountID, ClusterName, Region } = Connector;
  let total = '\n•  (): '.length + cost(Name) + cost(Executor) + cost(State);
  if (AccountID !== '') total += ' | Account: '.length + cost(AccountID);
  if (ClusterName !== '') total += ' | Cluster: '.length + cost(ClusterName);
  if (Region !== '') total += ' | Region: '.length + cost(Region);
  return total;
}

const sum = (texts: readonly string[], cost: Cost): number =>
  texts.reduce((total, text) => total + cost(text), 0);

/** How many of the first prices have a sum of at most `room`. */
function countWithin(prices: readonly number[], room: number): number {
  let left = room;
  const past = prices.findIndex((price) => (left -= price) < 0);
  return past === -1 ? prices.length : past;
}
