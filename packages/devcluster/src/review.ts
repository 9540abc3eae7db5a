import type { May } from './authorize.ts';
import { builtin, builtinStrategy } from './builtin.ts';
import {
  accessReviewSchema,
  selfAccessReviewSchema,
  selfReviewSchema,
  tokenReviewSchema,
} from './builtin-schemas.ts';
import { decode } from './decode.ts';
import type { Json, JsonObject } from './json.ts';
import { dig, isObject, listAt, textAt } from './json.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import type { Question } from './rule.ts';
import { invalid as invalidField } from './schema/cause.ts';
import { invalid } from './status.ts';
import { nameColumn } from './table.ts';
import type { User } from './users.ts';

/** The sources for the answers to reviews. */
export interface Reviewer {
  /** The caller. */
  readonly user: User;
  /** What the caller may do. */
  readonly may: May;
  /** What another user may do. */
  readonly mayOf: (user: User) => May;
  /** The user of a token; undefined for an invalid one. */
  readonly userOf: (token: string) => User | undefined;
}

const reviewOf = (group: string, plural: string, kind: string, schema: JsonObject): Resource =>
  builtin(
    { group, version: 'v1', plural, kind, namespaced: false, review: true },
    [nameColumn],
    builtinStrategy(schema, {}),
  );

const AUTHORIZATION = 'authorization.k8s.io';

/** The request of `kubectl auth can-i`. */
const SELF_ACCESS = reviewOf(
  AUTHORIZATION,
  'selfsubjectaccessreviews',
  'SelfSubjectAccessReview',
  selfAccessReviewSchema,
);

/** The request of a server about its own callers. */
const ACCESS = reviewOf(AUTHORIZATION, 'subjectaccessreviews', 'SubjectAccessReview', accessReviewSchema);
const TOKEN = reviewOf('authentication.k8s.io', 'tokenreviews', 'TokenReview', tokenReviewSchema);

/** The request of `kubectl auth whoami`. */
const SELF = reviewOf('authentication.k8s.io', 'selfsubjectreviews', 'SelfSubjectReview', selfReviewSchema);

export const REVIEWS: readonly Resource[] = [SELF_ACCESS, ACCESS, TOKEN, SELF];

/**
 * Answers a review, as JSON.
 *
 * @throws ApiError 400 or 422
 */
export function review(resource: Resource, body: Json, reviewer: Reviewer): string {
  const { object } = decode(resource, body);
  return JSON.stringify({ ...object, status: statusOf(resource, object, reviewer) });
}

function statusOf(
  resource: Resource,
  { spec = null }: KubeObject,
  { user: caller, may, mayOf, userOf }: Reviewer,
): JsonObject {
  if (resource === SELF) return { userInfo: userInfo(caller) };
  if (resource === TOKEN) {
    const user = userOf(textAt(spec, 'token'));
    if (user === undefined) return { authenticated: false, user: {}, error: 'invalid bearer token' };
    return { authenticated: true, user: userInfo(user) };
  }
  const question = questionOf(resource, spec);
  const { allowed, reason } = (resource === ACCESS ? mayOf(subjectOf(spec)) : may)(question);
  return { allowed, ...(reason !== '' && { reason }) };
}

const userInfo = ({ name, groups }: User): JsonObject => ({ username: name, groups: [...groups] });

function subjectOf(spec: Json): User {
  const [name, groups] = [textAt(spec, 'user'), listAt(spec, 'groups')];
  if (name === '' && groups.length === 0)
    throw invalid(ACCESS, '', [
      invalidField('spec.user', name, 'at least one of user or group must be specified'),
    ]);
  return { name, groups: groups.filter((group) => typeof group === 'string') };
}

function questionOf(resource: Resource, spec: Json): Question {
  const [one, other] = [dig(spec, 'resourceAttributes'), dig(spec, 'nonResourceAttributes')];
  if (isObject(one) === isObject(other))
    throw invalid(resource, '', [
      invalidField(
        'spec.resourceAttributes',
        one ?? null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ]);
  const said = one ?? other ?? null;
  const text = (field: string): string => textAt(said, field);
  return {
    verb: text('verb'),
    group: text('group'),
    version: text('version'),
    resource: one === undefined ? undefined : text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name') || undefined,
    path: text('path'),
  };
}
