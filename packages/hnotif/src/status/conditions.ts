import type { Cause } from '@hnotif/core/sinks';
import type { SinkWait, WaitKind } from '../dispatch/delivery.ts';
import { formatSeconds } from '@hnotif/core/lifecycle';
import type { Condition, Suspension } from '@hnotif/core/resources';
import { describeDegradation, tried, type Degradation } from '@hnotif/core/sinks';
import type { SinkCheck } from './readiness-checks.ts';
import { describeSuspension, describeWait, reasonOfSuspension, shortened } from './words.ts';

/** Why the last send failed. `lasting`: no message will arrive until the configuration is corrected. */
export interface LastFailure extends Cause {
  readonly lasting: boolean;
}

/** What is known of one sink. */
export interface SinkFacts {
  readonly name: string;
  readonly check?: SinkCheck | undefined;
  /** From deliveries. */
  readonly degradations?: Iterable<Degradation>;
  /** Why the last send failed; undefined: it did not. */
  readonly failure?: LastFailure | undefined;
  /** Why the sink waits; undefined: it does not. */
  readonly wait?: SinkWait | undefined;
}

/** What the `Ready` condition is made of. */
export interface ReadyFacts {
  readonly sinks: readonly SinkFacts[];
  /** Why no plan matches; undefined: one does. */
  readonly unmatched: string | undefined;
  /** Why events cannot be derived from plans; undefined: they can. */
  readonly unserved: Cause | undefined;
  /** The suspension that holds now; undefined: it sends. */
  readonly suspension?: Suspension | undefined;
}

type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

/** The `Durable` condition: whether accepted events outlive the process. */
export function durableCondition(
  generation: number,
  trouble: Cause | undefined,
  before: Condition | undefined,
  now: number,
): Condition {
  const verdict: Verdict =
    trouble === undefined
      ? { status: 'True', reason: 'Journalled', message: 'what waits is kept in journals' }
      : { status: 'False', reason: trouble.reason, message: shortened(trouble.message) };
  return conditionOf('Durable', verdict, generation, before, now);
}

/** The `Ready` condition, after a check of all sinks of this generation. */
export function readyCondition(
  facts: ReadyFacts,
  generation: number,
  before: Condition | undefined,
  now: number,
): Condition {
  return conditionOf('Ready', verdictOf(facts), generation, before, now);
}

/** Whether the condition shows nothing to correct at a sink. */
export const isFine = ({ status, reason }: Condition): boolean =>
  status === 'True' && (reason === READY || reason === UNMATCHED || SILENT.has(reason));

/** The transition time changes only with the status. */
function conditionOf(
  type: string,
  verdict: Verdict,
  observedGeneration: number,
  before: Condition | undefined,
  now: number,
): Condition {
  const lastTransitionTime =
    before?.status === verdict.status ? before.lastTransitionTime : formatSeconds(now);
  return { type, ...verdict, lastTransitionTime, observedGeneration };
}

const READY = 'SinksReady';
const DEGRADED = 'MessagesDegraded';
const UNMATCHED = 'NoPlanMatches';
/** Sinks are not ready for different reasons, which their rows have. */
export const SEVERAL_REASONS = 'SinksNotReady';
/** The reasons while nothing is sent. */
export const SILENT: ReadonlySet<string> = new Set(['Suspended', 'MutedBySchedule']);

/** The states of a sink that does not work as it should, the worst first. A sink that is not ready needs a correction. */
const STATES = ['not ready', 'failing', 'throttled', 'waiting', 'late', 'behind'] as const;

type State = (typeof STATES)[number];

const STATE_OF_WAIT: Readonly<Record<WaitKind, State>> = {
  quarantined: 'failing',
  parked: 'failing',
  held: 'failing',
  paused: 'throttled',
  blocked: 'waiting',
  late: 'late',
  behind: 'behind',
};

/** A sink that is `waiting` has the reason of its wait. */
const REASONS: Readonly<Record<Exclude<State, 'not ready' | 'waiting'>, string>> = {
  failing: 'DeliveriesFailing',
  throttled: 'Throttled',
  late: 'DeliveriesLate',
  behind: 'RateLimited',
};

