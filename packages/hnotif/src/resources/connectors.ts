/** Where a target lives; fields that do not apply are `''`. */
export interface Connector {
  /** `CloudProvider` or `K8SCluster`; other texts pass through. */
  readonly kind: string;
  readonly name: string;
  /** aws, gcp, … */
  readonly provider: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly region: string;
  readonly clusterName: string;
}

export const NO_CONNECTOR: Connector = {
  kind: '',
  name: '',
  provider: '',
  accountId: '',
  projectId: '',
  region: '',
  clusterName: '',
};
