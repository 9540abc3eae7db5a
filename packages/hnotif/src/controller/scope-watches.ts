import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { KubeClient } from '../cluster/client.ts';
import {
  identityOf,
  parseCloudProvider,
  parseK8SCluster,
  type CloudProvider,
  type K8SCluster,
  cloudProvidersOf,
  journalsOf,
  k8sClustersOf,
  notificationsOf,
  type ResourceType,
  parseJournal,
  type Metadata,
  type NamespaceScope,
  type Notification,
  parseNotification,
  parsePlan,
  type Plan,
} from '@hnotif/core/resources';
import { Reflector } from '../cluster/reflector.ts';
import type { ReflectorHooks, ReflectorOptions } from '../cluster/reflector-options.ts';
import type { Changes } from '../cluster/store.ts';
import type { Cause } from '@hnotif/core/sinks';
import type { Journals } from '../journal/journals.ts';
import type { Metrics } from '../observe/metrics.ts';

export interface WatchDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly apiGroup: string;
  readonly planResource: ResourceType;
  /** Rejects with a `KubeError` if the notifications are those of another operator. */
  readonly ownKind: () => Promise<void>;
  /** Whether a namespace does not exist, as far as it can be asked. */
  readonly lacks: (namespace: string) => Promise<boolean>;
}

/** What changes do, and the ends of the first lists. */
export interface WatchHandlers {
  readonly notifications: Changes<Notification>;
  readonly plans: Changes<Plan>;
  readonly journals: Pick<Journals, 'found' | 'allFound' | 'changed' | 'vanished'>;
  /** Notifications, journals and plans of a scope have been listed. */
  readonly listed: (scope: NamespaceScope) => void;
}

/** They may be large. */
const JOURNALS_PER_PAGE = 100;

/** What is needed to derive events. */
export const NEEDED = ['notifications', 'journals', 'plans'] as const;
export type Needed = (typeof NEEDED)[number];

const NO_EVENT = 'no event is derived from plans';

/** What is missing while a resource is not watched, after the first lists. The worst comes first. */
const NOT_FOLLOWED: ReadonlyMap<Needed, { readonly reason: string; readonly lost: string }> = new Map([
  ['plans', { reason: 'PlansNotFollowed', lost: NO_EVENT }],
  ['notifications', { reason: 'NotificationsNotFollowed', lost: 'changes of notifications have no effect' }],
  ['journals', { reason: 'JournalsNotFollowed', lost: 'a deleted journal is not noticed' }],
]);

/** The reflectors of a scope. */
export class ScopeWatches {
  readonly notifications: Reflector<Notification>;
  readonly plans: Reflector<Plan>;
  readonly cloudProviders: Reflector<CloudProvider>;
  readonly k8sClusters: Reflector<K8SCluster>;
  /** After the first list only their metadata, to see when one is deleted. */
  readonly #journals: Reflector<Metadata>;
  /** Resolves when notifications, journals and plans have been listed. */
  readonly listed: Promise<void>;
  readonly #scope: NamespaceScope;
  readonly #deps: Pick<WatchDeps, 'log' | 'metrics' | 'lacks'>;
  /** Whether its namespace did not exist at the start. */
  #isMissing = false;
  #hasListed: () => void = () => undefined;
  #connectorsVersion = 0;

  constructor(deps: WatchDeps, scope: NamespaceScope) {
    const { apiGroup, ownKind, planResource } = deps;
    this.#scope = scope;
    this.#deps = deps;
    this.listed = new Promise((resolve) => (this.#hasListed = resolve));
    const watched = { ...deps, scope };
    this.plans = reflectorOf(watched, planResource, parsePlan);
    this.notifications = reflectorOf(watched, notificationsOf(apiGroup), parseNotification, {
      before: ownKind,
    });
    this.#journals = reflectorOf(watched, journalsOf(apiGroup), identityOf, {
      metadataOnly: true,
      pageSize: JOURNALS_PER_PAGE,
    });
    this.cloudProviders = reflectorOf(watched, cloudProvidersOf(planResource), parseCloudProvider);
    this.k8sClusters = reflectorOf(watched, k8sClustersOf(planResource), parseK8SCluster);
  }

