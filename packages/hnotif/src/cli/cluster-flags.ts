import { Option, type Command } from 'commander';
import { formatResourceType, type ResourceType } from '@hnotif/core/resources';
import { apiGroupFlag, contextFlag, flag, planResourceFlag } from './shared-flags.ts';
import { namespace } from './values.ts';

/** The flags of every command that reads a cluster with the rights of its user. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Undefined: that of the context. */
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly apiGroup: string;
  readonly planResource?: ResourceType;
}

const OUTPUTS = ['table', 'wide', 'json', 'yaml', 'name'] as const;
export type OutputFormat = (typeof OUTPUTS)[number];

const GROUP = 'The cluster:';

/** Adds `ClusterFlags`. */
export function addClusterFlags(command: Command): Command {
  for (const option of [
    new Option('-n, --namespace <name>', 'the namespace (default: that of the context)').argParser(namespace),
    flag('--kubeconfig <file>', 'kubeconfig to use (default: KUBECONFIG, else ~/.kube/config)'),
    contextFlag(),
    apiGroupFlag('API group of hnotif’s own resources'),
    planResourceFlag(),
  ])
    command.addOption(option.helpGroup(GROUP));
  return command;
}

/** The arguments that name the same cluster to another command. */
export const clusterArguments = ({
  kubeconfig,
  context,
  apiGroup,
  planResource,
}: Pick<ClusterFlags, 'kubeconfig' | 'context' | 'apiGroup' | 'planResource'>): readonly string[] => [
  ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
  ...(context === undefined ? [] : ['--context', context]),
  ...['--api-group', apiGroup],
  ...(planResource === undefined ? [] : ['--plan-resource', formatResourceType(planResource)]),
];

export const allNamespacesFlag = (): Option =>
  new Option('-A, --all-namespaces', 'look in all namespaces').conflicts('namespace');

export const outputFlag = (formats: readonly OutputFormat[] = OUTPUTS): Option =>
  new Option('-o, --output <format>', 'how the result is printed').choices(formats).default('table');
