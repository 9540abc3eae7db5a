/**
 * Nights of invented plans, as the pictures show them: what a model of the operator writes, and the events that hnotif makes of it.
 */
import {
  derive,
  DEFAULT_FAILURE_AFTER_MS,
  type LifecycleEvent,
  idOf,
  emptyBaseline,
  begin,
  fail,
  initialStatus,
  poll,
  recordFailure,
  retry,
  succeed,
  type OperatorStatus,
  type TargetChange,
} from '@hnotif/core/lifecycle';
import { planView } from '../../src/controller/connectors.ts';
import {
  parseCloudProvider,
  parseK8SCluster,
  type ConnectorLookup,
  parsePlan,
  type PlanView,
} from '@hnotif/core/resources';

/** An event, and the plan as it was when the event was sent. */
export interface Happening {
  readonly event: LifecycleEvent;
  readonly plan: PlanView;
}

interface Target {
  readonly name: string;
  readonly type: string;
  readonly connectorRef: { readonly kind: string; readonly name: string };
}

interface NightPlan {
  readonly name: string;
  readonly cycle: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly targets: readonly Target[];
  /** Each so many seconds after 20:00:00 in Berlin. */
  readonly writes: readonly (readonly [second: number, write: Write])[];
}

type Write = (status: OperatorStatus, at: number) => OperatorStatus;

const EVENING = Date.parse('2026-03-02T19:00:00Z');

const CONNECTORS: ConnectorLookup = {
  cloudProvider: (namespace, name) =>
    parseCloudProvider({
      metadata: { namespace, name },
      spec: {
        type: 'aws',
        aws: {
          accountId: name === 'aws-payments' ? '334455667788' : '210987654321',
          region: 'eu-central-1',
        },
      },
    }),
  k8sCluster: (namespace, name) =>
    parseK8SCluster({
      metadata: { namespace, name },
      spec: { providerRef: { name: 'aws-staging' }, eks: { name: 'staging-blue' } },
    }),
};

const target = (name: string, type: string, provider = 'aws-staging'): Target => ({
  name,
  type,
  connectorRef:
    type === 'eks' ? { kind: 'K8SCluster', name: 'eks-staging' } : { kind: 'CloudProvider', name: provider },
});

const moved =
  (state: TargetChange['state'], names: readonly string[], message = ''): Write =>
  (status, at) =>
    poll(
      status,
      names.map((name) => ({ target: name, state, message })),
      at,
    );
const running = (...names: string[]): Write => moved('Running', names);
const completed = (...names: string[]): Write => moved('Completed', names);
const failed = (name: string, message: string): Write => moved('Failed', [name], message);
const inError =
  (message: string): Write =>
  (status, at) =>
    fail(recordFailure(status, at), message, at);

const BUSY = 'volume vol-07 is "busy" & cannot be detached; tried 3 times';
const MODIFIED = 'DB instance ledger-db is being modified: InvalidDBInstanceState';
const QUOTA = 'snapshot quota of 100 exceeded in eu-central-1';