interface Problem {
  readonly state: State;
  readonly reason: string;
  readonly words: string;
}

function verdictOf({ sinks, unmatched, unserved, suspension }: ReadyFacts): Verdict {
  const problems = sinks.flatMap((sink) => problemOf(sink) ?? []);
  const inState = (state: State): readonly Problem[] => problems.filter((problem) => problem.state === state);
  // A check that failed finds no degradations.
  const checked = sinks.filter(({ check }) => check?.ok !== false);
  const degradations = checked.flatMap(degradationsOf);
  const notes = checked.flatMap(({ name, check }) =>
    check?.ok === true ? check.notes.map((note) => `sink ${name}: ${note}`) : [],
  );
  const bad = [
    ...(unserved === undefined ? [] : [unserved.message]),
    ...STATES.flatMap((state) => sentencesOf(state, inState(state), sinks.length)),
  ];
  const all = sinks.length === 1 ? 'the sink is ready' : `all ${sinks.length} sinks are ready`;
  const first = [...(bad.length === 0 ? [all] : bad), ...(unmatched === undefined ? [] : [unmatched])];
  const silent = suspension === undefined ? [] : [describeSuspension(suspension)];
  const message = shortened([...silent, ...first, ...degradations, ...notes].join('; '));

  if (unserved !== undefined) return { status: 'False', reason: unserved.reason, message };
  const [reason, ...others] = new Set(inState('not ready').map((problem) => problem.reason));
  if (reason !== undefined)
    return { status: 'False', reason: others.length === 0 ? reason : SEVERAL_REASONS, message };
  if (suspension !== undefined) return { status: 'True', reason: reasonOfSuspension(suspension), message };
  const [worst] = STATES.flatMap(inState);
  const fallback = unmatched !== undefined ? UNMATCHED : degradations.length > 0 ? DEGRADED : READY;
  return { status: 'True', reason: worst === undefined ? fallback : reasonOf(worst), message };
}

const reasonOf = ({ state, reason }: Problem): string =>
  state === 'not ready' || state === 'waiting' ? reason : REASONS[state];

/** The worst problem of a sink; undefined: it has none. */
function problemOf({ name, check, failure, wait }: SinkFacts): Problem | undefined {
  const problem = (state: State, { reason, message }: Cause, waited?: SinkWait): Problem => ({
    ...{ state, reason },
    words: `sink ${name}: ${waited === undefined ? '' : describeWait(waited)}${message}`,
  });
  if (check?.ok === false) return problem('not ready', check, wait);
  if (wait?.lasting === true) return problem('not ready', wait, wait);
  if (failure?.lasting === true) return problem('not ready', failure);
  if (wait !== undefined) return problem(STATE_OF_WAIT[wait.kind], wait, wait);
  return failure && problem('failing', failure);
}

/** Why messages of a sink arrive in another form than the user wanted. For one reason the words of the check come before those of a delivery. */
function degradationsOf({ name, check, degradations = [] }: SinkFacts): readonly string[] {
  const delivered = [...degradations];
  const found = check?.ok === true ? check.faults : [];
  const all = new Map<string, Degradation>();
  for (const degradation of [...found, ...delivered])
    if (!all.has(degradation.reason)) all.set(degradation.reason, degradation);
  // The doubt has become certain.
  const doubt = all.get('TemplateDoubtful')?.message ?? '';
  if (all.has('TemplateExecutionFailed') || delivered.some(({ message }) => doubt.startsWith(tried(message))))
    all.delete('TemplateDoubtful');
  const happened = new Set(delivered.map(({ reason }) => reason));
  return [...all.values()].map(
    (degradation) => `sink ${name}: ${describeDegradation(degradation, happened.has(degradation.reason))}`,
  );
}

/** The problems of sinks in one state, after the number of these sinks. A notification with one sink needs no number. */
function sentencesOf(state: State, problems: readonly Problem[], sinks: number): readonly string[] {
  const [first, ...more] = problems.map(({ words }) => words);
  if (first === undefined) return [];
  if (sinks === 1) return [first];
  return [
    `${problems.length} of ${sinks} sinks ${more.length === 0 ? 'is' : 'are'} ${state}: ${first}`,
    ...more,
  ];
}
