import {
  begin,
  fail,
  poll,
  recordFailure,
  retry,
  succeed,
  type OperatorStatus,
  type TargetChange,
} from '@hnotif/core/lifecycle';

/** The kinds of nights. A plan chooses one with the annotation `demo.hibernation.dev/night`. */
export const NIGHTS = ['steady', 'retry', 'abort', 'exhausted'] as const;
export type Night = (typeof NIGHTS)[number];
export const isNight = (text: string): text is Night => (NIGHTS as readonly string[]).includes(text);
export const NIGHT_ANNOTATION = 'demo.hibernation.dev/night';

/** The parts of a plan that its night needs. */
export interface NightPlan {
  readonly targets: readonly { readonly name: string; readonly type: string }[];
  readonly retries: number;
  /** From `spec.execution.strategy.dependencies`. */
  readonly dependencies: readonly { readonly from: string; readonly to: string }[];
}

/** One write of the operator, `afterMs` after the previous one (at speed 1). */
export interface Step {
  readonly afterMs: number;
  readonly write: (status: OperatorStatus, at: number) => OperatorStatus;
}

const TICK = 450;

/**
 * The writes of one night and its morning. `steady`: no failure. `retry`: the last target fails once. `abort`: the first target with
 * dependent targets fails, these are aborted, and the plan still ends its run. `exhausted`: the last target fails until no retry is
 * left, and there is no morning.
 */
export function playNight(night: Night, plan: NightPlan, cycle: string): Step[] {
  const evening = step((status, at) => begin(status, 'shutdown', cycle, plan.targets, at));
  const morning = [
    { ...step((status, at) => begin(status, 'wakeup', cycle, plan.targets, at)), afterMs: 3 * TICK },
    ...work(plan.targets.map(({ name }) => name)),
    step(succeed),
  ];
  switch (night) {
    case 'steady':
      return [evening, ...work(plan.targets.map(({ name }) => name)), step(succeed), ...morning];
    case 'retry': {
      const { good, bad } = split(plan);
      return [
        evening,
        ...work(good),
        ...failure(bad),
        step(retry),
        ...work([bad]),
        step(succeed),
        ...morning,
      ];
    }
    case 'abort':
      return [evening, ...aborted(plan), step(succeed), ...morning];
    case 'exhausted': {
      const { good, bad } = split(plan);
      const again = Array.from({ length: plan.retries }, () => [step(retry), ...failure(bad)]);
      return [evening, ...work(good), ...failure(bad), ...again.flat()];
    }
  }
}

const step = (write: Step['write']): Step => ({ afterMs: TICK, write });

const polled = (...changes: TargetChange[]): Step => step((status, at) => poll(status, changes, at));

/** Targets run one after the other. Each poll finds one more running and one more completed. */
function work(targets: readonly string[]): Step[] {
  const steps = targets.map((target, index) => {
    const before = targets[index - 1];
    const done = before === undefined ? [] : [completed(before)];
    return polled(...done, running(target));
  });
  const last = targets.at(-1);
  return last === undefined ? steps : [...steps, polled(completed(last))];
}

const running = (target: string): TargetChange => ({ target, state: 'Running', message: '' });
const completed = (target: string): TargetChange => ({ target, state: 'Completed', message: '' });

const REASON = 'the instance is being modified; try again when it is available';

function failure(target: string): Step[] {
  return [
    polled(running(target)),
    polled({ target, state: 'Failed', message: REASON }),
    { ...step(recordFailure), afterMs: 0 },
    step((status, at) => fail(status, `target ${target}: ${REASON}`, at)),
  ];
}

function aborted(plan: NightPlan): Step[] {
  const bad = plan.dependencies[0]?.from ?? plan.targets[0]?.name ?? '';
  const waiting = new Set<string>();
  for (let size = -1; size !== waiting.size;) {
    size = waiting.size;
    for (const { from, to } of plan.dependencies) if (from === bad || waiting.has(from)) waiting.add(to);
  }
  const free = plan.targets.map(({ name }) => name).filter((name) => name !== bad && !waiting.has(name));
  const message = `${bad} failed, which it waits for`;
  return [
    polled(running(bad)),
    polled(
      { target: bad, state: 'Failed', message: REASON },
      ...[...waiting].map((target): TargetChange => ({ target, state: 'Aborted', message })),
    ),
    ...work(free),
  ];
}

function split(plan: NightPlan): { good: string[]; bad: string } {
  const names = plan.targets.map(({ name }) => name);
  return { good: names.slice(0, -1), bad: names.at(-1) ?? '' };
}
