/** An evening of an invented plan, as the pictures show it. */
import type { LifecycleEvent, TargetState } from '../packages/hnotif/src/lifecycle/event.ts';
import { NO_CONNECTOR, type Connector } from '../packages/hnotif/src/resources/connectors.ts';
import type { PlanView } from '../packages/hnotif/src/resources/plan-view.ts';

export type Evening = 'failure' | 'end' | 'progress' | 'night';

const AWS: Connector = {
  ...NO_CONNECTOR,
  kind: 'CloudProvider',
  name: 'aws-staging',
  provider: 'aws',
  accountId: '210987654321',
  region: 'eu-central-1',
};

const TARGETS: readonly (readonly [name: string, executor: string])[] = [
  ['orders-db', 'rds'],
  ['payments-db', 'rds'],
  ['app-nodes', 'eks'],
  ['build-machines', 'ec2'],
  ['search', 'ec2'],
  ['cache', 'rds'],
  ['reports', 'ec2'],
  ['sandbox', 'eks'],
  ['previews', 'eks'],
  ['load-tests', 'ec2'],
];

const SAD = 'volume vol-07 is "busy" & cannot be detached; tried 3 times';

export const planOf: PlanView = {
  labels: { env: 'staging', team: 'storefront' },
  annotations: {},
  connector: (name) =>
    name === 'app-nodes' || name === 'sandbox' || name === 'previews'
      ? { ...AWS, kind: 'K8SCluster', name: 'eks-staging', clusterName: 'staging-blue' }
      : AWS,
};

/** `done` targets have ended, the next one runs; `sad` has failed. */
const targetsAfter = (done: number, sad?: string): TargetState[] =>
  TARGETS.map(([name, executor], index) => ({
    name,
    executor,
    state: name === sad ? 'Failed' : index < done ? 'Completed' : index === done ? 'Running' : 'Pending',
    message: name === sad ? SAD : '',
  }));

let seq = 0;
const event = (
  kind: LifecycleEvent['kind'],
  time: string,
  targets: readonly TargetState[],
  more: Partial<LifecycleEvent> = {},
): LifecycleEvent => ({
  id: `picture-${++seq}`,
  seq,
  kind,
  planUid: 'storefront',
  namespace: 'shop',
  plan: 'storefront',
  run: 1,
  cycle: '8c1e4f',
  operation: 'shutdown',
  phase: 'Hibernating',
  previousPhase: '',
  timestamp: `2026-03-02T${time}.000Z`,
  targets,
  targetExecution: undefined,
  errorMessage: '',
  retryCount: 0,
  ...more,
});

const progress = (time: string, done: number, sad?: string): LifecycleEvent => {
  const targets = targetsAfter(done, sad);
  const changed = targets.find(({ name }) => name === sad) ?? targets[done - 1];
  return event('ExecutionProgress', time, targets, { targetExecution: changed });
};

const failure = (time: string): LifecycleEvent =>
  event('Failure', time, targetsAfter(10, 'build-machines'), {
    phase: 'Error',
    previousPhase: 'Hibernating',
    errorMessage: `target build-machines: ${SAD}`,
    retryCount: 3,
  });

/** The events of an evening, in order. */
export function eveningOf(evening: Evening): readonly LifecycleEvent[] {
  const start = event('Start', '19:00:00', targetsAfter(-1));
  switch (evening) {
    case 'failure':
      return [start, failure('19:14:31')];
    case 'end':
      return [failure('19:14:31')];
    case 'progress':
      return [progress('19:03:10', 3), progress('19:05:42', 5, 'build-machines')];
    case 'night':
      return [
        start,
        progress('19:02:04', 1),
        progress('19:04:40', 4, 'build-machines'),
        event('Recovery', '19:09:12', targetsAfter(5), {
          previousPhase: 'Error',
          errorMessage: `target build-machines: ${SAD}`,
          retryCount: 1,
        }),
        event('Success', '19:13:55', targetsAfter(10), {
          phase: 'Hibernated',
          previousPhase: 'Hibernating',
        }),
      ];
  }
}
