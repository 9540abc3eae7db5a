import { crds } from '../../src/resources/crds/crds.ts';
import { DEFAULT_API_GROUP as GROUP } from '../../src/resources/group.ts';
import type { Kube } from '../kube.ts';
import type { Player } from './player.ts';
import type { NotificationSpec, PlanHistory, SinkSpec } from './record.ts';

/** Stays. */
export const MAIN = 'chaos';
/** Is deleted with all that is in it, and made again. */
export const SIDE = 'side';

const apiOf = (namespace: string): string => `/apis/${GROUP}/v1alpha1/namespaces/${namespace}`;
export const journalsIn = (namespace: string): string => `${apiOf(namespace)}/hibernatenotificationjournals`;
export const JOURNALS = `/apis/${GROUP}/v1alpha1/hibernatenotificationjournals`;
export const NAMESPACES = '/api/v1/namespaces';

/** Where a plan stands. */
export const planPath = ({ namespace, history }: Pick<Player, 'namespace' | 'history'>): string =>
  `${apiOf(namespace)}/hibernateplans/${nameOf(history)}`;

/** Plans that have had one name after the other have one more each. */
const nameOf = ({ name }: Pick<PlanHistory, 'name'>): string => name.split('#')[0] ?? name;

const ALL = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];

/** Its chats get no ids: no run of it begins again under its own name, since the two would be told in the same words. */
export const WITHOUT_IDS = 'red';
/** Its sinks are webhooks alone, which tell of the plan's labels: of its plans, two of one name can be told apart. */
export const TOLD_APART = 'grey';
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

export async function install(kube: Kube): Promise<void> {
  for (const crd of crds(GROUP, { withPlans: true }))
    await kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
}

/** All but the plans: who meets a plan of before its installation says nothing of it. */
export async function furnish(
  kube: Kube,
  namespace: string,
  configOf: (sink: SinkSpec) => object,
): Promise<void> {
  await kube.post(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const { name, onEvents, matchLabels, sinks } of NOTIFICATIONS) {
    for (const sink of sinks)
      await kube.post(`${NAMESPACES}/${namespace}/secrets`, {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: sink.name } },
        stringData: { config: JSON.stringify(configOf(sink)) },
      });
    await kube.post(`${apiOf(namespace)}/hibernatenotifications`, {
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

/** Resolves with its uid. */
export async function createPlan(kube: Kube, { namespace, history, targets }: Player): Promise<string> {
  const { labels, retries } = history;
  const { metadata } = await kube.post(`${apiOf(namespace)}/hibernateplans`, {
    ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'HibernatePlan' },
    metadata: { name: nameOf(history), labels },
    spec: {
      targets: targets.map((target) => ({ ...target, connectorRef: { kind: 'CloudProvider', name: 'aws' } })),
      behavior: { retries },
    },
  });
  return metadata.uid;
}
