import type { Notification } from '../resources/notification.ts';
import type { Plan } from '../resources/plan.ts';
import { NamespaceRoutes } from './namespace-routes.ts';

/**
 * Which notifications match which plan, both ways, within a namespace. Kept up to date change by change: a plan's
 * change looks only at notifications that name a label which it gained, lost or has, a notification's change only
 * at plans which have a label that it names. Only the counts are stored, not the pairs: there may be 10^8 of them.
 */
export class Routes {
  readonly #namespaces = new Map<string, NamespaceRoutes>();
  #plans = 0;
  #notifications = 0;
  #matches = 0;

  /** How many plans are known. */
  get plans(): number {
    return this.#plans;
  }

  /** How many notifications are known. */
  get notifications(): number {
    return this.#notifications;
  }

  /** How many pairs of a plan and a notification match. */
  get matches(): number {
    return this.#matches;
  }

  /** A new notification, or another state of a known one; a re-created one takes the old one's place. */
  setNotification(notification: Notification): void {
    const routes = this.#namespace(notification.namespace);
    if (!routes.hasNotification(notification.name)) this.#notifications++;
    this.#matches += routes.setNotification(notification);
  }

  deleteNotification(namespace: string, name: string): void {
    const routes = this.#namespaces.get(namespace);
    if (routes?.hasNotification(name) !== true) return;
    this.#notifications--;
    this.#matches -= routes.deleteNotification(name);
    this.#tidy(namespace, routes);
  }

  /** A new plan, or another state of a known one. Returns the notifications whose `matched` has changed by it. */
  setPlan({ namespace, name, labels }: Pick<Plan, 'namespace' | 'name' | 'labels'>): readonly Notification[] {
    const routes = this.#namespace(namespace);
    if (!routes.hasPlan(name)) this.#plans++;
    const { gained, lost } = routes.setPlan(name, labels);
    this.#matches += gained.length - lost.length;
    return [...gained, ...lost];
  }

  /** Returns the notifications whose `matched` has changed by it. */
  deletePlan(namespace: string, name: string): readonly Notification[] {
    const routes = this.#namespaces.get(namespace);
    if (routes?.hasPlan(name) !== true) return [];
    this.#plans--;
    const lost = routes.deletePlan(name);
    this.#matches -= lost.length;
    this.#tidy(namespace, routes);
    return lost;
  }

  /** The notifications that match a plan, by name; none for a plan that is not known. */
  for(namespace: string, plan: string): readonly Notification[] {
    return this.#namespaces.get(namespace)?.for(plan) ?? [];
  }

  /** How many plans a notification matches; 0 for one that is not known. */
  matched(namespace: string, notification: string): number {
    return this.#namespaces.get(namespace)?.matched(notification) ?? 0;
  }

  /** The notifications of a namespace that match no plan. */
  withoutPlan(namespace: string): readonly Notification[] {
    return this.#namespaces.get(namespace)?.withoutPlan ?? [];
  }

  /** Why a notification matches no plan, for a person; undefined for one that is not known. */
  unmatched(namespace: string, notification: string): string | undefined {
    return this.#namespaces.get(namespace)?.unmatched(notification);
  }

  #namespace(name: string): NamespaceRoutes {
    let routes = this.#namespaces.get(name);
    if (routes === undefined) this.#namespaces.set(name, (routes = new NamespaceRoutes()));
    return routes;
  }

  #tidy(name: string, routes: NamespaceRoutes): void {
    if (routes.isEmpty) this.#namespaces.delete(name);
  }
}
