import type { Plan } from '../resources/plan.ts';
import { runStarts, withRunStart } from './run-starts.ts';
import type { DerivedEvent } from './event.ts';
import { errorVisit, failure, isDue, type ErrorVisit } from './failure.ts';
import { gapBetween, gapRunEvents } from './gap.ts';
import { recordedEnd } from './history.ts';
import { marksAfter, marksOf, marksWithEnd } from './high-water-marks.ts';
import type { Observed } from './observed.ts';
import { phaseChange } from './phase-change.ts';
import { progress, reportedAfter } from './progress.ts';
import { recovery } from './recovery.ts';
import { start } from './start.ts';
import { compare, type Draft, type Step } from './step.ts';
import { endOfRun, oldRunSucceeded, success, successOfOldRun } from './success.ts';
import { observe } from './targets.ts';
import { isNewer } from './version.ts';

/**
 * 35 minutes: above the longest back-off of the operator that exists. Shorter, and a plan that is still
 * being retried is called failed; longer, and a plan that nobody retries is called failed later.
 */
export const DEFAULT_FAILURE_AFTER_MS = 35 * 60 * 1000;

interface DeriveOptions {
  /** Without a retry for so long a plan in Error has failed, whatever its retries left. Milliseconds. */
  readonly failureAfterMs: number;
}

export interface Derived {
  /** What to pass with the next object; the one passed in where nothing changed. */
  readonly observed: Observed;
  /** In the order in which they happened. */
  readonly events: readonly DerivedEvent[];
  /** Runs that came and went unseen and of which the plan's history tells no success. */
  readonly missedRuns: number;
  /** When to call again with the same plan, in milliseconds since the epoch: time alone may make a Failure. */
  readonly recheckAt: number | undefined;
}

/**
 * The events that lie between what was last seen of a plan and what it shows now. Call it for every object in order;
 * after a gap, once, with the object from a consistent list; and at `recheckAt`, with the last object again. An object
 * that is not newer than the last one changes nothing. `now` is in milliseconds since the epoch.
 */
export function derive(observed: Observed, plan: Plan, now: number, options: DeriveOptions): Derived {
  if (isNewer(plan.resourceVersion, observed.rv)) return advance(compare(observed, plan, now), options);
  if (plan.resourceVersion === observed.rv) return recheck(compare(observed, plan, now), options);
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
  gap.found.forEach((found, index) => {
    drafts.push(...gapRunEvents(step, before.run + 1 + index, found, marksAfter(before.marks, drafts)));
  });
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

/** The object last seen, later: only the time that has passed can tell something new. */
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

/** In their order; an end tells when its run began. */
function numbered(
  drafts: readonly Draft[],
  begun: (run: number) => string,
  seq: number,
): readonly DerivedEvent[] {
  const events = drafts.map((draft) => withRunStart(draft, begun));
  for (const event of events) event.seq = ++seq;
  return events;
}
