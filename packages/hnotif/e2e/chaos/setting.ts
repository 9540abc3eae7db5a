import { crds } from '../../src/resources/crds/crds.ts';
import { DEFAULT_API_GROUP as GROUP } from '../../src/resources/group.ts';
import type { Kube } from '../kube.ts';
import type { Player } from './player.ts';
import type { NotificationSpec, SinkSpec } from './record.ts';

const NAMESPACE = 'chaos';
const API = `/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}`;
export const PLANS = `${API}/hibernateplans`;
export const JOURNALS = `${API}/hibernatenotificationjournals`;

const ALL = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];

/** Its chats get no ids: no run of it begins again under its own name, since the two would be told in the same words. */
export const WITHOUT_IDS = 'red';
/** Every plan is of a team. Each look into a channel's history costs its simulator all that was posted there: not all get threads. */
export const TEAMS = ['blue', 'green', 'red', 'grey'] as const;

export const NOTIFICATIONS: readonly NotificationSpec[] = [
  {
    ...{ name: 'all', onEvents: ALL, matchLabels: {} },
    sinks: [{ name: 'log', form: 'webhook' }],
  },
  {
    ...{ name: 'ends', onEvents: ['Success', 'Failure'], matchLabels: {} },
    sinks: [{ name: 'pager', form: 'webhook' }],
  },
  {
    ...{ name: 'blue', onEvents: ALL, matchLabels: { team: 'blue' } },
    sinks: [
      { name: 'nights', form: 'thread' },
      { name: 'copy', form: 'webhook' },
    ],
  },
  {
    ...{ name: 'green', onEvents: ['Success', 'Failure', 'Recovery'], matchLabels: { team: 'green' } },
    sinks: [{ name: 'ends', form: 'thread' }],
  },
  {
    ...{ name: 'red', onEvents: ALL, matchLabels: { team: 'red' } },
    sinks: [
      { name: 'room', form: 'channel' },
      { name: 'group', form: 'botchat' },
    ],
  },
  {
    ...{ name: 'red-ends', onEvents: ['Success', 'Failure'], matchLabels: { team: 'red' } },
    sinks: [{ name: 'oncall', form: 'botchat' }],
  },
];

/** All but the plans: who meets a plan of before its installation says nothing of it. */
export async function install(kube: Kube, configOf: (sink: SinkSpec) => object): Promise<void> {
  for (const crd of crds(GROUP, { withPlans: true }))
    await kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  await kube.post('/api/v1/namespaces', {
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  });
  for (const { name, onEvents, matchLabels, sinks } of NOTIFICATIONS) {
    for (const sink of sinks)
      await kube.post(`/api/v1/namespaces/${NAMESPACE}/secrets`, {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: sink.name } },
        stringData: { config: JSON.stringify(configOf(sink)) },
      });
    await kube.post(`${API}/hibernatenotifications`, {
      ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'HibernateNotification', metadata: { name } },
      spec: {
        ...{ selector: { matchLabels }, onEvents },
        sinks: sinks.map((sink) => ({
          ...{ name: sink.name, secretRef: { name: sink.name } },
          type: sink.form === 'channel' || sink.form === 'thread' ? 'teamchat' : sink.form,
        })),
      },
    });
  }
}

export async function createPlan(kube: Kube, { history, targets }: Player): Promise<void> {
  const { name, labels, retries } = history;
  await kube.post(PLANS, {
    ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'HibernatePlan', metadata: { name, labels } },
    spec: {
      targets: targets.map((target) => ({ ...target, connectorRef: { kind: 'CloudProvider', name: 'aws' } })),
      behavior: { retries },
    },
  });
}
