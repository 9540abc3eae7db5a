import type { Execution, PlanStatus } from '../resources/plan.ts';
import { isSameRun } from './observed.ts';
import { draft, type Draft, type Step } from './step.ts';
import { isOtherJob, isTerminal, PENDING, type TargetPair } from './targets.ts';
import { formatTime, parseTime, secondOf } from './time.ts';
import { earliestStart } from './times.ts';
import {
  hasNewTimes,
  isUnreported,
  possiblyReported,
  NEVER_UNREPORTED,
  markReported,
  type ReportedStates,
} from './reported-states.ts';

/** One event for each target with another state, in the plan's order, even if states in between were not observed. */
export function progress(step: Step, run: number): Draft[] {
  const { before, pairs, plan, targets } = step;
  const { status } = plan;
  const drafts: Draft[] = [];
  const earliest = earliestIn(status);
  const isKnownRun = isSameRun(before, status);
  const retried = parseTime(status.lastRetryTime ?? before.lastRetryTime);
  pairs.forEach((pair, index) => {
    if (!hasMoved(step, pair)) return;
    const { now } = pair;
    const time = timeOf(step, now, earliest);
    // A target that is new in a known run may have been removed and added again: it may have been reported.
    const isLate = pair.before === undefined && isKnownRun;
    const isApart = !isLate && isUnreported(reportedOf(step, pair, index), now.state, secondOf(time));
    drafts.push(
      draft(step, run, {
        kind: 'ExecutionProgress',
        phase: status.phase,
        previousPhase: '',
        timestamp: progressTime(now, retried, step.now),
        fact: isApart ? time : '',
        targetExecution: targets[index],
      }),
    );
  });
  return drafts;
}

/** The reported states after these events; the same list if nothing has changed. */
export function reportedAfter(step: Step): readonly ReportedStates[] {
  const { before, pairs } = step;
  const earliest = earliestIn(step.plan.status);
  const isSameList =
    before.told.length === pairs.length && pairs.every(({ place }, index) => place === index);
  let changed = isSameList ? undefined : pairs.map((pair, index) => reportedOf(step, pair, index));
  pairs.forEach((pair, index) => {
    if (isUnchanged(step, pair)) return;
    const reported = reportedOf(step, pair, index);
    const next = nextReported(step, pair, reported, earliest);
    if (next === reported) return;
    changed ??= before.told.slice();
    changed[index] = next;
  });
  return changed ?? before.told;
}

/** Whether the target's times need no check. */
const isUnchanged = (step: Step, pair: TargetPair): boolean =>
  pair.before !== undefined &&
  !hasMoved(step, pair) &&
  (step.newRun || pair.now.state !== PENDING || pair.now.startedAt === '');

function nextReported(
  step: Step,
  pair: TargetPair,
  reported: ReportedStates,
  earliest: () => string,
): ReportedStates {
  const { before, now } = pair;
  if (before !== undefined) {
    if (hasMoved(step, pair)) return markReported(reported, now.state, secondOf(timeOf(step, now, earliest)));
    const hasRunUnseen = isOtherJob(before.jobRef, now.jobRef) || hasNewTimes(reported, now);
    if (!hasRunUnseen) return reported;
  }
  return Math.max(reported, possiblyReported(now, step.plan.status, earliest));
}

function hasMoved({ newRun }: Step, { before, now }: TargetPair): boolean {
  const was = newRun ? PENDING : (before?.state ?? PENDING);
  return now.state !== was && now.state !== '';
}

const reportedOf = (
  { before, duplicates: twins }: Step,
  { place }: TargetPair,
  index: number,
): ReportedStates => (twins.has(index) ? NEVER_UNREPORTED : (before.told[place] ?? 0));

/** When the run's first target started, computed once. */
function earliestIn(status: PlanStatus): () => string {
  let found: string | undefined;
  return () => (found ??= earliestStart(status));
}

/**
 * The plan's time that tells this state of the target apart, or `''`: the end or the start of its attempt. After a retry
 * the target still has the times of the attempt before, so that the time of the retry stands for the start. A target that was
 * aborted before it ran has no time: then it is that of the run.
 */
function timeOf({ plan: { status }, retriedAt }: Step, row: Execution, earliest: () => string): string {
  const { state, startedAt, finishedAt } = row;
  // Without a retry it has lost its job, of which the plan has no time.
  if (state === PENDING) return retriedAt;
  if (state === 'Completed' || state === 'Failed') return finishedAt === '' ? startedAt : finishedAt;
  if (finishedAt !== '' && secondOf(startedAt) <= secondOf(finishedAt)) {
    const retry = status.lastRetryTime ?? '';
    if (secondOf(retry) >= secondOf(finishedAt)) return retry;
    return state === 'Aborted' ? finishedAt : '';
  }
  return startedAt === '' && state === 'Aborted' ? earliest() : startedAt;
}

/** `retried`: milliseconds since the epoch, as the result's `now`. */
function progressTime(row: Execution, retried: number | undefined, now: number): string {
  const at = parseTime(isTerminal(row.state) ? row.finishedAt : row.state === 'Running' ? row.startedAt : '');
  // The operator keeps the start of the first attempt: a time before the retry is not this change's.
  const stale = at !== undefined && retried !== undefined && at < retried;
  return formatTime(at === undefined || stale ? now : at);
}
