import { crds } from '../../src/resources/crds/crds.ts';
import { DEFAULT_API_GROUP as GROUP } from '../../src/resources/group.ts';
import type { Kube, KubeObject } from '../../../lab/src/kube.ts';
import type { Mode } from './modes.ts';
import type { Player } from './player.ts';
import type { NotificationSpec, PlanHistory, SinkSpec } from './record.ts';

/** The namespace that stays. */
export const MAIN = 'chaos';
/** The namespace that is deleted with all its objects, and created again. */
export const SIDE = 'side';

const apiOf = (namespace: string): string => `/apis/${GROUP}/v1alpha1/namespaces/${namespace}`;
export const journalsIn = (namespace: string): string => `${apiOf(namespace)}/hibernatenotificationjournals`;
export const JOURNALS = `/apis/${GROUP}/v1alpha1/hibernatenotificationjournals`;
export const NAMESPACES = '/api/v1/namespaces';

/** The API path of a plan. */
export const planPath = ({ namespace, history }: Pick<Player, 'namespace' | 'history'>): string =>
  `${apiOf(namespace)}/hibernateplans/${nameOf(history)}`;

/** The name of the object. Plans that had the same name one after the other differ in the number after `#`. */
const nameOf = ({ name }: Pick<PlanHistory, 'name'>): string => name.split('#')[0] ?? name;

const ALL = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];

/** The team with chats that get no ids. Its runs are not repeated with the same cycle and operation: both would have the same messages. */
export const WITHOUT_IDS = 'red';
/** The team that has only webhooks. They contain the plan's labels, so two plans of the same name can be distinguished. */
export const TOLD_APART = 'grey';
/** Every plan belongs to a team. Only some teams have threads: reading a channel's history costs its simulator time for all its messages. */
const TEAMS = ['blue', 'green', 'red', 'grey'] as const;
/** The team whose plans have dead and healthy sinks, and long errors. */
export const CROWDED = 'black';
/** The number of dead sinks, and of healthy ones. Each has its own notification. */
const CROWD = 5;
/** The length of an error of a crowded plan (characters). */
export const LONG_ERROR = 30_000;

export const teamsOf = (modes: ReadonlySet<Mode>): readonly string[] =>
  modes.has('crowding') ? [...TEAMS, CROWDED] : TEAMS;

/** In the namespace that stays: a notification whose selector changes, and one that is deleted and created again. */
export const FICKLE = { selector: 'fickle', itself: 'fleeting' } as const;

const ofTheCrowd = (kind: 'dead' | 'healthy'): NotificationSpec[] =>
  Array.from({ length: CROWD }, (_, index) => ({
    ...{ name: `${kind}-${index}`, onEvents: ALL, matchLabels: { team: CROWDED } },
    sinks: [{ name: `${kind}-${index}`, form: 'webhook' }],
  }));

/** Notifications whose receivers are down until the end. They must not delay others. */
export const deadOf = (modes: ReadonlySet<Mode>): readonly NotificationSpec[] =>
  modes.has('crowding') ? ofTheCrowd('dead') : [];

/** Notifications whose messages are checked. */
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
    // With its namespace a board would be lost.
    ...{ name: 'board', onEvents: ALL, matchLabels: { team: 'green' }, namespace: MAIN },
    sinks: [{ name: 'board', form: 'board' }],
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

/** Creates a namespace with all objects except plans: hnotif sends nothing for plans that are older than its installation. */
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
        type: sink.form === 'webhook' || sink.form === 'botchat' ? sink.form : 'teamchat',
      })),
    },
  });

/** Resolves with the uid of the plan. */
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
