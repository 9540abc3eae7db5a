import { Option } from 'commander';
import { DEFAULT_API_GROUP } from '@hnotif/core/resources';
import { apiGroup, labelText, planResource } from './values.ts';

/** The environment variable of a flag: that of `--api-group` is `HNOTIF_API_GROUP`. */
export const variableOf = (option: Option): string =>
  `HNOTIF_${option.name().replaceAll('-', '_').toUpperCase()}`;

/** A flag with an environment variable. */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(variableOf(option));
}

/** All commands must agree on the API group, so all read it from the same flag. */
export const apiGroupFlag = (description: string): Option =>
  flag('--api-group <group>', description).argParser(apiGroup).default(DEFAULT_API_GROUP);

export const planResourceFlag = (): Option =>
  flag(
    '--plan-resource <resource>',
    'the plan resource, as PLURAL.VERSION.GROUP (default: hibernateplans.v1alpha1 of the API group), such as hibernateplans.v1alpha1.hibernator.ardikabs.com; connectors are read from its group',
  ).argParser(planResource);

export const clusterNameFlag = (): Option =>
  flag(
    '--cluster-name <name>',
    'name of the cluster in the heading of each message, as .Cluster in templates, and in webhook payloads; set it if one channel serves several clusters (default: none)',
  ).argParser(labelText);

export const contextFlag = (): Option =>
  flag('--context <name>', 'context of the kubeconfig (default: its current context)');

/** The usual port of the page. */
export const UI_PORT = 8082;
