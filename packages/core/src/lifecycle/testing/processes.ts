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

/** The writes of these indices as a process sees them that remembers `from`. */
function* seenBy(history: History, from: Observed, indices: readonly number[]) {
  let observed = from;
  for (const index of indices) {
    const write = history.writes[index];
    if (write === undefined) continue;
    const derived = derive(observed, write.plan, write.at, NEVER);
    yield { index, before: observed, derived };
    ({ observed } = derived);
  }
}

/** What a process that remembers `from` has observed before each of these writes. */
export const observedOf = (history: History, from: Observed, indices: readonly number[]): Observed[] =>
  [...seenBy(history, from, indices)].map(({ before }) => before);

/** What a process tells that remembers `from` and sees the writes of these indices. */
export function tellings(history: History, from: Observed, indices: readonly number[], last = -1): Told[] {
  let lastIndex = last;
  return [...seenBy(history, from, indices)].flatMap(({ index, before, derived }) => {
    const run = { before: before.run, now: derived.observed.run };
    const told = derived.events.map((event) => ({
      id: idOf(event),
      happening: happeningOf(history, event, index, lastIndex, run),
      index,
      event,
    }));
    lastIndex = index;
    return told;
  });
}

/** What the operator did for an event. */
const DEEDS = { Start: 'begin', Success: 'succeed', Failure: 'fail', Recovery: 'retry' } as const;

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
  switch (event.kind) {
    default: {
      const deed = DEEDS[event.kind];
      return `${event.kind} of run ${operatorsRun} at ${lastOf(({ did }) => did === deed)}`;
    }
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
