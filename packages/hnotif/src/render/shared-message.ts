import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Source } from './context.ts';

type Messages = Map<string, unknown>;

/** Messages are kept for so many events: those that are being sent to several sinks. A message has at most some 12 kB. */
const EVENTS = 256;
/** Neither an event nor an old version of a plan is kept alive by its messages. */
const made = new WeakMap<LifecycleEvent, WeakMap<PlanView, Messages>>();
/** A ring of those that were made last. An event may wait for days, without them. */
const kept: Messages[] = [];
let next = 0;

/**
 * A message that several sinks of an event have in common: made once, and again when the plan, a connector or an annotation has changed. `key`
 * names everything else that it depends on, such as the options of a layout. The result must not be changed.
 */
export function sharedMessage<T>(source: Source, key: string, make: () => T): T {
  const messages = messagesOf(source);
  if (!messages.has(key)) messages.set(key, make());
  return messages.get(key) as T;
}

function messagesOf({ event, plan }: Source): Messages {
  let byPlan = made.get(event);
  if (byPlan === undefined) made.set(event, (byPlan = new WeakMap()));
  const known = byPlan.get(plan);
  if (known !== undefined) return known;
  const messages: Messages = new Map();
  byPlan.set(plan, messages);
  kept[next]?.clear();
  kept[next] = messages;
  next = (next + 1) % EVENTS;
  return messages;
}
