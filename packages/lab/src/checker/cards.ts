/** The status cards of threads: the states that each of them has shown since it was posted. */
import type { RootMessage } from '../record.ts';
import { readRoot } from './messages.ts';
import { keyOf, NOTHING_FORGOTTEN, type AllForgotten, type Told } from './roots.ts';

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