const PLANS = {
  /** All goes well. */
  good: {
    name: 'storefront',
    cycle: '8c1e4f',
    targets: [
      target('orders-db', 'rds'),
      target('app-nodes', 'eks'),
      target('search', 'ec2'),
      target('cache', 'rds'),
      target('previews', 'eks'),
      target('load-tests', 'ec2'),
    ],
    writes: [
      [5, running('orders-db', 'app-nodes')],
      [128, completed('app-nodes')],
      [131, running('search', 'cache')],
      [310, completed('search')],
      [420, completed('orders-db', 'cache')],
      [425, running('previews', 'load-tests')],
      [640, completed('load-tests')],
      [830, completed('previews')],
      [835, succeed],
    ],
  },
  /** One target fails, those that wait for it are aborted, and the night is over all the same. */
  bestEffort: {
    name: 'reporting',
    cycle: '51d07a',
    targets: [
      target('warehouse', 'rds'),
      target('etl-workers', 'ec2'),
      target('dashboards', 'eks'),
      target('archive', 'ec2'),
    ],
    writes: [
      [6, running('warehouse', 'archive')],
      [101, completed('archive')],
      [
        252,
        (status: OperatorStatus, at: number) =>
          poll(
            status,
            [
              { target: 'warehouse', state: 'Failed', message: QUOTA },
              { target: 'etl-workers', state: 'Aborted', message: 'warehouse failed, which it waits for' },
              { target: 'dashboards', state: 'Aborted', message: 'warehouse failed, which it waits for' },
            ],
            at,
          ),
      ],
      [258, succeed],
    ],
  },
  /** One target fails, is tried again, and then it goes well. */
  retry: {
    name: 'build-farm',
    cycle: 'e3907b',
    targets: [
      target('build-machines', 'ec2'),
      target('artifacts', 'rds'),
      target('runners', 'eks'),
      target('sandbox', 'ec2'),
    ],
    writes: [
      [4, running('build-machines', 'artifacts', 'runners')],
      [73, completed('artifacts', 'runners')],
      [80, running('sandbox')],
      [141, completed('sandbox')],
      [187, failed('build-machines', BUSY)],
      [190, inError(`target build-machines: ${BUSY}`)],
      [250, retry],
      [256, running('build-machines')],
      [431, completed('build-machines')],
      [436, succeed],
    ],
  },
  /** One target fails until no retry is left. */
  failure: {
    name: 'payments',
    cycle: 'a47c22',
    annotations: { 'hibernation.dev/runbook-url': 'https://wiki.example.com/runbooks/payments-night' },
    targets: [
      target('ledger-db', 'rds', 'aws-payments'),
      target('gateway', 'eks'),
      target('fraud-models', 'ec2'),
      target('batch', 'ec2', 'aws-payments'),
      target('exports', 'ec2', 'aws-payments'),
    ],
    writes: [
      [3, running('ledger-db', 'gateway', 'fraud-models')],
      [95, completed('gateway')],
      [160, completed('fraud-models')],
      [162, running('batch', 'exports')],
      [201, failed('ledger-db', MODIFIED)],
      [233, completed('batch', 'exports')],
      ...[0, 1, 2].flatMap((round) => [
        [240 + 180 * round, inError(`target ledger-db: ${MODIFIED}`)] as const,
        [300 + 180 * round, retry] as const,
        [305 + 180 * round, running('ledger-db')] as const,
        [380 + 180 * round, failed('ledger-db', MODIFIED)] as const,
      ]),
      [784, inError(`target ledger-db: ${MODIFIED}`)],
    ],
  },
} satisfies Record<string, NightPlan>;

export type Night = keyof typeof PLANS;

/** What the notification adds to the plans' own links. */
const NOTIFICATION = { 'hibernation.dev/dashboard-url': 'https://grafana.example.com/d/nights' };

/** The events of these nights in the order of their times, each with its plan as it was. */
export function happenings(...nights: readonly Night[]): Happening[] {
  return nights
    .flatMap((night) => happeningsOf(PLANS[night]))
    .sort((a, b) => Date.parse(a.event.timestamp) - Date.parse(b.event.timestamp));
}

function happeningsOf({ name, cycle, annotations = {}, targets, writes }: NightPlan): Happening[] {
  const begun: Write = (status, at) => begin(status, 'shutdown', cycle, targets, at);
  let observed = emptyBaseline('pictures');
  let status = initialStatus;
  return [[-60, (same: OperatorStatus) => same] as const, [0, begun] as const, ...writes].flatMap(
    ([second, write], index) => {
      const at = EVENING + second * 1000;
      status = write(status, at);
      const plan = parsePlan({
        metadata: {
          ...{ name, annotations, namespace: 'shop', uid: name, resourceVersion: String(index + 1) },
          labels: { env: 'staging' },
        },
        spec: { targets, behavior: { retries: 3 } },
        status,
      });
      const derived = derive(observed, plan, at, { failureAfterMs: DEFAULT_FAILURE_AFTER_MS });
      observed = derived.observed;
      const view = { ...planView(plan, CONNECTORS), notification: NOTIFICATION };
      return derived.events
        .filter(({ timestamp }) => Date.parse(timestamp) >= EVENING)
        .map((event) => ({ event: { ...event, id: idOf(event) }, plan: view }));
    },
  );
}
