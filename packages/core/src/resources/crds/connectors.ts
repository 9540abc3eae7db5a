import { cloudProvidersOf, defaultPlanResource, k8sClustersOf } from '../group.ts';
import { customResource, type CustomResourceDefinition } from './definition.ts';
import { flag, labelName, object, objectName, text, time, type Schema } from './schema.ts';

const STATUS: Schema = object('Whether the connector works; written by the plans’ operator alone.', {
  ready: flag('Whether it can be used.'),
  message: text('Details for a person.', 32768),
  lastValidated: time('When that was last tried.'),
  clusterType: text('eks, gke or k8s.', 16),
});

/** Credentials and the like: not hnotif's business, kept as they are. */
const opaque = (description: string): Schema => ({
  description,
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
});

const CLOUD_PROVIDER = object(
  'An account with a cloud provider.',
  {
    type: text('The provider.', 16, { enum: ['aws', 'gcp'] }),
    aws: object(
      'For aws: the account.',
      {
        accountId: text('Id of the account.', 32, { minLength: 1 }),
        region: text('Region, such as ap-southeast-3.', 64, { minLength: 1 }),
        assumeRoleArn: text('Role to take on.', 2048),
        auth: opaque('How to sign in.'),
      },
      { required: ['accountId', 'region'] },
    ),
    gcp: object('For gcp: the project.', {
      projectId: text('Id of the project.', 64, { minLength: 1 }),
      region: text('Region, such as asia-southeast2.', 64),
      auth: opaque('How to sign in.'),
    }),
  },
  { required: ['type'] },
);

const K8S_CLUSTER = object('A Kubernetes cluster.', {
  providerRef: object(
    'The cloud account it belongs to.',
    {
      name: objectName('Name of the CloudProvider.'),
      namespace: labelName('Its namespace; the cluster’s own when left out.'),
    },
    { required: ['name'] },
  ),
  eks: object(
    'For a cluster of aws.',
    { name: text('Name of the cluster.', 100, { minLength: 1 }), region: text('Its region.', 64) },
    { required: ['name', 'region'] },
  ),
  gke: object(
    'For a cluster of gcp.',
    {
      name: text('Name of the cluster.', 100, { minLength: 1 }),
      project: text('Its project.', 64),
      location: text('Its zone or region.', 64),
    },
    { required: ['name', 'project', 'location'] },
  ),
  k8s: object('For any other cluster: how to reach it.', {
    inCluster: flag('Whether it is the cluster in which the operator runs.'),
    kubeconfigRef: opaque('The secret that holds a kubeconfig.'),
  }),
});

const ready = {
  name: 'Ready',
  type: 'boolean',
  jsonPath: '.status.ready',
  description: 'Whether it can be used.',
} as const;

/** The CRD of `CloudProvider`, for clusters without an operator that brings its own. */
export const cloudProviderCrd = (group: string): CustomResourceDefinition =>
  customResource(group, {
    kind: 'CloudProvider',
    plural: cloudProvidersOf(defaultPlanResource(group)).plural,
    shortNames: [],
    description: 'An account with a cloud provider, in which targets of plans live.',
    spec: CLOUD_PROVIDER,
    status: STATUS,
    columns: [{ name: 'Type', type: 'string', jsonPath: '.spec.type', description: 'The provider.' }, ready],
  });

/** The CRD of `K8SCluster`, for clusters without an operator that brings its own. */
export const k8sClusterCrd = (group: string): CustomResourceDefinition =>
  customResource(group, {
    kind: 'K8SCluster',
    plural: k8sClustersOf(defaultPlanResource(group)).plural,
    shortNames: [],
    description: 'A Kubernetes cluster in which targets of plans live.',
    spec: K8S_CLUSTER,
    status: STATUS,
    columns: [
      { name: 'Type', type: 'string', jsonPath: '.status.clusterType', description: 'eks, gke or k8s.' },
      ready,
    ],
  });
