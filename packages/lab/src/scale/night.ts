import {
  begin,
  poll,
  succeed,
  type Operation,
  type OperatorStatus,
  type TargetChange,
} from '../../../core/src/lifecycle/operator.ts';

/** What the operator writes in one night (or morning) of a plan, in this order. */
export const STEPS = ['Start', 'running', 'completed', 'Success'] as const;
export type Step = (typeof STEPS)[number];

type Targets = Parameters<typeof begin>[3];

/** One write: the status after it. Rounds are nights and mornings in turns; those below 0 are in the past of a plan. */
export function stepped(
  status: OperatorStatus,
  step: Step,
  round: number,
  targets: Targets,
  at: number,
): OperatorStatus {
  switch (step) {
    case 'Start':
      return begin(status, operationOf(round), `7f9c2ba4${1_000 + (round >> 1)}`, targets, at);
    case 'running':
      return poll(status, moved(targets, 'Running', 'stopping'), at);
    case 'completed':
      return poll(status, moved(targets, 'Completed', 'stopped'), at);
    case 'Success':
      return succeed(status, at);
  }
}

const operationOf = (round: number): Operation => (round % 2 === 0 ? 'shutdown' : 'wakeup');

const moved = (targets: Targets, state: TargetChange['state'], message: string): TargetChange[] =>
  targets.map(({ name }) => ({
    ...{ target: name, state, message: `${message} ${name} in eu-central-1` },
    jobRef: `hibernator-system/runner-${name}`,
  }));
