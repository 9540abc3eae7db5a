import type { EventKind } from '../resources/kinds.ts';
import type { LifecycleEvent } from '../lifecycle/event.ts';

/** An event for tests that need only its kind, plan and order. */
export function anEvent(kind: EventKind, seq: number, more: Partial<LifecycleEvent> = {}): LifecycleEvent {
  return {
    id: `event-${seq}`,
    seq,
    kind,
    planUid: 'uid-1',
    namespace: 'team-a',
    plan: 'night',
    run: 1,
    cycle: 'c1',
    operation: 'shutdown',
    phase: 'Hibernating',
    previousPhase: 'Active',
    timestamp: '2026-01-05T20:00:00.000Z',
    targets: [],
    targetExecution: undefined,
    errorMessage: '',
    retryCount: 0,
    ...more,
  };
}

export const progress = (seq: number, target: string): LifecycleEvent =>
  anEvent('ExecutionProgress', seq, {
    targetExecution: { name: target, executor: 'rds', state: 'Running', message: '' },
  });
