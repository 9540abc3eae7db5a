import type { Plan } from '../resources/plan.ts';

/** A plan for tests, at rest by default. */
export function aPlan(more: Partial<Plan> = {}): Plan {
  return {
    namespace: 'team-a',
    name: 'night',
    uid: 'uid-1',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: {},
    annotations: {},
    targets: [],
    retries: 3,
    status: {
      phase: 'Active',
      cycleId: '',
      operation: '',
      retryCount: 0,
      lastRetryTime: undefined,
      lastTransitionTime: '',
      errorMessage: '',
      executions: [],
      history: [],
    },
    problems: [],
    ...more,
  };
}
