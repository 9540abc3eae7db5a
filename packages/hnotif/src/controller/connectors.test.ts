import { pino } from 'pino';
import { expect, it } from 'vitest';
import {
  parseCloudProvider,
  parseK8SCluster,
  type ConnectorLookup,
  type ConnectorPolicy,
  parsePlan,
} from '@hnotif/core/resources';
import { ConnectorRights, planView } from './connectors.ts';

const provider = (namespace: string) =>
  parseCloudProvider({
    metadata: { namespace, name: 'aws', uid: namespace },
    spec: { type: 'aws', aws: { accountId: `account of ${namespace}`, region: 'eu-west-1' } },
  });
const cluster = (namespace: string) =>
  parseK8SCluster({
    metadata: { namespace, name: 'blue', uid: namespace },
    spec: { providerRef: { name: 'aws', namespace: 'other' }, eks: { name: 'blue', region: 'eu-north-1' } },
  });
const lookup: ConnectorLookup = {
  cloudProvider: (namespace) => provider(namespace),
  k8sCluster: (namespace) => cluster(namespace),
};

const target = (name: string, kind: string, of: string, namespace?: string) => ({
  name,
  type: 'rds',
  connectorRef: { kind, name: of, ...(namespace !== undefined && { namespace }) },
});
const plan = (name = 'orders', namespace = 'team') =>
  parsePlan({
    metadata: { namespace, name, uid: `${namespace}/${name}` },
    spec: {
      targets: [
        target('own', 'CloudProvider', 'aws'),
        target('shared', 'CloudProvider', 'aws', 'other'),
        target('through', 'K8SCluster', 'blue'),
        target('cluster', 'K8SCluster', 'blue', 'other'),
      ],
    },
  });
const TO = { namespace: 'team', notification: 'n', sink: 's' };

function rights(policy: ConnectorPolicy, watched: readonly string[] = []) {
  const [lines, events]: [string[], string[]] = [[], []];
  const connectors = new ConnectorRights({
    cluster: '',
    policy,
    watched,
    lookup,
    log: pino({}, { write: (line) => lines.push(line) }),
    events: {
      warn: (to, reason, message) => events.push(`${to.notification} ${reason} ${message}`),
    },
  });
  const shown = (of = plan(), to = TO) => {
    const view = connectors.view(of, to);
    return ['own', 'shared', 'through', 'cluster'].map((name) => {
      const { kind, accountId, clusterName } = view.connector(name);
      return [kind, accountId, clusterName].filter((text) => text !== '').join(', ');
    });
  };
  return { shown, lines, events };
}

const EVERYTHING = [
  'CloudProvider, account of team',
  'CloudProvider, account of other',
  'K8SCluster, account of other, blue',
  'K8SCluster, account of other, blue',
];

it.each(['all', ['other']] as const)('plans may use connectors of other namespaces: %s', (policy) => {
  const { shown, lines, events } = rights(policy);
  expect(shown()).toEqual(EVERYTHING);
  expect([lines, events]).toEqual([[], []]);
});

it.each(['none', [], ['team', 'third']] as const)(
  'plans may not use them, also not through a cluster of their own namespace: %j',
  (policy) => {
    const { shown } = rights(policy);
    expect(shown()).toEqual([
      'CloudProvider, account of team',
      'CloudProvider',
      'K8SCluster, blue',
      'K8SCluster',
    ]);
  },
);

it('refused connectors are reported once for each notification and plan, in the log once for each plan', () => {
  const { shown, lines, events } = rights('none');
  for (const notification of ['n', 'm', 'n'])
    for (let i = 0; i < 2; i++) shown(plan(), { ...TO, notification });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ plan: 'team/orders', reason: 'ConnectorNotPermitted' });
  expect(events).toEqual(
    ['n', 'm'].map(
      (name) =>
        `${name} ConnectorNotPermitted plan orders: a connector of namespace other may not be used by plans of namespace team, so its fields are empty in messages; use one of namespace team, or have --cross-namespace-connectors name other`,
    ),
  );
  shown(plan('other'));
  expect([lines.length, events.length]).toEqual([2, 3]);
});

it.each(['all', ['other']] as const)(
  'connectors of namespaces that are not watched are not known, which is reported: %j',
  (policy) => {
    const { shown, events } = rights(policy, ['team', 'third']);
    expect(shown()).toEqual([
      'CloudProvider, account of team',
      'CloudProvider',
      'K8SCluster, blue',
      'K8SCluster',
    ]);
    expect(events).toEqual([
      'n ConnectorNotWatched plan orders: a connector of namespace other is not known, because hnotif does not watch that namespace, so its fields are empty in messages; use one of namespace team, or have --watch-namespaces name other',
    ]);
    expect(rights(policy, ['team', 'other']).shown()).toEqual(EVERYTHING);
  },
);

it('reports of one namespace let none of another one come again', () => {
  const { events, shown } = rights([]);
  const quiet = () => shown(plan('orders', 'quiet'), { ...TO, namespace: 'quiet' });
  quiet();
  const busy = plan();
  for (let at = 0; at < 11_000; at++) shown(busy, { ...TO, notification: `n${at}` });
  events.length = 0;
  quiet();
  shown(busy, { ...TO, notification: 'n10999' });
  expect(events).toEqual([]);
  // Its oldest is forgotten.
  shown(busy, { ...TO, notification: 'n0' });
  expect(events).toHaveLength(1);
});

it('connectors that no message uses are not reported', () => {
  const { shown, lines } = rights('none');
  shown(parsePlan({ metadata: { namespace: 'team', name: 'x', uid: 'x' }, spec: {} }));
  expect(lines).toEqual([]);
});

it('the view of a plan is one object for all sinks until the plan, a connector or an annotation changes', () => {
  let version = 1;
  const counted: ConnectorLookup = {
    ...lookup,
    get version() {
      return version;
    },
  };
  const orders = plan();
  const links = { 'hibernation.dev/runbook-url': 'https://example.com' };
  const view = planView(orders, counted);
  expect(planView(orders, counted, {})).toBe(view);
  expect(planView({ ...orders }, counted)).not.toBe(view);
  const linked = planView(orders, counted, { annotations: links });
  expect(linked.notification).toBe(links);
  expect(planView(orders, counted, { annotations: links })).toBe(linked);
  version++;
  expect(planView(orders, counted, { annotations: links })).not.toBe(linked);
});
