import { type ResourceType, isRaw, type Raw } from '@hnotif/core/resources';
import type { CallOptions } from './api-requests.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';

const TOKEN_REVIEWS: ResourceType = { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' };
const ACCESS_REVIEWS: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
};

const SELF_REVIEWS: ResourceType = { ...ACCESS_REVIEWS, plural: 'selfsubjectaccessreviews' };

/** `unauthenticated`: the API server does not know the token. */
export type TokenVerdict = 'allowed' | 'forbidden' | 'unauthenticated';

/**
 * Asks the API server whose token it is (TokenReview) and whether that user may `verb` the path (SubjectAccessReview for a
 * `nonResourceURL`), as kube-rbac-proxy does. Rejects with a `KubeError`.
 */
export async function reviewToken(
  client: Pick<KubeClient, 'create'>,
  token: string,
  nonResourceAttributes: { readonly path: string; readonly verb: string },
  options: CallOptions,
): Promise<TokenVerdict> {
  const { authenticated, user } = await review(client, TOKEN_REVIEWS, 'TokenReview', { token }, options);
  if (authenticated !== true || !isRaw(user)) return 'unauthenticated';
  const { username, uid, groups, extra } = user;
  const subject = { user: username, uid, groups, extra };
  const spec = { ...subject, nonResourceAttributes };
  const { allowed } = await review(client, ACCESS_REVIEWS, 'SubjectAccessReview', spec, options);
  return allowed === true ? 'allowed' : 'forbidden';
}

/** Asks the API server whether the client's own user may do this, as `kubectl auth can-i` does. Rejects with a `KubeError`. */
export async function mayI(
  client: Pick<KubeClient, 'create'>,
  verb: string,
  { group, plural: resource }: ResourceType,
  namespace: string,
): Promise<boolean> {
  const spec = { resourceAttributes: { verb, group, resource, namespace } };
  const { allowed } = await review(client, SELF_REVIEWS, 'SelfSubjectAccessReview', spec);
  return allowed === true;
}

/** What a user may do with a resource: `resource` may have a subresource, `namespace` is `''` for all, `name` is undefined for any. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name?: string | undefined;
}

/** Asks the API server whether another user may do this, as `kubectl auth can-i --as` does. Rejects with a `KubeError`. */
export async function mayUser(
  client: Pick<KubeClient, 'create'>,
  user: string,
  { resource, ...rest }: Access,
  options?: CallOptions,
): Promise<boolean> {
  const [plural, subresource] = resource.split('/');
  const resourceAttributes = { ...rest, resource: plural, ...(subresource !== undefined && { subresource }) };
  const spec = { user, groups: groupsOf(user), resourceAttributes };
  const { allowed } = await review(client, ACCESS_REVIEWS, 'SubjectAccessReview', spec, options);
  return allowed === true;
}

/** The groups of a service account, which a review does not add. */
function groupsOf(user: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(user) ?? [];
  const all = 'system:serviceaccounts';
  return namespace === undefined ? [] : [all, `${all}:${namespace}`, 'system:authenticated'];
}

/** The status of a review. */
async function review(
  client: Pick<KubeClient, 'create'>,
  type: ResourceType,
  kind: string,
  spec: object,
  options?: CallOptions,
): Promise<Raw> {
  const apiVersion = `${type.group}/${type.version}`;
  const answer = await client.create(type, undefined, { apiVersion, kind, spec }, options);
  if (isRaw(answer) && isRaw(answer.status)) return answer.status;
  throw new KubeError(200, 'NotAReview', `${kind}: the answer has no status`);
}
