import {
  begin,
  initialStatus,
  poll,
  succeed,
  type OperatorStatus,
  type TargetChange,
} from '@hnotif/core/lifecycle';
import { API_VERSION, DEFAULT_API_GROUP, parsePlan, type Plan } from '@hnotif/core/resources';

export const NAMESPACE = 'team-a';

const CONNECTOR = { kind: 'CloudProvider', name: 'production' };
const TARGETS = Array.from({ length: 10 }, (_, at) => ({
  name: `payments-${['db', 'web', 'cache', 'queue', 'batch'][at % 5] ?? ''}-${at}`,
  type: at % 2 === 0 ? 'rds' : 'ec2',
  connectorRef: CONNECTOR,
}));
/** When the first night begins (milliseconds since the epoch). */
const FIRST = Date.UTC(2026, 0, 5, 20);
const DAY_MS = 86_400_000;
const POLL_MS = 20_000;
/** Changes of a plan in one night: its start, six polls, its end. */
export const CHANGES = 8;
/** Start, two of each target's progress, Success, and two of the phase. */
export const EVENTS = 2 * TARGETS.length + 4;

export const planManifest = (index: number): object => ({
  apiVersion: `${DEFAULT_API_GROUP}/${API_VERSION}`,
  kind: 'HibernatePlan',
  metadata: {
    name: `nightly-${index}`,
    namespace: NAMESPACE,
    labels: { team: 'payments', environment: 'staging' },
    annotations: { 'example.com/owner': 'payments@example.com' },
  },
  spec: {
    schedule: { timezone: 'UTC', offHours: [{ start: '20:00', end: '06:00', daysOfWeek: ['MON', 'TUE'] }] },
    execution: { strategy: { type: 'Parallel' } },
    targets: TARGETS,
  },
});

/** The states of one plan from rest through this number of nights: `CHANGES` a night. */
export function statesOf(index: number, uid: string, nights: number): Plan[] {
  const manifest = planManifest(index) as { metadata: object };
  let version = 0;
  const planOf = (status: OperatorStatus): Plan =>
    parsePlan({
      ...manifest,
      metadata: { ...manifest.metadata, uid, resourceVersion: String(++version) },
      status,
    });
  let status = initialStatus;
  const states = [planOf(status)];
  for (let night = 0; night < nights; night++)
    for (status of nightOf(status, night)) states.push(planOf(status));
  return states;
}

/** Each poll finds two finished targets and two that have begun. */
function nightOf(before: OperatorStatus, night: number): OperatorStatus[] {
  let at = FIRST + night * DAY_MS;
  const states = [begin(before, 'shutdown', `7f9c2ba4e${String(night).padStart(3, '0')}`, TARGETS, at)];
  const last = (): OperatorStatus => states.at(-1) ?? before;
  for (let first = 0; first <= TARGETS.length; first += 2) {
    const inState = (from: number, state: TargetChange['state'], message: string): TargetChange[] =>
      TARGETS.slice(Math.max(from, 0), from + 2).map(({ name }) => ({
        ...{ target: name, state, message: `${message} ${name} in eu-central-1` },
        jobRef: `${NAMESPACE}/runner-${name}-${night}`,
      }));
    const done = first === 0 ? [] : inState(first - 2, 'Completed', 'stopped');
    states.push(poll(last(), [...done, ...inState(first, 'Running', 'stopping')], (at += POLL_MS)));
  }
  states.push(succeed(last(), at + POLL_MS));
  return states;
}
