import { crds } from '../../src/resources/crds/crds.ts';
import { DEFAULT_API_GROUP as GROUP } from '../../src/resources/group.ts';
import type { Kube, KubeObject } from '../support/kube.ts';
import type { Mode } from './modes.ts';
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
const TEAMS = ['blue', 'green', 'red', 'grey'] as const;
/** Its plans have dead sinks beside healthy ones, and fail in many words. */
export const CROWDED = 'black';
/** So many dead sinks, and as many healthy ones, each of a notification of its own. */
const CROWD = 5;
/** Characters of an error of a crowded plan. */
export const LONG_ERROR = 30_000;

export const teamsOf = (modes: ReadonlySet<Mode>): readonly string[] =>
  modes.has('crowding') ? [...TEAMS, CROWDED] : TEAMS;

/** A notification whose selector comes and goes, and one that is deleted and made again: of the namespace that stays. */
export const FICKLE = { selector: 'fickle', itself: 'fleeting' } as const;

const ofTheCrowd = (kind: 'dead' | 'healthy'): NotificationSpec[] =>
  Array.from({ length: CROWD }, (_, index) => ({
    ...{ name: `${kind}-${index}`, onEvents: ALL, matchLabels: { team: CROWDED } },
    sinks: [{ name: `${kind}-${index}`, form: 'webhook' }],
  }));

/** Their receivers are down until the end: nothing is asked of them but that they cost others nothing. */
export const deadOf = (modes: ReadonlySet<Mode>): readonly NotificationSpec[] =>
  modes.has('crowding') ? ofTheCrowd('dead') : [];

/** What arrives at their sinks is judged. */
export const notificationsOf = (modes: ReadonlySet<Mode>): readonly NotificationSpec[] => [
  ...NOTIFICATIONS,
  ...(modes.has('crowding') ? ofTheCrowd('healthy') : []),
  ...(modes.has('churn')
    ? Object.values(FICKLE).map((name) => ({
        ...{ name, onEvents: ALL, matchLabels: { team: TOLD_APART }, namespace: MAIN },
        sinks: [{ name, form: 'webhook' } as const],
      }))
    : []),
];

const NOTIFICATIONS: readonly NotificationSpec[] = [
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
  notifications: readonly NotificationSpec[],
  configOf: (sink: SinkSpec) => object,
): Promise<void> {
  await kube.post(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const spec of notifications) {
    if (spec.namespace !== undefined && spec.namespace !== namespace) continue;
    for (const sink of spec.sinks)
      await kube.post(`${NAMESPACES}/${namespace}/secrets`, {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: sink.name } },
        stringData: { config: JSON.stringify(configOf(sink)) },
      });
    await createNotification(kube, namespace, spec);
  }
}

export const notificationsIn = (namespace: string): string => `${apiOf(namespace)}/hibernatenotifications`;

export const createNotification = (
  kube: Kube,
  namespace: string,
  { name, onEvents, matchLabels, sinks }: NotificationSpec,
): Promise<KubeObject> =>
  kube.post(notificationsIn(namespace), {
    ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'HibernateNotification', metadata: { name } },
    spec: {
      ...{ selector: { matchLabels }, onEvents },
      sinks: sinks.map((sink) => ({
        ...{ name: sink.name, secretRef: { name: sink.name } },
        type: sink.form === 'channel' || sink.form === 'thread' ? 'teamchat' : sink.form,
      })),
    },
  });

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
