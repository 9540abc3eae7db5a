import { derive } from '../derive.ts';
import type { DerivedEvent } from '../event.ts';
import { idOf } from '../ids.ts';
import type { Observed } from '../observed.ts';
import type { History, Write } from './history.ts';

const NEVER = { failureAfterMs: Number.MAX_SAFE_INTEGER };

/** An event as one process told it, and what it was in the operator's script. */
export interface Told {
  readonly id: string;
  /** The same for two processes' events if and only if both tell of the same happening. */
  readonly happening: string;
  /** Of the write with which the process saw it. */
  readonly index: number;
  readonly event: DerivedEvent;
}

/** What a process that remembers `from` has observed before each of these writes. */
export function observedOf(history: History, from: Observed, indices: readonly number[]): Observed[] {
  let observed = from;
  return indices.flatMap((index) => {
    const write = history.writes[index];
    if (write === undefined) return [];
    const before = observed;
    observed = derive(before, write.plan, write.at, NEVER).observed;
    return [before];
  });
}

/** What a process tells that remembers `from` and sees the writes of these indices. */
export function tellings(history: History, from: Observed, indices: readonly number[], last = -1): Told[] {
  let observed = from;
  let before = last;
  return indices.flatMap((index) => {
    const write = history.writes[index];
    if (write === undefined) return [];
    const derived = derive(observed, write.plan, write.at, NEVER);
    const run = { before: observed.run, now: derived.observed.run };
    const tellings = derived.events.map((event) => ({
      id: idOf(event),
      happening: happeningOf(history, event, index, before, run),
      index,
      event,
    }));
    observed = derived.observed;
    before = index;
    return tellings;
  });
}

/**
 * Two events are the same if they are of the same kind and tell of the same write of the operator's script: a Start of the
 * write that began the run, a Success of the one that ended it, a Failure of the one that entered Error, a Recovery of
 * the retry, a PhaseChange (between the same phases) of the one that entered the phase, a progress of the one in
 * which the target came into the state. Of several that a process sees at once, the newest counts.
 */
function happeningOf(
  history: History,
  event: DerivedEvent,
  index: number,
  before: number,
  run: { readonly before: number; readonly now: number },
): string {
  const { writes } = history;
  const present = writes[index];
  const isOfPresent = event.run === run.now;
  const operatorsRun = isOfPresent
    ? present?.run
    : event.run === run.before && before >= 0
      ? writes[before]?.run
      : runInHistory(writes.slice(0, index + 1), event);
  const lastOf = (is: (write: Write, previous: Write | undefined) => boolean): number =>
    writes.findLastIndex(
      (write, at) => at <= index && write.run === operatorsRun && is(write, writes[at - 1]),
    );
  const at = (place: number): string => `${event.kind} of run ${operatorsRun} at ${place}`;
  switch (event.kind) {
    case 'Start':
      return at(lastOf(({ did }) => did === 'begin'));
    case 'Success':
      return at(lastOf(({ did }) => did === 'succeed'));
    case 'Failure':
      return at(lastOf(({ did }) => did === 'fail'));
    case 'Recovery':
      return at(lastOf(({ did }) => did === 'retry'));
    case 'PhaseChange': {
      const entered = writes.findLastIndex(
        ({ status }, place) => place <= index && status.phase !== writes[place - 1]?.status.phase,
      );
      return `PhaseChange ${event.previousPhase} > ${event.phase} at ${entered}`;
    }
    case 'ExecutionProgress': {
      const name = event.targetExecution?.name ?? '';
      const stateIn = (write: Write | undefined): string | undefined =>
        write?.status.executions.find(({ target }) => target === name)?.state;
      const entered = lastOf(
        (write, previous) => write.did === 'begin' || stateIn(write) !== stateIn(previous),
      );
      return `${name}=${event.targetExecution?.state} of run ${operatorsRun} at ${entered}`;
    }
  }
}

/** Which run a row of the plan's history is of: the one whose targets have its times. */
function runInHistory(writes: readonly Write[], event: DerivedEvent): number | undefined {
  const second = `${event.timestamp.slice(0, 19)}Z`;
  return writes.find(
    ({ status }) =>
      status.currentCycleID === event.cycle &&
      status.currentOperation === event.operation &&
      status.executions.some(({ startedAt, finishedAt }) => startedAt === second || finishedAt === second),
  )?.run;
}
