/** The threads in the channels: each night of a plan has one root, and all its messages are in its thread. */
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

export const keyOf = (sink: string, plan: string, cycle: string, operation: string): string =>
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
