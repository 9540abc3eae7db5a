import type { ResourceType } from '../resources/group.ts';
import type { CallOptions, KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { isRaw, type Raw } from './objects.ts';

const TOKEN_REVIEWS: ResourceType = { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' };
const ACCESS_REVIEWS: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
};

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
  const ask = async (type: ResourceType, kind: string, spec: object): Promise<Raw> => {
    const apiVersion = `${type.group}/${type.version}`;
    const answer = await client.create(type, undefined, { apiVersion, kind, spec }, options);
    if (isRaw(answer) && isRaw(answer.status)) return answer.status;
    throw new KubeError(200, 'NotAReview', `${kind}: the answer has no status`);
  };
  const { authenticated, user } = await ask(TOKEN_REVIEWS, 'TokenReview', { token });
  if (authenticated !== true || !isRaw(user)) return 'unauthenticated';
  const { username, uid, groups, extra } = user;
  const subject = { user: username, uid, groups, extra };
  const { allowed } = await ask(ACCESS_REVIEWS, 'SubjectAccessReview', { ...subject, nonResourceAttributes });
  return allowed === true ? 'allowed' : 'forbidden';
}
