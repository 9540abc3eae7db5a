import { isMissing } from '../cluster/namespace-check.ts';
import { checkOwnKind } from '../cluster/own-kind.ts';
import type { Checks, Finding } from '../observe/health.ts';
import { kept } from '../observe/kept.ts';
import type { Cause } from '@hnotif/core/sinks';
import {
  type ConnectorLookup,
  notificationsOf,
  type NamespaceScope,
  type Notification,
  type Plan,
  type SinkAddress,
} from '@hnotif/core/resources';
import { NEEDED, ScopeWatches, type Needed, type WatchDeps, type WatchHandlers } from './scope-watches.ts';

/** Finds an object; undefined: it is not known. */
interface Lookup<T> {
  get(namespace: string, name: string): T | undefined;
}

/** What is served is asked for once in this time, for all namespaces (milliseconds). */
const OWN_KIND_MS = 1_000;

/** So many namespaces are named in one line. */
const NAMED = 3;

/**
 * What is watched: all namespaces together, or each of some namespaces. Plans, notifications and journals of one namespace need nothing of
 * another one, so a namespace that cannot be watched does not delay the others.
 */
export class Watches {
  readonly notifications: Lookup<Notification>;
  readonly plans: Lookup<Plan>;
  readonly connectors: ConnectorLookup;
  readonly #scopes: ReadonlyMap<NamespaceScope, ScopeWatches>;
  readonly #stop = new AbortController();

  /** `namespaces`: those to watch; empty: all. */
  constructor(deps: Omit<WatchDeps, 'ownKind' | 'lacks'> & { readonly namespaces: readonly string[] }) {
    const { apiGroup, client, clock, namespaces } = deps;
    const scopes: readonly NamespaceScope[] = namespaces.length === 0 ? [undefined] : namespaces;
    const ownKind = kept(clock, OWN_KIND_MS, () =>
      checkOwnKind(client, notificationsOf(apiGroup), this.#stop.signal),
    );
    const lacks = (namespace: string): Promise<boolean> => isMissing(client, namespace, this.#stop.signal);
    this.#scopes = new Map(
      scopes.map((scope) => [scope, new ScopeWatches({ ...deps, ownKind, lacks }, scope)]),
    );
    this.notifications = {
      get: (namespace, name) => this.#of(namespace)?.notifications.get(namespace, name),
    };
    this.plans = { get: (namespace, name) => this.#of(namespace)?.plans.get(namespace, name) };
    const all = this.#scopes;
    this.connectors = {
      get version() {
        let version = 0;
        for (const { connectorsVersion } of all.values()) version += connectorsVersion;
        return version;
      },
      cloudProvider: (namespace, name) => this.#of(namespace)?.cloudProviders.get(namespace, name),
      k8sCluster: (namespace, name) => this.#of(namespace)?.k8sClusters.get(namespace, name),
    };
  }

  /** Resolves when notifications, journals and plans of all namespaces have been listed. */
  async allListed(): Promise<void> {
    await Promise.all([...this.#scopes.values()].map(({ listed }) => listed));
  }

  /** Resolves when those of this namespace have been listed. */
  async whenListed(namespace: string): Promise<void> {
    await this.#of(namespace)?.listed;
  }

  /** Whether the first list of a resource has all objects of this namespace. */
  isListed(resource: 'notifications' | 'plans', namespace: string): boolean {
    return this.#of(namespace)?.[resource].synced === true;
  }

  /** Whether a notification lists this sink. */
  lists({ namespace, notification, sink }: SinkAddress): boolean {
    return this.notifications.get(namespace, notification)?.sinks.some(({ name }) => name === sink) === true;
  }

  /** For `/readyz`: why a resource is not watched. A namespace that fails leaves it green if another namespace is served. */
  get checks(): Checks {
    const missing = [...this.#scopes].filter(([, { isMissing }]) => isMissing).map(([scope]) => scope);
    return {
      ...Object.fromEntries(NEEDED.map((name) => [name, () => this.#finding(name)])),
      // Green: a namespace may be created later.
      ...(missing.length > 0 && {
        namespaces: () => ({ ok: true, words: `${missing.join(', ')} did not exist at the start` }),
      }),
    };
  }

  /** The scopes in which a resource cannot be watched, what is missing, and why. */
  get failing(): ReadonlyMap<NamespaceScope, Cause> {
    const failing = new Map<NamespaceScope, Cause>();
    for (const [scope, { failing: trouble }] of this.#scopes)
      if (trouble !== undefined) failing.set(scope, trouble);
    return failing;
  }

  /** Starts to list and watch. Changes go to these handlers. */
  start(handlers: WatchHandlers): void {
    for (const scope of this.#scopes.values()) scope.start(handlers);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#scopes.values()].map((scope) => scope.stop()));
  }

  #of(namespace: string): ScopeWatches | undefined {
    return this.#scopes.get(namespace) ?? this.#scopes.get(undefined);
  }

  #finding(name: Needed): Finding {
    const all = [...this.#scopes].map(([scope, watches]) => ({
      ...{ scope, trouble: watches.troubleOf(name), isFailing: watches.failing !== undefined },
    }));
    const troubled = all.filter(({ trouble }) => trouble !== undefined);
    const [first] = troubled;
    if (first?.scope === undefined) return first?.trouble;
    const ok = troubled.length < all.length && troubled.every(({ isFailing }) => isFailing);
    const named = troubled.slice(0, NAMED).map(({ scope, trouble }) => `${scope}: ${trouble}`);
    if (troubled.length > NAMED) named.push(`and ${troubled.length - NAMED} more`);
    const except = `ok in ${all.length - troubled.length} of ${all.length} namespaces, not in `;
    return { ok, words: (all.length === 1 ? '' : except) + named.join('; ') };
  }
}
