import type { DerivedEvent } from '../event.ts';
import type { History, Write } from './history.ts';

/**
 * What a history's events have to be, told from the operator's script alone. An event is a line of text: its kind, its
 * run, and what matters about it.
 */
export const line = (event: DerivedEvent): string => {
  const run = `${event.run} ${event.operation}/${event.cycle}`;
  switch (event.kind) {
    case 'ExecutionProgress':
      return `ExecutionProgress ${run} ${event.targetExecution?.name}=${event.targetExecution?.state}`;
    case 'Recovery':
    case 'Failure':
      return `${event.kind} ${run} #${event.retryCount}`;
    case 'PhaseChange':
      return changeLine(event.previousPhase, event.phase);
    case 'Start':
    case 'Success':
      return `${event.kind} ${run}`;
  }
};

/**
 * For histories seen in part: runs that went by unseen have no number, phases are told of net, and a count may have been
 * reset meanwhile.
 */
export const roughLine = (event: DerivedEvent): string =>
  event.kind === 'PhaseChange' ? event.kind : line({ ...event, run: 0, retryCount: 0 });

const changeLine = (before: string, now: string): string => `PhaseChange ${before} > ${now}`;

const runLine = (write: Write): string =>
  `${write.run} ${write.status.currentOperation}/${write.status.currentCycleID}`;

/** What one write says, seen right after the one before it. */
export function expectedOf(history: History, index: number): string[] {
  const write = history.writes[index];
  if (write === undefined) return [];
  const before = history.writes[index - 1];
  const run = runLine(write);
  const lines: string[] = [];
  if (write.did === 'begin') lines.push(`Start ${run}`);
  if (write.did === 'retry') lines.push(`Recovery ${run} #${write.retries}`);
  if (write.did !== 'begin') lines.push(...moves(before, write));
  if (write.did === 'succeed') lines.push(`Success ${run}`);
  if (write.did === 'fail' && write.retries >= history.retries)
    lines.push(`Failure ${run} #${write.retries}`);
  return [...lines, ...change(before, write)];
}

/**
 * What a write says when the one before it, `unseen`, was not seen: the net of both. `before` was the last one seen.
 *
 * - unseen create, poll, record, touch, resume: nothing is lost but the states in between.
 * - unseen begin: Start comes with the next write, whatever that is.
 * - unseen succeed: Success comes with the next write; before a new run's Start, or out of Suspended, only if the
 *   history has this success, or the plan wakes up from the night. A history row says no success where a target had
 *   failed (best effort), and a night's row is not rewritten by its re-run.
 * - unseen fail: the visit of Error is not told of if the plan has left it, or its count was reset meanwhile; the
 *   Recovery out of it is.
 * - unseen retry: Recovery comes with the next write.
 * - unseen manualRetry: the retry after it shows by its time.
 * - unseen suspend: the next write goes back, or away, from where the run was.
 * - unseen resume before succeed: out of Suspended it is a Success only if the history has it.
 * - unseen reset: the next write begins a run.
 */
export function netOf(history: History, before: Write | undefined, unseen: Write, seen: Write): string[] {
  const lines: string[] = [];
  const both = [unseen, seen];
  const did = (deed: Write['did']): boolean => both.some((write) => write.did === deed);
  const run = runLine(seen);
  if (
    unseen.did === 'succeed' &&
    seen.did === 'begin' &&
    (unseen.recorded === 'success' || wakesFrom(unseen, seen))
  )
    lines.push(`Success ${runLine(unseen)}`);
  if (did('begin')) lines.push(`Start ${run}`);
  if (did('retry')) lines.push(`Recovery ${run} #${Math.max(...both.map(({ retries }) => retries))}`);
  if (unseen.did === 'begin') lines.push(...movesFromPending(seen));
  else if (seen.did !== 'begin') lines.push(...moves(before, seen));
  if (unseen.did === 'succeed' && seen.run === unseen.run) {
    if (seen.did === 'touch' || (seen.did === 'suspend' && unseen.recorded === 'success'))
      lines.push(`Success ${run}`);
  }
  if (seen.did === 'succeed' && (unseen.did !== 'resume' || seen.recorded !== 'nothing'))
    lines.push(`Success ${run}`);
  if (did('fail') && seen.status.phase === 'Error' && seen.retries >= history.retries)
    lines.push(`Failure ${run} #${seen.retries}`);
  return [...lines, ...change(before, seen)];
}

const wakesFrom = (night: Write, seen: Write): boolean =>
  night.status.currentOperation === 'shutdown' &&
  seen.status.currentOperation === 'wakeup' &&
  night.status.currentCycleID === seen.status.currentCycleID;

function change(before: Write | undefined, write: Write): string[] {
  const was = before?.status.phase ?? '';
  return was === write.status.phase ? [] : [changeLine(was, write.status.phase)];
}

function moves(before: Write | undefined, write: Write): string[] {
  const was = new Map(before?.status.executions.map(({ target, state }) => [target, state]));
  return write.status.executions.flatMap(({ target, state }) =>
    (was.get(target) ?? 'Pending') === state
      ? []
      : [`ExecutionProgress ${runLine(write)} ${target}=${state}`],
  );
}

const movesFromPending = (write: Write): string[] => moves(undefined, write);
