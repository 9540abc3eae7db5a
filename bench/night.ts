import { type LifecycleEvent, type TargetState, idOf } from '@hnotif/core/lifecycle';
import type { EventKind, SinkAddress, Plan } from '@hnotif/core/resources';
import type { Submission } from './submission.ts';

/** The distribution of the load: notifications with one sink each, and the plans that all of them match. */
export interface Spread {
  readonly notifications: number;
  readonly plans: number;
}

const TARGETS = ['orders-db', 'reports-db', 'web', 'workers', 'cache', 'search', 'queue', 'batch'];
/** A plan's night in the proportions of a real one: mostly progress. */
const NIGHT: readonly EventKind[] = [
  'Start',
  'PhaseChange',
  ...TARGETS.map((): EventKind => 'ExecutionProgress'),
  'Success',
  'PhaseChange',
];

/** An endless series of submissions of nights: each event goes to every notification, one plan after the other. */
export function* nights({ notifications, plans }: Spread): Generator<Submission> {
  const all = Array.from({ length: plans }, (_, index) => aPlan(index));
  const sinks = Array.from({ length: notifications }, (_, index) => anAddress(index));
  for (let seq = 0; ; seq++)
    for (const plan of all) {
      const event = anEvent(plan, seq);
      for (const to of sinks) yield { to, sinkType: 'webhook', event, plan: { current: plan } };
    }
}

function anAddress(index: number): SinkAddress {
  return { namespace: 'team-a', notification: `night-watch-${index}`, sink: 'audit' };
}

function anEvent(plan: Plan, seq: number): LifecycleEvent {
  const kind = NIGHT[seq % NIGHT.length] ?? 'Start';
  const targets: TargetState[] = TARGETS.map((name) => ({
    name,
    executor: 'rds',
    state: 'Completed',
    message: `stopped ${name} in eu-central-1`,
  }));
  const targetExecution = kind === 'ExecutionProgress' ? targets[seq % TARGETS.length] : undefined;
  const run = Math.floor(seq / NIGHT.length);
  const [cycle, operation] = [`7f9c2ba4e${String(run).padStart(3, '0')}`, 'shutdown'];
  const [phase, previousPhase, retryCount] = ['Hibernating', 'Active', 0];
  const { uid: planUid, namespace, name } = plan;
  const event = {
    ...{ planUid, seq, kind, cycle, operation, run, phase, previousPhase, retryCount, targetExecution },
    namespace,
    plan: name,
    timestamp: '2026-01-05T20:00:00.000Z',
    errorMessage: '',
  };
  return { ...event, targets, id: idOf({ ...event, fact: '', epoch: 'e' }) };
}

function aPlan(index: number): Plan {
  const connectorRef = { kind: 'CloudProvider', name: 'production', namespace: 'team-a' };
  return {
    namespace: 'team-a',
    name: `nightly-${index}`,
    uid: `2f6f6a3e-0d6a-4a57-9a52-${String(index).padStart(12, '0')}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { team: 'orders', environment: 'staging' },
    annotations: { 'example.com/owner': 'orders@example.com' },
    targets: TARGETS.map((name) => ({ name, type: 'rds', connectorRef })),
    retries: 3,
    status: {
      phase: 'Hibernating',
      cycleId: '7f9c2ba4e88f',
      operation: 'shutdown',
      retryCount: 0,
      lastRetryTime: undefined,
      lastTransitionTime: '2026-01-05T20:00:00Z',
      errorMessage: '',
      executions: [],
      history: [],
    },
    problems: [],
  };
}