  /**
   * Starts to list and watch, in this order: notifications, journals, plans. Events can be derived only when the subscribers and the events
   * sent so far are known. Connectors are listed at any time; until then their fields are empty.
   */
  start({ notifications, plans, journals, listed }: WatchHandlers): void {
    const startPlans = (): void => {
      this.plans.start({
        ...plans,
        synced: () => {
          listed(this.#scope);
          this.#hasListed();
          if (this.#scope !== undefined && this.#isEmpty) void this.#askFor(this.#scope);
        },
      });
    };
    const startJournals = (): void => {
      this.#journals.start({
        first: (raw) => {
          if (!journals.found(parseJournal(raw)))
            this.#deps.metrics.objectsUnreadable.inc({ resource: journalsOf('').plural });
        },
        changed: (journal) => {
          journals.changed(journal);
        },
        deleted: (journal) => {
          journals.vanished(journal);
        },
        synced: () => {
          journals.allFound(this.#scope);
          startPlans();
        },
      });
    };
    this.notifications.start({ ...notifications, synced: startJournals });
    const count = (): void => {
      this.#connectorsVersion++;
    };
    for (const connectors of [this.cloudProviders, this.k8sClusters])
      connectors.start({ changed: count, deleted: count });
  }

  /** Rises with each change of a connector. */
  get connectorsVersion(): number {
    return this.#connectorsVersion;
  }

  /** Why a resource is not watched; undefined: it is. */
  troubleOf(name: Needed): string | undefined {
    return troubleOf(this.#watched[name]);
  }

  /** What is missing while a resource cannot be watched, and why; undefined: all are watched or being listed. */
  get failing(): Cause | undefined {
    for (const [name, { reason, lost }] of NOT_FOLLOWED) {
      const found = this.#watched[name];
      // Plans are listed last.
      const missing = this.plans.synced ? lost : NO_EVENT;
      if (found.state === 'failing') return { reason, message: `${missing}: ${name}: ${troubleOf(found)}` };
    }
    return undefined;
  }

  /**
   * Whether its namespace did not exist at the start, and has nothing yet. Where rights are for the whole cluster, it can be listed and is
   * empty: a typing error would not be noticed.
   */
  get isMissing(): boolean {
    return this.#isMissing && this.#isEmpty;
  }

  /** Whether neither notifications nor plans are known. */
  get #isEmpty(): boolean {
    return [this.notifications, this.plans].every((each) => each.objects().next().done === true);
  }

  async #askFor(namespace: string): Promise<void> {
    const { log, lacks } = this.#deps;
    this.#isMissing = await lacks(namespace);
    if (this.#isMissing)
      log.warn(
        { namespace },
        'a namespace to watch does not exist: correct --watch-namespaces, or create it; then it is served',
      );
  }

  get #watched(): Readonly<Record<Needed, Watched>> {
    return { notifications: this.notifications, journals: this.#journals, plans: this.plans };
  }

  async stop(): Promise<void> {
    const { notifications, plans, cloudProviders, k8sClusters } = this;
    const all = [notifications, cloudProviders, k8sClusters, this.#journals, plans];
    await Promise.all(all.map((each) => each.stop()));
  }
}

function reflectorOf<T extends Metadata>(
  { client, clock, log, metrics, scope: namespace }: WatchDeps & { readonly scope: NamespaceScope },
  type: ResourceType,
  parse: (raw: unknown) => T,
  more: Pick<ReflectorOptions<T>, 'metadataOnly' | 'before' | 'pageSize'> = {},
): Reflector<T> {
  const resource = type.plural;
  const hooks: ReflectorHooks = {
    listed: () => metrics.lists.inc({ resource }),
    watchRestarted: (reason) => metrics.watchRestarts.inc({ resource, reason }),
    unreadable: () => metrics.objectsUnreadable.inc({ resource }),
  };
  return new Reflector({ client, type, namespace, parse, clock, log, hooks, ...more });
}

type Watched = Pick<Reflector<Metadata>, 'state' | 'error'>;

/** Why a resource is not watched; undefined: it is. */
function troubleOf({ state, error }: Watched): string | undefined {
  if (state === 'synced') return undefined;
  return state === 'starting' ? 'not listed yet' : (error ?? 'failing');
}
