import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { Source } from './context.ts';

/** By key: a message, and the view of the plan that it was made with. */
type Messages = Map<string, { readonly view: number; readonly message: unknown }>;

/** Messages are kept for so many events: those that are being sent to several sinks. A message has at most some 12 kB. */
const EVENTS = 256;
/** An event is not kept alive by its messages. */
const made = new WeakMap<LifecycleEvent, Messages>();
/** A ring of those that were made last. An event may wait for days, without them. */
const kept: Messages[] = [];
let next = 0;

/**
 * A message that several sinks of an event have in common: made once, and again when the plan, a connector or an annotation has changed. `key`
 * names everything else that it depends on, such as the options of a layout. The result must not be changed.
 */
export function sharedMessage<T>({ event, plan: { view } }: Source, key: string, make: () => T): T {
  if (view === undefined) return make();
  const messages = made.get(event) ?? messagesOf(event);
  const known = messages.get(key);
  if (known?.view === view) return known.message as T;
  const message = make();
  messages.set(key, { view, message });
  return message;
}

function messagesOf(event: LifecycleEvent): Messages {
  const messages: Messages = new Map();
  made.set(event, messages);
  kept[next]?.clear();
  kept[next] = messages;
  next = (next + 1) % EVENTS;
  return messages;
}
