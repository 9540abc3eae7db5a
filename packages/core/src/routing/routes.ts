import type { Notification } from '../resources/notification.ts';
import type { Plan } from '../resources/plan.ts';
import { NamespaceRoutes } from './namespace-routes.ts';

/**
 * Which notifications match which plans of their namespace. Updated with each change: a change of a plan looks only at notifications that
 * name one of its labels, a change of a notification only at plans with a label that it names. Only counts are stored, not pairs: there may
 * be 10^8 pairs.
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

  /** The number of pairs of a plan and a notification that match. */
  get matches(): number {
    return this.#matches;
  }

  /** A new notification, or a new state of a known one. A re-created one replaces the old one. */
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

  /** A new plan, or a new state of a known one. Returns the notifications whose `matched` has changed. */
  setPlan({ namespace, name, labels }: Pick<Plan, 'namespace' | 'name' | 'labels'>): readonly Notification[] {
    const routes = this.#namespace(namespace);
    if (!routes.hasPlan(name)) this.#plans++;
    const { gained, lost } = routes.setPlan(name, labels);
    this.#matches += gained.length - lost.length;
    return [...gained, ...lost];
  }

  /** Returns the notifications whose `matched` has changed. */ deletePlan(
    namespace: string,
    name: string,
  ): readonly Notification[] {
    const routes = this.#namespaces.get(namespace);
    if (routes?.hasPlan(name) !== true) return [];
    this.#plans--;
    const lost = routes.deletePlan(name);
    this.#matches -= lost.length;
    this.#tidy(namespace, routes);
    return lost;
  }

  /** The notifications that match a plan, sorted by name; none for an unknown plan. */
  for(namespace: string, plan: string): readonly Notification[] {
    return this.#namespaces.get(namespace)?.for(plan) ?? [];
  }

  /** How many plans a notification matches; 0 for an unknown one. */
  matched(namespace: string, notification: string): number {
    return this.#namespaces.get(namespace)?.matched(notification) ?? 0;
  }

  /** The notifications of a namespace that match no plan. */
  withoutPlan(namespace: string): readonly Notification[] {
    return this.#namespaces.get(namespace)?.withoutPlan ?? [];
  }

  /** Why a notification matches no plan, as a message; undefined for an unknown one. */
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
