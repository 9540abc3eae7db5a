import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { KubeClient } from '../cluster/client.ts';
import { FirstList } from '../cluster/first-list.ts';
import { identityOf } from '../cluster/objects.ts';
import { Reflector, type ReflectorHandler } from '../cluster/reflector.ts';
import type { Checks } from '../observe/health.ts';
import type { Metrics } from '../observe/metrics.ts';
import { parseCloudProvider, parseK8SCluster, type ConnectorLookup } from '../resources/connectors.ts';
import {
  cloudProvidersOf,
  journalsOf,
  k8sClustersOf,
  notificationsOf,
  type ResourceType,
} from '../resources/group.ts';
import { parseJournal, type Journal } from '../resources/journal.ts';
import type { Metadata } from '../resources/metadata.ts';
import type { Notification } from '../resources/notification.ts';
import { parseNotification } from '../resources/parse-notification.ts';
import { parsePlan } from '../resources/parse-plan.ts';
import type { Plan } from '../resources/plan.ts';

export interface WatchesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly apiGroup: string;
  readonly planResource: ResourceType;
  readonly notifications: Omit<ReflectorHandler<Notification>, 'synced'>;
  readonly plans: ReflectorHandler<Plan>;
  /** A journal that stood there at the start. False: what it says cannot be read. */
  readonly journal: (journal: Journal) => boolean;
  /** All of them have been told. */
  readonly journalsListed: () => void;
  /** One stands in another version than before. */
  readonly journalChanged: (journal: Metadata) => void;
  /** One that stood there, then or later, is not there any more. */
  readonly journalGone: (journal: Metadata) => void;
}

/**
 * What is watched, and in which order: plans only after notifications and journals have been listed, since nothing is
 * derived before it is known who wants it and what was told already. Connectors come when they come; until then their fields
 * are empty.
 */
export class Watches {
  readonly notifications: Reflector<Notification>;
  readonly plans: Reflector<Plan>;
  readonly journals: FirstList;
  readonly connectors: ConnectorLookup;
  /** Which of them stand there: who deletes one deletes what we would go on from. */
  readonly #standing: Reflector<Metadata>;
  readonly #first: readonly Pick<Reflector<Metadata>, 'start' | 'stop'>[];

  constructor(options: WatchesOptions) {
    const { client, clock, log, metrics, planResource } = options;
    const reflect = <T extends Metadata>(
      type: ResourceType,
      parse: (raw: unknown) => T,
      handler: ReflectorHandler<T>,
      metadataOnly = false,
    ): Reflector<T> => {
      const resource = type.plural;
      return new Reflector({
        client,
        type,
        metadataOnly,
        parse,
        handler,
        clock,
        log,
        hooks: {
          listed: () => metrics.lists.inc({ resource }),
          watchRestarted: (reason) => metrics.watchRestarts.inc({ resource, reason }),
          unreadable: () => metrics.objectsUnreadable.inc({ resource }),
        },
      });
    };
    this.plans = reflect(planResource, parsePlan, options.plans);
    this.notifications = reflect(notificationsOf(options.apiGroup), parseNotification, {
      ...options.notifications,
      synced: () => {
        this.journals.start((listed) => {
          options.journalsListed();
          this.#standing.start(listed);
          this.plans.start();
        });
      },
    });
    const journals = journalsOf(options.apiGroup);
    const resource = journals.plural;
    const unreadable = (): void => metrics.objectsUnreadable.inc({ resource });
    this.journals = new FirstList({
      ...{ client, clock, log, type: journals, unreadable },
      listed: () => metrics.lists.inc({ resource }),
      item: (raw) => {
        if (!options.journal(parseJournal(raw))) unreadable();
      },
    });
    this.#standing = reflect(
      journals,
      identityOf,
      { ...QUIET, changed: options.journalChanged, deleted: options.journalGone },
      true,
    );
    const cloudProviders = reflect(cloudProvidersOf(planResource), parseCloudProvider, QUIET);
    const k8sClusters = reflect(k8sClustersOf(planResource), parseK8SCluster, QUIET);
    this.connectors = {
      cloudProvider: (namespace, name) => cloudProviders.get(namespace, name),
      k8sCluster: (namespace, name) => k8sClusters.get(namespace, name),
    };
    this.#first = [this.notifications, cloudProviders, k8sClusters];
  }

  /** For `/readyz`: why something is not being followed. */
  get checks(): Checks {
    const checkOf = (all: readonly Followed[]) => () =>
      all.map(troubleOf).find((trouble) => trouble !== undefined);
    return Object.fromEntries(Object.entries(this.#needed).map(([name, all]) => [name, checkOf(all)]));
  }

  /** What cannot be followed, and why; undefined: all is followed, or about to be. */
  get failing(): string | undefined {
    for (const [name, all] of Object.entries(this.#needed)) {
      const found = all.find(({ state }) => state === 'failing');
      if (found !== undefined) return `${name}: ${troubleOf(found)}`;
    }
    return undefined;
  }

  /** Without any of them no event is derived. */
  get #needed(): Readonly<Record<string, readonly Followed[]>> {
    const { notifications, journals, plans } = this;
    return { notifications: [notifications], journals: [journals, this.#standing], plans: [plans] };
  }

  start(): void {
    for (const reflector of this.#first) reflector.start();
  }

  async stop(): Promise<void> {
    const all = [...this.#first, this.journals, this.#standing, this.plans];
    await Promise.all(all.map((each) => each.stop()));
  }
}

type Followed = Pick<Reflector<Metadata>, 'state' | 'error'>;

/** Why a resource is not being followed; undefined when it is. */
function troubleOf({ state, error }: Followed): string | undefined {
  if (state === 'synced') return undefined;
  return state === 'starting' ? 'not listed yet' : (error ?? 'failing');
}

const QUIET = { changed: () => undefined, deleted: () => undefined, synced: () => undefined };
