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

/** Where it happens, as `Account 210987654321`, each that is known, each once. */
export function scopesOf(source: Source, additional: readonly Scope[]): string[] {
  const connector = connectorOf(source);
  return [...new Set([...ALWAYS, ...additional])]
    .map((scope) => [LABELS[scope], name(valueOf(scope, connector, source.plan), 80)] as const)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label} ${value}`);
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

/** The connector that a message over many targets tells of: the changed target's, a failed one's, or any. */
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
