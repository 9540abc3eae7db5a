import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { Source } from './context.ts';

/** A message, and the view of the plan that it was made with. */
interface Made {
  readonly view: number;
  readonly message: unknown;
}

type Messages = Map<string, Made>;

/** Messages that are kept: those of events that are being sent to several sinks. A message has at most some 12 kB. */
const KEPT = 512;
/** By key. An event is not kept alive by its messages. */
const made = new WeakMap<LifecycleEvent, Messages>();
/** A ring of those that were made last. An event may wait for days, without them, and its sinks may have hundreds of different options. */
const kept: { readonly of: Messages; readonly key: string; readonly made: Made }[] = [];
let next = 0;

/**
 * A message that several sinks of an event have in common: made once, and again when the plan, a connector or an annotation has changed. `key`
 * names everything else that it depends on, such as the options of a layout. The result must not be changed. If `make` throws, nothing is kept.
 */
export function sharedMessage<T>({ event, plan: { view } }: Source, key: string, make: () => T): T {
  if (view === undefined) return make();
  const known = made.get(event)?.get(key);
  if (known?.view === view) return known.message as T;
  const message = make();
  keep(event, key, { view, message });
  return message;
}

function keep(event: LifecycleEvent, key: string, one: Made): void {
  const messages: Messages = made.get(event) ?? new Map();
  made.set(event, messages.set(key, one));
  const oldest = kept[next];
  if (oldest !== undefined && oldest.of.get(oldest.key) === oldest.made) oldest.of.delete(oldest.key);
  kept[next] = { of: messages, key, made: one };
  next = (next + 1) % KEPT;
}
