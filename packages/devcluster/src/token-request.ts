import type { Json, JsonObject } from './json.ts';
import { dig, isObject, textAt } from './json.ts';
import type { KubeObject } from './object.ts';
import { invalid as invalidField } from './schema/cause.ts';
import { badRequest, invalid } from './status.ts';

/** Creates a token of a user, valid until this time (milliseconds since the epoch). */
export type Issue = (user: string, expiresAt: number) => string;

const LEAST_S = 600;
const MOST_S = 2 ** 32;
const DEFAULT_S = 3600;
const TYPE = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' } as const;

/**
 * Answers `serviceaccounts/NAME/token`. Audiences are ignored.
 *
 * @throws ApiError 400 or 422
 */
export function requestToken(account: KubeObject, body: Json, issue: Issue, now: number): JsonObject {
  if (!isObject(body) || ![TYPE.kind, ''].includes(textAt(body, 'kind')))
    throw badRequest('the body is not a TokenRequest');
  const asked = dig(body, 'spec', 'expirationSeconds') ?? DEFAULT_S;
  const field = 'spec.expirationSeconds';
  const refuse = (why: string): Error =>
    invalid({ group: 'authentication.k8s.io', kind: TYPE.kind }, account.metadata.name, [
      invalidField(field, asked, why),
    ]);
  if (typeof asked !== 'number' || asked < LEAST_S)
    throw refuse('may not specify a duration less than 10 minutes');
  if (asked > MOST_S) throw refuse('may not specify a duration larger than 2^32 seconds');
  const { name, namespace = '' } = account.metadata;
  const expiresAt = now + asked * 1000;
  return {
    ...TYPE,
    metadata: { name, namespace, creationTimestamp: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z') },
    spec: { audiences: [], expirationSeconds: asked, boundObjectRef: null },
    status: {
      token: issue(`system:serviceaccount:${namespace}:${name}`, expiresAt),
      expirationTimestamp: new Date(expiresAt).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
  };
}
