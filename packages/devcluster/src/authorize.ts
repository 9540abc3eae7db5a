import type { Json } from './json.ts';
import { dig, listAt, textAt } from './json.ts';
import type { KubeObject } from './object.ts';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, RBAC_GROUP, ROLE_BINDINGS, ROLES } from './rbac.ts';
import { keyOf, resourceId } from './resource.ts';
import type { Question } from './rule.ts';
import { allows } from './rule.ts';
import { ApiError } from './status.ts';
import type { Store } from './store.ts';
import type { User } from './users.ts';

/** Where bindings and roles are. */
interface Stored {
  readonly store: Store;
}

export interface Decision {
  readonly allowed: boolean;
  /** In the words of Kubernetes' RBAC authorizer; `''` without a reason. */
  readonly reason: string;
}

/** Decides what one user may do. */
export type May = (question: Question) => Decision;

/** For a server without authentication. */
export const everything: May = () => ({ allowed: true, reason: '' });

/** The rights of a user by the stored bindings and roles (role-based access control, as in k8s.io/kubernetes). */
export const rightsOf =
  (cluster: Stored, user: User): May =>
  (question) => {
    if (user.groups.includes('system:masters')) return { allowed: true, reason: '' };
    const missing: string[] = [];
    for (const grant of grantsTo(cluster, user, question.namespace)) {
      const role = roleOf(cluster, grant);
      if (!role)
        missing.push(`${grant.kind.toLowerCase()}.${RBAC_GROUP} ${JSON.stringify(grant.role)} not found`);
      else if (listAt(role, 'rules').some((rule) => allows(rule, question)))
        return { allowed: true, reason: `RBAC: allowed by ${describe(grant)}` };
    }
    const [first = ''] = missing;
    const reason = missing.length > 1 ? `[${missing.join(', ')}]` : first;
    return { allowed: false, reason: reason && `RBAC: ${reason}` };
  };

/** @throws ApiError 403 */
export function authorize(user: User, may: May, question: Question): void {
  const { allowed, reason } = may(question);
  if (allowed) return;
  const { group, resource = '', name = '' } = question;
  const why = reason === '' ? '' : `: ${reason}`;
  const what = resourceId(group, resource);
  const prefix = resource === '' ? '' : `${what}${name && ` ${JSON.stringify(name)}`} is `;
  throw new ApiError(403, 'Forbidden', `${prefix}forbidden: ${complaint(user, question)}${why}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    ...(resource !== '' && { kind: resource }),
  });
}

function complaint({ name }: User, question: Question): string {
  const { verb, group, resource, subresource, namespace, path } = question;
  const [user, api] = [JSON.stringify(name), JSON.stringify(group)];
  if (resource === undefined) return `User ${user} cannot ${verb} path ${JSON.stringify(path)}`;
  const what = JSON.stringify(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
  return `User ${user} cannot ${verb} resource ${what} in API group ${api} ${where}`;
}

/** A binding that applies to a user. */
interface Grant {
  readonly binding: KubeObject;
  readonly subject: Json;
  /** `Role` or `ClusterRole`, and its name. */
  readonly kind: string;
  readonly role: string;
}

function* grantsTo({ store }: Stored, user: User, namespace = ''): Generator<Grant> {
  const local = namespace === '' ? [] : store.each(ROLE_BINDINGS.id, namespace);
  for (const bindings of [store.each(CLUSTER_ROLE_BINDINGS.id), local])
    for (const binding of bindings) {
      const subject = listAt(binding, 'subjects').find((each) => isSubject(each, user, binding));
      if (subject === undefined) continue;
      const [kind, role] = [textAt(binding, 'roleRef', 'kind'), textAt(binding, 'roleRef', 'name')];
      yield { binding, subject, kind, role };
    }
}

function isSubject(subject: Json, { name, groups }: User, binding: KubeObject): boolean {
  const wanted = textAt(subject, 'name');
  switch (textAt(subject, 'kind')) {
    case 'User':
      return wanted === name;
    case 'Group':
      return groups.includes(wanted);
    case 'ServiceAccount':
      return `system:serviceaccount:${namespaceOf(subject, binding)}:${wanted}` === name;
    default:
      return false;
  }
}

/** The namespace of a service account. Default: that of the binding. */
const namespaceOf = (subject: Json, { metadata }: KubeObject): string =>
  textAt(subject, 'namespace') || (metadata.namespace ?? '');

function roleOf({ store }: Stored, { binding, kind, role }: Grant): Json | undefined {
  return kind === 'Role'
    ? store.get(ROLES.id, keyOf(binding.metadata.namespace, role))
    : store.get(CLUSTER_ROLES.id, role);
}

function describe({ binding, subject, kind, role }: Grant): string {
  const { name, namespace } = binding.metadata;
  const [what, full] =
    namespace === undefined ? ['ClusterRoleBinding', name] : ['RoleBinding', `${name}/${namespace}`];
  const isAccount = dig(subject, 'kind') === 'ServiceAccount';
  const who = textAt(subject, 'name') + (isAccount ? `/${namespaceOf(subject, binding)}` : '');
  return `${what} ${JSON.stringify(full)} of ${kind} ${JSON.stringify(role)} to ${textAt(subject, 'kind')} ${JSON.stringify(who)}`;
}
