import { deployed } from '../../../rights.ts';
import type { Case, Seen } from '../case.ts';

export const install: Case = {
  name: 'install',
  about:
    'deploy/, object by object. The CRDs and the base are created before the first case: without them no case can run.',
  run: async ({ ground }) => {
    const seen: Seen[] = [];
    const objects = [
      ...(await ground.base()).filter(({ kind }) => kind === 'Deployment'),
      ...(await deployed('tenant-roles.yaml')).map((object) => ground.renamed(object)),
    ];
    for (const object of objects) {
      const answer = await ground
        .tried(object)
        .then(() => 'taken')
        .catch((error: unknown) =>
          String(error).includes('no matches for kind') ? 'unknown kind' : String(error),
        );
      seen.push([`dry run of ${object.kind} ${object.metadata.name.replace(ground.run, 'RUN')}`, answer]);
    }
    const account = `system:serviceaccount:${ground.system}:hnotif`;
    for (const [verb, resource] of MAY) {
      const { status } = await ground.plane.kube.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' },
        spec: { user: account, resourceAttributes: { verb, ...resource, namespace: ground.system } },
      });
      const { allowed } = status as { readonly allowed: boolean };
      seen.push([`may ${verb} ${resource.resource}`, String(allowed)]);
    }
    return seen;
  },
};

const group = 'hibernation.dev';
const MAY = [
  ['watch', { group, resource: 'hibernateplans' }],
  ['patch', { group, resource: 'hibernatenotifications', subresource: 'status' }],
  ['update', { group, resource: 'hibernatenotifications' }],
  ['create', { group, resource: 'hibernatenotificationjournals' }],
  ['get', { group: '', resource: 'secrets' }],
  ['list', { group: '', resource: 'secrets' }],
  ['create', { group: 'coordination.k8s.io', resource: 'leases' }],
  ['delete', { group: 'coordination.k8s.io', resource: 'leases' }],
] as const;
