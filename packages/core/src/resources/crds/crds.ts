import { cloudProviderCrd, k8sClusterCrd } from './connectors.ts';
import type { CustomResourceDefinition } from './definition.ts';
import { journalCrd } from './journal.ts';
import { notificationCrd } from './notification.ts';
import { planCrd } from './plan.ts';

/**
 * The CustomResourceDefinitions of an installation, for an API group. `withPlans` adds plans and connectors, which
 * otherwise come with the operator that owns them: leave it off where there is one, or its schema is overwritten.
 */
export function crds(
  group: string,
  { withPlans }: { readonly withPlans: boolean },
): CustomResourceDefinition[] {
  const own = [notificationCrd(group), journalCrd(group)];
  return withPlans ? [...own, planCrd(group), cloudProviderCrd(group), k8sClusterCrd(group)] : own;
}
