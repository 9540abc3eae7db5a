/** The threads in the channels: one root for each night of a plan, and all that is told of it in its thread. */
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
  /** Roots that are one too many. */
  readonly second: number;
  readonly faults: readonly string[];
}

export const keyOf = (sink: string, plan: string, cycle: string, operation: string): string =>
  JSON.stringify([sink, plan, cycle, operation]);

/** What was forgotten of a plan, by itself: its threads among it. */
export interface Forgotten {
  readonly plan: string;
  /** How often. Each time a thread may begin anew. */
  readonly times: number;
  /** What was last told may never have arrived under its root. */
  readonly unsent: boolean;
}

/** `told`: the first arrivals of sinks that keep threads, with what each of them is. */
export function checkRoots(
  messages: readonly RootMessage[],
  told: readonly Told[],
  forgotten: readonly Forgotten[],
): Roots {
  const known = new Map(forgotten.map((each) => [each.plan, each]));
  const planOf = (key: string): string => (JSON.parse(key) as readonly string[])[1] ?? '';
  const keys = new Set<string>();
  const faults: string[] = [];
  let second = 0;
  const keyOfRoot = new Map<string, string>();
  const rootsOf = new Map<string, number>();
  for (const { sink, ts, text } of messages) {
    const root = readRoot(text);
    const key = root && keyOf(sink, root.plan, root.cycle, root.operation);
    if (key === undefined) faults.push(`${sink}: a root ${ts} of nothing: ${JSON.stringify(text)}`);
    else {
      keyOfRoot.set(`${sink} ${ts}`, key);
      rootsOf.set(key, (rootsOf.get(key) ?? 0) + 1);
    }
  }
  for (const { plan, event, arrival } of told) {
    // What belongs to no night is a message of its own.
    const key = event.cycle === '' ? '' : keyOf(arrival.sink, plan, event.cycle, event.operation);
    if (key !== '') keys.add(key);
    const stands = keyOfRoot.get(`${arrival.sink} ${arrival.thread}`) ?? '';
    if (stands !== key)
      faults.push(
        `${arrival.sink}: ${event.kind} of ${key || plan} stands in the thread of ${stands || 'nobody'}`,
      );
  }
  for (const [key, count] of rootsOf) {
    const { times, unsent } = known.get(planOf(key)) ?? { times: 0, unsent: false };
    second += Math.max(0, count - 1 - times);
    if (count > 1 + times) faults.push(`${count} roots of ${key}`);
    if (!keys.has(key) && !unsent) faults.push(`a root of ${key}, of which nothing was told`);
  }
  for (const key of keys) if (!rootsOf.has(key)) faults.push(`no root of ${key}`);
  return { roots: messages.length, keys: keys.size, second, faults };
}
