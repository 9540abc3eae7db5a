import type { Plan } from '../resources/plan.ts';
import { PHASES, type EventKind } from '../resources/kinds.ts';
import { derive } from './derive.ts';
import type { DerivedEvent } from './event.ts';
import { idOf } from './ids.ts';
import { emptyBaseline } from './baseline.ts';
import type { Observed } from './observed.ts';
import { executingPhase } from './phases.ts';
import { formatSeconds, formatTime, parseTime } from './time.ts';

/** An event that was derived before, under the id that it had then. */
export interface Rederived {
  readonly event: DerivedEvent & { readonly id: string };
  /** Rises in the order in which the events happened. */
  readonly place: number;
}

/**
 * Derives again what the plan's status, with its history, still tells. The result finds an event by its kind and the beginning of its id.
 * An event is found only if its id, made from what the plan tells now, is the one that it had: another event is never sent in its place.
 * Where the plan had no time for the event, the number that it had (`seq`) is part of the id.
 *
 * Texts (error, messages of targets) are those of the status now.
 */
export function rederive(
  plan: Plan,
  observed: Observed,
  now: number,
): (kind: EventKind, id: string, seq: number) => Rederived | undefined {
  // A Failure that was told was due; its id says which.
  const { events, observed: after } = derive(emptyBaseline(observed.epoch), plan, now, { failureAfterMs: 0 });
  const all = events.map((event, place) => ({ event: asBefore(event, observed, after.run), place }));
  const found = new Map<EventKind, Map<string, Rederived>>();
  const byId = (kind: EventKind, length: number): ReadonlyMap<string, Rederived> => {
    const known = found.get(kind);
    if (known !== undefined) return known;
    const ids = new Map<string, Rederived>();
    found.set(kind, ids);
    for (const { event, place } of all)
      if (event.kind === kind)
        for (const variant of variantsOf(event, observed)) {
          const id = idOf(variant);
          ids.set(id.slice(0, length), { event: { ...variant, id }, place });
        }
    return ids;
  };
  return (kind, id, seq) => {
    const known = byId(kind, id.length).get(id);
    if (known !== undefined || kind === 'ExecutionProgress') return known;
    for (const { event, place } of all) {
      if (event.kind !== kind) continue;
      for (const variant of phasesBefore({ ...event, fact: '', seq })) {
        const full = idOf(variant);
        if (full.startsWith(id)) return { event: { ...variant, id: full }, place };
      }
    }
    return undefined;
  };
}

/**
 * From the blank baseline runs are counted anew, a Start has the time of the last transition, and progress the phase of now. `runs`: how many
 * were counted.
 */
function asBefore(event: DerivedEvent, observed: Observed, runs: number): DerivedEvent {
  const run = event.run + observed.run - runs;
  const isPresent = run === observed.run;
  if (event.kind === 'ExecutionProgress')
    return { ...event, run, phase: executingPhase(event.operation) ?? event.phase };
  if (event.kind === 'Start') {
    const began = parseTime(isPresent && observed.startedAt !== '' ? observed.startedAt : (event.fact ?? ''));
    return { ...event, run, ...(began !== undefined && { timestamp: formatTime(began) }) };
  }
  const isEnd = event.kind === 'Success' || event.kind === 'Failure';
  if (!isEnd || !isPresent || observed.startedAt === '') return { ...event, run };
  return { ...event, run, startedAt: observed.startedAt };
}

/** The event with each time that may have been part of its id. */
function* variantsOf(event: DerivedEvent, observed: Observed): Generator<DerivedEvent> {
  yield* phasesBefore(event);
  // When the run began, its targets had not started: the time of the transition was part of the id.
  const began =
    event.kind === 'Start' && event.run === observed.run ? parseTime(observed.startedAt) : undefined;
  if (began !== undefined) yield { ...event, fact: formatSeconds(began) };
}

/** A PhaseChange with each phase that it may have come from: the status does not tell that. */
function* phasesBefore(event: DerivedEvent): Generator<DerivedEvent> {
  yield event;
  if (event.kind === 'PhaseChange')
    for (const previousPhase of PHASES) if (previousPhase !== event.phase) yield { ...event, previousPhase };
}
