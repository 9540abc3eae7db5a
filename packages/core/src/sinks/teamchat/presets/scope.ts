import { shownOf, type Source } from '../../../render/context.ts';
import { type Connector, NO_CONNECTOR } from '../../../resources/connectors.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import { name } from '../mrkdwn.ts';
import type { Scope } from '../types.ts';

const LABELS: Readonly<Record<Scope, string>> = {
  account: 'Account',
  cluster: 'Cluster',
  environment: 'Environment',
  region: 'Region',
  project: 'Project',
  provider: 'Provider',
  connector: 'Connector',
};

/** Always there; `additional_scopes` come after them. */
const ALWAYS: readonly Scope[] = ['account', 'cluster'];

/** The known scopes, such as `Account 210987654321 and 1 more`, each once. */
export function scopesOf(source: Source, additional: readonly Scope[]): string[] {
  const connector = connectorOf(source);
  const others = othersOf(source);
  return [...new Set([...ALWAYS, ...additional])]
    .map((scope) => {
      const value = valueOf(scope, connector, source.plan);
      return [LABELS[scope], name(value, 80), others(scope, value)] as const;
    })
    .filter(([, value]) => value !== '')
    .map(([label, value, more]) => `${label} ${value}${more}`);
}

/** Connectors that are counted at most: a plan may have thousands of targets. */
const MOST_CONNECTORS = 500;

/** How many more values of a scope the targets have: ` and 1 more`; `''` for none. */
function othersOf({ event, plan }: Source): (scope: Scope, shown: string) => string {
  if (event.kind === 'ExecutionProgress') return () => '';
  const looked = event.targets.slice(0, MOST_CONNECTORS).map((target) => plan.connector(target.name));
  const atLeast = event.targets.length > MOST_CONNECTORS ? 'at least ' : '';
  return (scope, shown) => {
    if (scope === 'environment') return '';
    const values = new Set(looked.map((connector) => valueOf(scope, connector, plan)));
    const more = [...values].filter((value) => value.trim() !== '' && value !== shown).length;
    return more === 0 ? '' : ` and ${atLeast}${more} more`;
  };
}

function valueOf(scope: Scope, connector: Connector, plan: PlanView): string {
  switch (scope) {
    case 'account':
      return connector.accountId;
    case 'cluster':
      return connector.clusterName;
    case 'region':
      return connector.region;
    case 'project':
      return connector.projectId;
    case 'provider':
      return connector.provider;
    case 'connector':
      return connector.name;
    case 'environment':
      return environmentOf(plan);
  }
}

/** Under the names that people use, the labels first. */
function environmentOf({ labels, annotations }: PlanView): string {
  const values = [labels, annotations].flatMap((map) =>
    ['env', 'environment'].map((key) => (Object.hasOwn(map, key) ? map[key] : undefined)),
  );
  return values.find((value) => value !== undefined && value.trim() !== '') ?? '';
}

/** The connector to show: the changed target's, a failed target's, or the first known one. */
function connectorOf({ event, plan }: Source): Connector {
  const { target } = shownOf(event);
  if (target !== undefined) return plan.connector(target.name);
  const failed = event.targets.filter(({ state }) => state === 'Failed').slice(0, 1);
  for (const { name: candidate } of [...failed, ...event.targets]) {
    const connector = plan.connector(candidate);
    if (Object.values<string>({ ...connector }).some((value) => value !== '')) return connector;
  }
  return NO_CONNECTOR;
}
