import { describe, expect, it } from 'vitest';
import { ParseError, type Raw, crds } from '@hnotif/core/resources';
import { checksOf } from './checks.ts';
import { deploymentOf } from './deployment.ts';
import type { Installation } from './facts.ts';

const GROUP = 'hibernation.dev';
const ok = <T>(value: T) => ({ ok: true, value }) as const;
const LABELS = { 'app.kubernetes.io/name': 'hnotif', 'app.kubernetes.io/instance': 'night' };

const deployed = (ready: number) =>
  deploymentOf({
    metadata: { name: 'night-hnotif' },
    spec: {
      replicas: 2,
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: 'night',
          containers: [{ name: 'hnotif', image: 'hnotif:1', args: ['run'] }],
        },
      },
    },
    status: { readyReplicas: ready },
  });

it('reads the flags of a Deployment as hnotif does', () => {
  const args = ['run', '--leader-elect', '--lease-name=night', '--watch-namespaces', 'a,b', '--metrics-auth'];
  const spec = { containers: [{ name: 'hnotif', args }] };
  const found = deploymentOf({ spec: { template: { metadata: { labels: LABELS }, spec } } });
  expect([...(found?.flags ?? [])]).toEqual([
    ['leader-elect', ''],
    ['lease-name', 'night'],
    ['watch-namespaces', 'a,b'],
    ['metrics-auth', ''],
  ]);
});
const named = (name: string, spec: object): Raw => ({ metadata: { name, namespace: 'hnotif' }, spec });
const service = named('night', { selector: LABELS, ports: [{ name: 'metrics' }] });

const WELL: Installation = {
  ...{ apiGroup: GROUP, namespace: 'hnotif', account: 'system:serviceaccount:hnotif:night' },
  leader: { state: 'serving', message: 'served by night-1' },
  deployment: ok(deployed(2)),
  crds: ok(
    new Map(crds(GROUP, { withPlans: false }).map((each) => [each.metadata.name, each as unknown as Raw])),
  ),
  ...{
    planResource: 'plans',
    plans: ok(1),
    notifications: ok([]),
    invalid: [],
    needed: [],
    missing: ok([]),
    monitors: [],
  },
  journals: ok([named('a', { version: 3, summary: { waiting: 1 } })]),
  services: ok([service]),
  networkPolicies: ok([named('own', { podSelector: { matchLabels: LABELS }, policyTypes: ['Ingress'] })]),
  admissionPolicies: ok([]),
};

const lines = (more: Partial<Installation> = {}): string[] =>
  checksOf({ ...WELL, ...more }).map(({ state, about, message }) => `${state} ${about}: ${message}`);

describe('an installation', () => {
  it('that is well fails in nothing, in fewer than twenty lines', () => {
    expect(lines().filter((line) => !/^(ok|note) /.test(line))).toEqual([]);
    expect(lines().length).toBeLessThan(20);
    expect(lines()).toEqual(
      expect.arrayContaining([
        'ok deployment: night-hnotif in namespace hnotif: 2 of 2 replicas ready, image hnotif:1',
        'ok journals: 1 journal, 1 delivery waits',
        'ok metrics: the Service night has them; no monitor of the Prometheus operator is here',
        'ok network policy: own limits the connections of hnotif',
      ]),
    );
  });

  it.each<[Partial<Installation>, RegExp]>([
    [
      { deployment: ok(deployed(1)) },
      /^warning deployment: .* 1 of 2 replicas ready, .* describe pods and logs say why$/,
    ],
    [{ deployment: ok(deployed(0)) }, /^failed deployment: .* 0 of 2 replicas ready/],
    [
      { deployment: ok(undefined) },
      /^warning deployment: namespace hnotif has no Deployment of hnotif; name its/,
    ],
    [{ leader: { state: 'inactive', message: 'no instance is active' } }, /^failed leader: no instance/],
    [
      { journals: ok([named('a', { version: 4 })]) },
      /^warning journals: another version has written hnotif\/a; docs\/upgrading\.md/,
    ],
    [
      { missing: ok([{ verb: 'get', group: '', resource: 'secrets', namespace: 'shop' }]) },
      /^failed rights: system:serviceaccount:hnotif:night may not get secrets in namespace shop; apply the roles/,
    ],
    [
      { services: ok([named('other', { selector: { app: 'x' }, ports: [{ name: 'metrics' }] })]) },
      /^note metrics: no Se/,
    ],
    [
      { invalid: [new ParseError('HibernateNotification', 'shop/n', ['spec.selector: is missing'])] },
      /^failed notifications: HibernateNotification shop\/n cannot be read: spec\.selector: is missing; correct it/,
    ],
    [{ services: { ok: false, why: 'you may not' } }, /^skipped metrics: you may not$/],
    [
      {
        networkPolicies: ok([
          named('others', { podSelector: { matchLabels: { app: 'x' } }, policyTypes: ['Egress'] }),
        ]),
      },
      /^note network policy: none: /,
    ],
    [
      { networkPolicies: ok([named('deny', { podSelector: {}, policyTypes: ['Egress'], egress: [] })]) },
      /^failed network policy: deny permits no egress/,
    ],
  ])('%#: a problem has a line, with what to do', (more, line) => {
    const before = lines();
    const changed = lines(more).filter((each) => !before.includes(each));
    expect(changed).toContainEqual(expect.stringMatching(line));
  });

  it('with egress that one of two policies permits is not blocked', () => {
    const deny = named('deny', { podSelector: {}, policyTypes: ['Egress'] });
    const own = named('own', { podSelector: {}, policyTypes: ['Egress'], egress: [{}] });
    expect(lines({ networkPolicies: ok([deny, own]) })).toContain(
      'ok network policy: deny, own limits the connections of hnotif',
    );
  });
});
