import type { Command } from 'commander';
import { crds } from '@hnotif/core/resources';
import { apiGroupFlag } from '../shared-flags.ts';
import type { Io } from '../io.ts';
import { toYaml } from '../format.ts';

export const define = (command: Command, io: Io): void => {
  command
    .description(DESCRIPTION)
    .addOption(
      apiGroupFlag('API group of hnotif’s own resources, not of the plans; run must use the same one'),
    )
    .option('--with-plans', 'add the plan and connector resources, for a cluster that has no operator', false)
    .action(({ apiGroup, withPlans }: { readonly apiGroup: string; readonly withPlans: boolean }) => {
      io.out(toYaml(crds(apiGroup, { withPlans })));
    });
};

const DESCRIPTION = [
  'Prints hnotif’s CustomResourceDefinitions as YAML: hnotif crds | kubectl apply -f -',
  'The plans of another operator keep their API group: leave --api-group out, and start hnotif run with --plan-resource=hibernateplans.v1alpha1.hibernator.ardikabs.com, for example.',
].join('\n\n');
