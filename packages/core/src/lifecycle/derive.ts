import type { Plan } from '../resources/plan.ts';
import { runStarts, withRunStart } from './run-starts.ts';
import type { DerivedEvent } from './event.ts';
import { errorVisit, failure, isDue, type ErrorVisit } from './failure.ts';
import { gapBetween, gapRunEvents } from './gap.ts';
import { recordedEnd } from './history.ts';
import { marksAfter, marksOf, marksWithEnd } from './high-water-marks.ts';
import type { Observed } from './observed.ts';
import { isPast, observePast } from './past.ts';
import { phaseChange } from './phase-change.ts';
import { progress, reportedAfter } from './progress.ts';
import { recovery } from './recovery.ts';
import { start } from './start.ts';
import { compare, type Draft, type Step } from './step.ts';
import { endOfRun, oldRunSucceeded, success, successOfOldRun } from './success.ts';
import { observe } from './targets.ts';
import { isNewer } from './version.ts';

/**
 * 35 minutes: longer than the operator's longest back-off. With a shorter time, a plan that is still retried would count as failed; a
 * longer one delays the Failure of a plan that is not retried.
 */
export const DEFAULT_FAILURE_AFTER_MS = 35 * 60 * 1000;

export interface DeriveOptions {
  /** A plan in Error has failed after this time without a retry, even if it has retries left. Milliseconds. */
  readonly failureAfterMs: number;
}

export interface Derived {
  /** To pass with the next object; the same one if nothing has changed. */
  readonly observed: Observed;
  /** In the order in which they happened. */
  readonly events: readonly DerivedEvent[];
  /** Runs that were not observed and have no success in the plan's history. */
  readonly missedRuns: number;
  /** When to call again with the same plan (milliseconds since the epoch): a Failure may be due then. */
  readonly recheckAt: number | undefined;
}

/**
 * The events between the last observation of a plan and its present object. Call it for every object in order; after a gap, once, with
 * the object from a consistent list; and at `recheckAt`, with the last object again. An older object changes nothing. `now` is in milliseconds since the epoch.
 */
export function derive(observed: Observed, plan: Plan, now: number, options: DeriveOptions): Derived {
  if (plan.resourceVersion === observed.rv) return recheck(compare(observed, plan, now), options);
  if (observed.peak !== undefined && isPast(observed.peak, plan)) {
    const past = observePast(observed, plan, now, options);
    return { observed: past, events: [], missedRuns: 0, recheckAt: recheckAt(past, options) };
  }
  if (isNewer(plan.resourceVersion, observed.rv)) return advance(compare(observed, plan, now), options);
  return { observed, events: [], missedRuns: 0, recheckAt: recheckAt(observed, options) };
}

function advance(step: Step, options: DeriveOptions): Derived {
  const { before, newRun, plan, retry } = step;
  const { status } = plan;
  const retried = retry !== 'none';
  const gap = gapBetween(step);
  const run = before.run + gap.found.length + (newRun ? 1 : 0);
  const open = newRun || before.open || retried;
  const end = open ? endOfRun(step) : 'open';
  const visit = errorVisit(step);
  const failed = visit !== undefined && !visit.failed && isFailed(step, visit, options);

  const drafts: Draft[] = [];
  if (oldRunSucceeded(step)) drafts.push(successOfOldRun(step));
  let marked = marksAfter(before.marks, drafts);
  for (const [index, found] of gap.found.entries()) {
    const told = gapRunEvents(step, before.run + 1 + index, found, marked);
    marked = marksAfter(marked, told);
    drafts.push(...told);
  }
  if (newRun) drafts.push(start(step, run));
  if (retried) drafts.push(recovery(step, run));
  for (const move of progress(step, run)) drafts.push(move);
  if (end === 'succeeded') drafts.push(success(step, run));
  if (failed) drafts.push(failure(step, run));
  if (status.phase !== before.phase && status.phase !== '') drafts.push(phaseChange(step, run));

  const begun = runStarts(step, run, drafts);
  const marks = marksAfter(before.rv === '' ? marksOf(status, failed) : before.marks, drafts);
  const after: Observed = {
    epoch: before.epoch,
    rv: plan.resourceVersion,
    phase: status.phase,
    cycle: status.cycleId,
    operation: status.operation,
    retryCount: end === 'succeeded' ? (status.retryCount ?? 0) : step.retryCount,
    lastRetryTime: status.lastRetryTime ?? '',
    lastTransitionTime: status.lastTransitionTime,
    errorMessage: visit === undefined ? '' : status.errorMessage,
    recorded: recordedEnd(status),
    run,
    startedAt: begun(run),
    open: open && end === 'open',
    failed: visit !== undefined && (visit.failed || failed),
    errorSince: visit?.errorSince ?? 0,
    seq: before.seq + drafts.length,
    marks: end === 'given up' ? marksWithEnd(marks, status) : marks,
    targets: step.pairs.map(observe),
    told: reportedAfter(step),
  };
  return {
    observed: after,
    events: numbered(drafts, begun, before.seq),
    missedRuns: gap.missed,
    recheckAt: recheckAt(after, options),
  };
}

/** The same object at a later time: only a Failure may be due. */
function recheck(step: Step, options: DeriveOptions): Derived {
  const { before } = step;
  const failed = before.phase === 'Error' && !before.failed && isFailed(step, before, options);
  if (!failed) return { observed: before, events: [], missedRuns: 0, recheckAt: recheckAt(before, options) };
  const drafts = [failure(step, before.run)];
  const marks = marksAfter(before.marks, drafts);
  const observed = { ...before, failed, seq: before.seq + 1, marks };
  return {
    observed,
    events: numbered(drafts, () => before.startedAt, before.seq),
    missedRuns: 0,
    recheckAt: recheckAt(observed, options),
  };
}

const isFailed = (step: Step, { errorSince }: ErrorVisit, { failureAfterMs }: DeriveOptions): boolean =>
  isDue({ retryCount: step.retryCount, errorSince }, step.plan.retries, step.now, failureAfterMs);

const recheckAt = (observed: Observed, { failureAfterMs }: DeriveOptions): number | undefined =>
  observed.phase === 'Error' && !observed.failed ? observed.errorSince + failureAfterMs : undefined;

function numbered(
  drafts: readonly Draft[],
  begun: (run: number) => string,
  seq: number,
): readonly DerivedEvent[] {
  const events = drafts.map((draft) => withRunStart(draft, begun));
  for (const event of events) event.seq = ++seq;
  return events;
}
