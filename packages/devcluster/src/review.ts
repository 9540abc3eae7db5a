import type { May } from './authorize.ts';
import { builtin, builtinStrategy } from './builtin.ts';
import { accessReviewSchema } from './builtin-schemas.ts';
import { decode } from './decode.ts';
import type { Json } from './json.ts';
import { dig, isObject, textAt } from './json.ts';
import type { Resource } from './resource.ts';
import type { Question } from './rule.ts';
import { invalid as invalidField } from './schema/cause.ts';
import { invalid } from './status.ts';
import { nameColumn } from './table.ts';

/** What `kubectl auth can-i` asks. */
export const REVIEWS: readonly Resource[] = [
  builtin(
    {
      group: 'authorization.k8s.io',
      version: 'v1',
      plural: 'selfsubjectaccessreviews',
      kind: 'SelfSubjectAccessReview',
      namespaced: false,
      review: true,
    },
    [nameColumn],
    builtinStrategy(accessReviewSchema, {}),
  ),
];

/**
 * Answers a SelfSubjectAccessReview, as JSON.
 *
 * @throws ApiError 400 or 422
 */
export function review(resource: Resource, body: Json, may: May): string {
  const { object } = decode(resource, body);
  const { allowed, reason } = may(questionOf(resource, object.spec ?? null));
  return JSON.stringify({ ...object, status: { allowed, ...(reason !== '' && { reason }) } });
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
