import { createHash } from 'node:crypto';
import { API_VERSION } from '../objects.ts';

/** The number of objects of each kind, and of namespaces. */
export interface Scale {
  readonly plans: number;
  readonly namespaces: number;
  /** Nights and mornings in a plan's history. Operators keep five. */
  readonly cycles: number;
  /** The targets of each plan, at most ten. */
  readonly targets: number;
}

export { API_VERSION as API };
/** Plans of one application. */
const PER_APP = 10;
const ENVIRONMENTS = ['dev', 'staging', 'preprod', 'production'];

export const namespaceOf = (index: number, { namespaces }: Pick<Scale, 'namespaces'>): string =>
  `team-${index % namespaces}`;
/** The application is the same with any number of namespaces. */
export const appOf = (index: number): string => `app-${index % 100}-${Math.floor(index / 100 / PER_APP)}`;
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
export const uidOf = (text: string): string =>
  hash(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

export const labelsOf = (index: number): Record<string, string> => ({
  team: `team-${index % 100}`,
  app: appOf(index),
  environment: ENVIRONMENTS[(index % 7) % 4] ?? 'dev',
  'app.kubernetes.io/managed-by': 'argocd',
  'app.kubernetes.io/instance': `hibernation-${index}`,
});
