/**
 * A night of an example plan, to try templates with. Its names have a `-`, as most names have: some chats refuse one that is not escaped.
 */
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import { NO_CONNECTOR, type Connector } from '../resources/connectors.ts';
import { EVENT_KINDS, type EventKind, type SinkType } from '../resources/kinds.ts';
import type { Notification } from '../resources/notification.ts';
import type { Source } from './context.ts';

const AWS: Connector = {
  ...NO_CONNECTOR,
  kind: 'CloudProvider',
  name: 'aws-staging',
  provider: 'aws',
  accountId: '210987654321',
  region: 'eu-central-1',
};

const CONNECTORS = new Map<string, Connector>([
  ['orders-db', AWS],
  ['build-machines', AWS],
  ['app-nodes', { ...AWS, kind: 'K8SCluster', name: 'eks-staging', clusterName: 'staging-blue' }],
]);

const TARGETS: readonly Pick<TargetState, 'name' | 'executor'>[] = [
  { name: 'orders-db', executor: 'rds' },
  { name: 'app-nodes', executor: 'eks' },
  { name: 'build-machines', executor: 'ec2' },
];

/** The last target has this message. It contains characters that need escaping. */
const FAILURE_MESSAGE = 'volume <vol-07> is "busy" & can\'t be detached [3/3]';

const PHASES: Record<EventKind, readonly [before: string, now: string]> = {
  Start: ['', 'Hibernating'],
  ExecutionProgress: ['', 'Hibernating'],
  Success: ['Hibernating', 'Hibernated'],
  Failure: ['Hibernating', 'Error'],
  Recovery: ['Error', 'Hibernating'],
  PhaseChange: ['Hibernated', 'Active'],
};

/** An example event for a sink of that type. */
export function exampleSource(kind: EventKind, sinkType: SinkType, operation: string): Source {
  const [previousPhase, phase] = PHASES[kind];
  const failing = kind === 'Failure' || kind === 'Recovery';
  const targets = TARGETS.map((target, i) => ({ ...target, ...stateOf(kind, i === TARGETS.length - 1) }));
  const event: LifecycleEvent = {
    id: 'example',
    // Each event of a series is newer than the one before: a board shows the newest.
    seq: 1 + EVENT_KINDS.indexOf(kind),
    kind,
    planUid: 'example',
    namespace: 'shop-eu',
    plan: 'web-shop',
    run: 1,
    cycle: '8c1e-4f',
    operation,
    phase,
    previousPhase,
    timestamp: '2026-03-02T20:00:00.000Z',
    targets,
    targetExecution: kind === 'ExecutionProgress' ? targets[0] : undefined,
    errorMessage: failing ? `build-machines: ${FAILURE_MESSAGE}` : '',
    retryCount: failing ? 2 : 0,
  };
  const plan = {
    labels: { 'app.kubernetes.io/name': 'web-shop', env: 'staging' },
    annotations: { owner: 'team-shop' },
    connector: (target: string) => CONNECTORS.get(target) ?? NO_CONNECTOR,
  };
  return { event, plan, sinkName: 'team-channel', sinkType };
}

/** The same with what the notification adds to each event. `cluster`: `--cluster-name`. */
export const withNotification = (
  source: Source,
  { annotations = {}, labels = {} }: Pick<Notification, 'annotations' | 'labels'>,
  cluster = '',
): Source => ({
  ...source,
  plan: { ...source.plan, notification: annotations, notificationLabels: labels, cluster },
});

/** As `--cluster-name` may be. */
export const EXAMPLE_CLUSTER = 'staging-eu';

/** The same of an example notification and cluster. */
export const withExampleNotification = (source: Source): Source =>
  withNotification(source, { labels: { team: 'shop' } }, EXAMPLE_CLUSTER);

function stateOf(kind: EventKind, last: boolean): { state: string; message: string } {
  if (kind === 'Failure' || kind === 'Recovery')
    return last ? { state: 'Failed', message: FAILURE_MESSAGE } : { state: 'Completed', message: 'stopped' };
  if (kind === 'ExecutionProgress' && last) return { state: 'Running', message: '' };
  return kind === 'Start' ? { state: 'Pending', message: '' } : { state: 'Completed', message: 'stopped' };
}
