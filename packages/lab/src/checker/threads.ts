/**
 * The threads in the channels: each night of a plan has one root, and all its messages are in its thread. The status card of a thread: the
 * states that it has shown since it was posted.
 */
import type { Arrival, RootMessage } from '../record.ts';
import { readRoot } from './messages.ts';
import type { Expected } from './net-events.ts';

export interface Told {
  readonly plan: string;
  readonly event: Expected;
  readonly arrival: Arrival;
}

export interface Roots {
  readonly roots: number;
  readonly keys: number;
  /** Roots of a night that already has one. */
  readonly secondRoots: number;
  readonly faults: readonly string[];
}

const keyOf = (sink: string, plan: string, cycle: string, operation: string): string =>
  JSON.stringify([sink, plan, cycle, operation]);

/** What was lost of a plan with its stored data, also its threads. */
export interface Forgotten {
  /** How often. Each time a thread may get a new root. */
  readonly times: number;
  /** The last messages may never have arrived in their thread. */
  readonly unsent: boolean;
}

/** By plan. */
export type AllForgotten = ReadonlyMap<string, Forgotten>;

export const NOTHING_FORGOTTEN: Forgotten = { times: 0, unsent: false };

/** `told`: the first arrivals at sinks with threads, each with its event. */
export function checkRoots(
  messages: readonly RootMessage[],
  told: readonly Told[],
  forgotten: AllForgotten,
): Roots {
  const planOf = (key: string): string => (JSON.parse(key) as readonly string[])[1] ?? '';
  const keys = new Set<string>();
  const faults: string[] = [];
  let secondRoots = 0;
  const keyOfRoot = new Map<string, string>();
  const rootsOf = new Map<string, number>();
  for (const { sink, ts, text } of messages) {
    const root = readRoot(text);
    const key = root && keyOf(sink, root.plan, root.cycle, root.operation);
    if (key === undefined)
      faults.push(`${sink}: a root ${ts} without a plan, cycle or operation: ${JSON.stringify(text)}`);
    else {
      keyOfRoot.set(`${sink} ${ts}`, key);
      rootsOf.set(key, (rootsOf.get(key) ?? 0) + 1);
    }
  }
  for (const { plan, event, arrival } of told) {
    // A message that belongs to no night is not in a thread.
    const key = event.cycle === '' ? '' : keyOf(arrival.sink, plan, event.cycle, event.operation);
    if (key !== '') keys.add(key);
    const found = keyOfRoot.get(`${arrival.sink} ${arrival.thread}`) ?? '';
    if (found !== key)
      faults.push(
        `${arrival.sink}: ${event.kind} of ${key || plan} is in the thread of ${found || 'no night'}`,
      );
  }
  for (const [key, count] of rootsOf) {
    const { times, unsent } = forgotten.get(planOf(key)) ?? NOTHING_FORGOTTEN;
    secondRoots += Math.max(0, count - 1 - times);
    if (count > 1 + times) faults.push(`${count} roots of ${key}`);
    if (!keys.has(key) && !unsent) faults.push(`a root of ${key} without messages`);
  }
  for (const key of keys) if (!rootsOf.has(key)) faults.push(`no root of ${key}`);
  return { roots: messages.length, keys: keys.size, secondRoots, faults };
}

/** In the order of a run. Of the last two the newer one counts. */
const STATES = ['Starting', 'In Progress', 'Completed', 'Failed'] as const;
type CardState = (typeof STATES)[number];

/** A journal keeps this many threads of a plan for a sink. An older card may not be updated any more. */
const KEPT_THREADS = 8;

const isTerminal = (state: CardState): boolean => state === 'Completed' || state === 'Failed';

/** How an event ends a run. */
const ENDS: Readonly<Record<string, CardState>> = { Success: 'Completed', Failure: 'Failed' };

export interface Cards {
  /** How often a card of a thread went back to an earlier state. */
  readonly cardsBack: number;
  readonly faults: readonly string[];
}

/** A card never leaves its final state and never goes back to `Starting`. In the end it shows how its run ended. */
export function checkCards(
  roots: readonly RootMessage[],
  told: readonly Told[],
  forgotten: AllForgotten,
): Cards {
  const faults: string[] = [];
  let cardsBack = 0;
  const lastOf = new Map<string, CardState>();
  for (const { plan, event, arrival } of [...told].sort((a, b) => a.arrival.at - b.arrival.at)) {
    const end = ENDS[event.kind];
    if (end !== undefined) lastOf.set(keyOf(arrival.sink, plan, event.cycle, event.operation), end);
  }
  const isForgotten = (plan: string): boolean => {
    const { times, unsent } = forgotten.get(plan) ?? NOTHING_FORGOTTEN;
    return times > 0 || unsent;
  };
  for (const { sink, ts, text, edits } of roots) {
    const root = readRoot(text);
    if (root === undefined) continue;
    const key = keyOf(sink, root.plan, root.cycle, root.operation);
    const story = [...edits, text].map(stateOf).filter((state) => state !== undefined);
    for (const [index, state] of story.entries()) {
      const before = story[index - 1];
      if (before === undefined || !goesBack(before, state)) continue;
      // If a plan is seen as new, its run begins again.
      if (state === 'Starting' && !isTerminal(before) && isForgotten(root.plan)) continue;
      cardsBack++;
      faults.push(`the card ${ts} of ${key} went back from ${before} to ${state}: ${story.join(', ')}`);
    }
    const [last, end] = [story.at(-1), lastOf.get(key)];
    const later = roots.filter(
      (other) => other.sink === sink && other.ts > ts && readRoot(other.text)?.plan === root.plan,
    );
    if (later.length >= KEPT_THREADS) continue;
    if (end !== undefined && last !== end && !isForgotten(root.plan))
      faults.push(`the card ${ts} of ${key} shows ${last}, but its last message says ${end}`);
  }
  return { cardsBack, faults };
}

const goesBack = (before: CardState, state: CardState): boolean =>
  isTerminal(before) ? !isTerminal(state) : state === 'Starting' && before !== 'Starting';

const stateOf = (text: string): CardState | undefined => {
  const heading = text.split('\n')[0] ?? '';
  return STATES.find((state) => heading.includes(state));
};
