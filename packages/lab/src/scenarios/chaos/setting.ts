import { ALL, collection, createNamespace } from '../../objects.ts';
import type { Team } from '../../team.ts';
import type { KubeObject } from '../../kube.ts';
import type { NotificationSpec, SinkSpec } from '../../record.ts';
import { HANGS_MS, until } from '../../wait.ts';

/** The modes of a run, besides kills. Each can be omitted. */
export const MODES = {
  lockstep: 'nine of ten writes wait until the state before is in a journal',
  replicas: 'a second process stands by; some leaders are paused, and continue when the other process leads',
  clocks: 'each process has its own wall clock, which jumps by hours',
  late: 'receivers apply some requests seconds later, even if the sender is dead',
  refusals: 'webhooks permanently refuse some messages at the first attempt',
  crowding: 'the same plans have dead and healthy sinks, and long errors',
  removals: 'journals, plans and a namespace are deleted',
  churn: 'secrets, notifications and selectors change',
} as const;

export type Mode = keyof typeof MODES;

const NAMES = Object.keys(MODES) as readonly Mode[];
export const ALL_MODES: ReadonlySet<Mode> = new Set(NAMES);

/** `all`, `none`, or some modes separated by commas. The default of an option that is not given is valid, too. */
export const MODES_PATTERN = new RegExp(`^(0|all|none|(${NAMES.join('|')})(,(${NAMES.join('|')}))*)$`);

export const readModes = (text: string): ReadonlySet<Mode> =>
  new Set(NAMES.filter((mode) => text === 'all' || text.split(',').includes(mode)));

/** The namespace that stays. */
export const MAIN = 'chaos';
/** The namespace that is deleted with all its objects, and created again. */
export const SIDE = 'side';

export const JOURNALS = collection(undefined, 'hibernatenotificationjournals');

/** The team with chats that get no ids. Its runs are not repeated with the same cycle and operation: both would have the same messages. */
export const WITHOUT_IDS = 'red';
/** The team that has only webhooks. They contain the plan's labels, so two plans of the same name can be distinguished. */
export const TOLD_APART = 'grey';
/** Every plan belongs to a team. Only some teams have threads: reading a channel's history costs its simulator time for all its messages. */
const TEAMS = ['blue', 'green', 'red', 'grey'] as const;
/** The team whose plans have dead and healthy sinks, and long errors. */
export const CROWDED = 'black';
/** The number of dead sinks, and of healthy ones. Each has its own notification. */
const CROWD = 2;
/** The length of an error of a crowded plan (characters). */
export const LONG_ERROR = 20_000;

export const teamsOf = (modes: ReadonlySet<Mode>): readonly string[] =>
  modes.has('crowding') ? [...TEAMS, ...TEAMS, CROWDED] : TEAMS;

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

/** Creates a team's namespace with all objects except plans: hnotif sends nothing for plans that are older than its installation. */
export async function furnish(
  team: Team,
  notifications: readonly NotificationSpec[],
  configOf: (sink: SinkSpec) => object,
): Promise<readonly KubeObject[]> {
  await createNamespace(team.kube, team.namespace);
  const created: KubeObject[] = [];
  for (const spec of notifications) {
    if (spec.namespace !== undefined && spec.namespace !== team.namespace) continue;
    for (const sink of spec.sinks) await team.secret(sink.name, configOf(sink));
    created.push(await notify(team, spec));
  }
  return created;
}

/** Resolves when the status of a notification shows that hnotif knows this version of it: then it gets what happens. */
export async function whenKnown(team: Team, { metadata }: KubeObject): Promise<void> {
  const { generation = 0, name, uid } = metadata;
  const path = team.path('hibernatenotifications', name);
  const isKnown = async (): Promise<boolean> => {
    const { status, metadata: now } = await team.kube.get(path);
    const { observedGeneration = 0 } = (status ?? {}) as { readonly observedGeneration?: number };
    return now.uid === uid && observedGeneration >= generation;
  };
  await until(isKnown, { what: `${path} in its status`, limitMs: HANGS_MS });
}

/** Creates a notification. */
export const notify = (team: Team, spec: NotificationSpec): Promise<KubeObject> =>
  team.notification(spec.name, {
    ...{ onEvents: spec.onEvents, selector: { matchLabels: spec.matchLabels } },
    sinks: spec.sinks.map(({ name, form }) => ({
      ...{ name, type: form === 'webhook' || form === 'botchat' ? form : 'teamchat' },
    })),
  });
