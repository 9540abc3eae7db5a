import type { Plan } from '../resources/plan.ts';
import { derive, type DeriveOptions } from './derive.ts';
import type { DerivedEvent } from './event.ts';
import { idOf } from './ids.ts';
import { isSameButVersion, type Observed } from './observed.ts';

/** With more events, finding out what is proven would take too long (each needs a hash). */
const MOST = 64;

const NONE: ReadonlySet<DerivedEvent> = new Set();

/**
 * The events of a change that the plan's status proves: a process that knows no more of the plan than `stored` derives them from the status,
 * too, under the same ids. So the plan is their record, until its next change.
 *
 * @param events what was derived from `before`
 * @param now milliseconds since the epoch
 */
export function provenEvents(
  events: readonly DerivedEvent[],
  { stored, before }: { readonly stored: Observed; readonly before: Observed },
  plan: Plan,
  now: number,
  options: DeriveOptions,
): ReadonlySet<DerivedEvent> {
  if (stored === before || isSameButVersion(stored, before)) return new Set(events);
  if (events.length > MOST) return NONE;
  const again = derive(stored, plan, now, options).events;
  if (again.length > MOST) return NONE;
  const ids = new Set(again.map(idOf));
  return new Set(events.filter((event) => ids.has(idOf(event))));
}
