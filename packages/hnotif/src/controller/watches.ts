import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { KubeClient } from '../cluster/client.ts';
import { FirstList } from '../cluster/first-list.ts';
import { identityOf } from '../cluster/objects.ts';
import { Reflector, type ReflectorHandler, type ReflectorHooks } from '../cluster/reflector.ts';
import type { Changes } from '../cluster/store.ts';
import type { Journals } from '../journal/journals.ts';
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
import { parseJournal } from '../resources/journal.ts';
import type { Metadata } from '../resources/metadata.ts';
import type { Notification } from '../resources/notification.ts';
import { parseNotification } from '../resources/parse-notification.ts';
import { parsePlan } from '../resources/parse-plan.ts';
import type { Plan } from '../resources/plan.ts';
import type { SinkAddress } from '../resources/sink-address.ts';

interface WatchesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly apiGroup: string;
  readonly planResource: ResourceType;
}

/** What changes do. */
interface WatchHandlers {
  readonly notifications: Changes<Notification>;
  readonly plans: ReflectorHandler<Plan>;
  readonly journals: Pick<Journals, 'found' | 'allFound' | 'changed' | 'vanished'>;
}

/**
 * The reflectors, in their order: notifications and journals are listed before plans, because events can be derived only when the
 * subscribers and the events sent so far are known. Connectors are listed at any time; until then their fields are empty.
 */
export class Watches {
  readonly notifications: Reflector<Notification>;
  readonly plans: Reflector<Plan>;
  readonly journals: FirstList;
  readonly connectors: ConnectorLookup;
  /** Only the metadata of journals, after the first list: to see when one is deleted. */
  readonly #journalMetadata: Reflector<Metadata>;
  readonly #first: readonly Pick<Reflector<Metadata>, 'start' | 'stop'>[];
  #handlers: WatchHandlers | undefined;

  constructor(options: WatchesOptions) {
    const { client, clock, log, metrics, planResource } = options;
    this.plans = reflectorOf(options, planResource, parsePlan, {
      ...forward(() => this.#to.plans),
      synced: () => {
        this.#to.plans.synced();
      },
    });
    this.notifications = reflectorOf(options, notificationsOf(options.apiGroup), parseNotification, {
      ...forward(() => this.#to.notifications),
      synced: () => {
        this.#listJournals();
      },
    });
    const type = journalsOf(options.apiGroup);
    const resource = type.plural;
    const unreadable = (): void => metrics.objectsUnreadable.inc({ resource });
    this.journals = new FirstList({
      ...{ client, clock, log, type, unreadable },
      listed: () => metrics.lists.inc({ resource }),
      item: (raw) => {
        if (!this.#to.journals.found(parseJournal(raw))) unreadable();
      },
    });
    const journalChanges: Changes<Metadata> = {
      changed: (journal) => {
        this.#to.journals.changed(journal);
      },
      deleted: (journal) => {
        this.#to.journals.vanished(journal);
      },
    };
    this.#journalMetadata = reflectorOf(options, type, identityOf, { ...QUIET, ...journalChanges }, true);
    const cloudProviders = reflectorOf(options, cloudProvidersOf(planResource), parseCloudProvider, QUIET);
    const k8sClusters = reflectorOf(options, k8sClustersOf(planResource), parseK8SCluster, QUIET);
    this.connectors = {
      cloudProvider: (namespace, name) => cloudProviders.get(namespace, name),
      k8sCluster: (namespace, name) => k8sClusters.get(namespace, name),
    };
    this.#first = [this.notifications, cloudProviders, k8sClusters];
  }

  /** Whether a notification lists this sink. */
  lists({ namespace, notification, sink }: SinkAddress): boolean {
    return this.notifications.get(namespace, notification)?.sinks.some(({ name }) => name === sink) === true;
  }

  /** For `/readyz`: why a resource is not watched. */
  get checks(): Checks {
    const checkOf = (all: readonly Watched[]) => () =>
      all.map(troubleOf).find((trouble) => trouble !== undefined);
    return Object.fromEntries(Object.entries(this.#needed).map(([name, all]) => [name, checkOf(all)]));
  }

  /** The resource that cannot be watched, and why; undefined: all are watched or being listed. */
  get failing(): string | undefined {
    for (const [name, all] of Object.entries(this.#needed)) {
      const found = all.find(({ state }) => state === 'failing');
      if (found !== undefined) return `${name}: ${troubleOf(found)}`;
    }
    return undefined;
  }

  /** All of them are needed to derive events. */
  get #needed(): Readonly<Record<string, readonly Watched[]>> {
    const { notifications, journals, plans } = this;
    return { notifications: [notifications], journals: [journals, this.#journalMetadata], plans: [plans] };
  }

  /** Starts to list and watch. Changes go to these handlers. */
  start(handlers: WatchHandlers): void {
    this.#handlers = handlers;
    for (const reflector of this.#first) reflector.start();
  }

  async stop(): Promise<void> {
    const all = [...this.#first, this.journals, this.#journalMetadata, this.plans];
    await Promise.all(all.map((each) => each.stop()));
  }

  get #to(): WatchHandlers {
    if (this.#handlers === undefined) throw new Error('a change came before the start');
    return this.#handlers;
  }

  /** Notifications have been listed. */
  #listJournals(): void {
    this.journals.start((listed) => {
      this.#to.journals.allFound();
      this.#journalMetadata.start(listed);
      this.plans.start();
    });
  }
}

function reflectorOf<T extends Metadata>(
  { client, clock, log, metrics }: WatchesOptions,
  type: ResourceType,
  parse: (raw: unknown) => T,
  handler: ReflectorHandler<T>,
  metadataOnly = false,
): Reflector<T> {
  const resource = type.plural;
  const hooks: ReflectorHooks = {
    listed: () => metrics.lists.inc({ resource }),
    watchRestarted: (reason) => metrics.watchRestarts.inc({ resource, reason }),
    unreadable: () => metrics.objectsUnreadable.inc({ resource }),
  };
  return new Reflector({ client, type, metadataOnly, parse, handler, clock, log, hooks });
}

type Watched = Pick<Reflector<Metadata>, 'state' | 'error'>;

/** Why a resource is not watched; undefined: it is. */
function troubleOf({ state, error }: Watched): string | undefined {
  if (state === 'synced') return undefined;
  return state === 'starting' ? 'not listed yet' : (error ?? 'failing');
}

const QUIET = { changed: () => undefined, deleted: () => undefined, synced: () => undefined };

/** Calls handlers that exist only after the start. */
const forward = <T>(to: () => Changes<T>): Changes<T> => ({
  changed(object, previous) {
    to().changed(object, previous);
  },
  deleted(object) {
    to().deleted(object);
  },
});
