import type { Plan } from '../resources/plan.ts';
import { derive, type DeriveOptions } from './derive.ts';
import type { DerivedEvent } from './event.ts';
import { isSameButVersion, type Observed } from './observed.ts';
import { formatTime } from './time.ts';

/** A change with more targets, counted for each event, is not compared with another derivation: that would take too long. */
const MOST_TARGETS = 1_000;

/**
 * The events of a change that the plan's status proves: a process that begins with `stored` derives the same ones, with the
 * same ids, from the status. This holds until the plan's next change. An event without a time of the plan is not proven: it has the
 * time of its observation. Nor is progress: after the next change, another process would derive it with another phase, and progress of
 * other targets before it.
 *
 * @param events what was derived from `before`
 * @param now of that derivation (milliseconds since the epoch)
 */
export function provenEvents(
  events: readonly DerivedEvent[],
  { stored, before }: { readonly stored: Observed; readonly before: Observed },
  plan: Plan,
  now: number,
  options: DeriveOptions,
): ReadonlySet<DerivedEvent> {
  const observedNow = formatTime(now);
  const dated = events.filter(
    ({ fact, kind, timestamp }) => fact !== '' && timestamp !== observedNow && kind !== 'ExecutionProgress',
  );
  if (stored === before || isSameButVersion(stored, before)) return new Set(dated);
  const isLarge = plan.status.executions.length * events.length > MOST_TARGETS;
  const again = new Set(isLarge ? [] : derive(stored, plan, now, options).events.map(contentOf));
  return new Set(dated.filter((event) => again.has(contentOf(event))));
}

/** Without its number, which is part of the id only where the plan has no time for the event. */
const contentOf = (event: DerivedEvent): string => JSON.stringify({ ...event, seq: 0 });
