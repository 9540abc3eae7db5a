import { builtin, builtinStrategy } from './builtin.ts';
import { bindingSchema, roleSchema } from './builtin-schemas.ts';
import type { Json } from './json.ts';
import { isObject, listAt, textAt } from './json.ts';
import { checkPathSegment } from './names.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import type { Cause } from './schema/cause.ts';
import { forbidden, invalid, notSupported, required } from './schema/cause.ts';
import { equalJson } from './schema/json-values.ts';
import { ageColumn, column, nameColumn } from './table.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

const common = { checkName: checkPathSegment, createOnUpdate: true };

function role(kind: 'Role' | 'ClusterRole'): Resource {
  const namespaced = kind === 'Role';
  return builtin(
    { group: RBAC_GROUP, version: 'v1', plural: `${kind.toLowerCase()}s`, kind, namespaced },
    [nameColumn, column('Created At', ({ metadata }) => metadata.creationTimestamp, { type: 'date' })],
    builtinStrategy(roleSchema, {
      ...common,
      validate: (object) =>
        listAt(object, 'rules').flatMap((rule, index) => ruleCauses(rule, `rules[${index}]`, namespaced)),
    }),
  );
}

/** `ValidatePolicyRule` of k8s.io/kubernetes. */
function ruleCauses(rule: Json, field: string, namespaced: boolean): Cause[] {
  const has = (name: string): boolean => listAt(rule, name).length > 0;
  const causes: Cause[] = [];
  if (!has('verbs')) causes.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  if (has('nonResourceURLs')) {
    const urls = [...listAt(rule, 'nonResourceURLs')];
    if (namespaced)
      causes.push(
        invalid(`${field}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs'),
      );
    if (['apiGroups', 'resources', 'resourceNames'].some(has))
      causes.push(
        invalid(
          `${field}.nonResourceURLs`,
          urls,
          'rules cannot apply to both regular resources and non-resource URLs',
        ),
      );
    return causes;
  }
  if (!has('apiGroups'))
    causes.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  if (!has('resources'))
    causes.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  return causes;
}

const subjectNames = (binding: KubeObject, kind: string): string =>
  listAt(binding, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === kind)
    .map((subject) =>
      kind === 'ServiceAccount'
        ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`
        : textAt(subject, 'name'),
    )
    .join(', ');

function binding(kind: 'RoleBinding' | 'ClusterRoleBinding'): Resource {
  const namespaced = kind === 'RoleBinding';
  return builtin(
    { group: RBAC_GROUP, version: 'v1', plural: `${kind.toLowerCase()}s`, kind, namespaced },
    [
      nameColumn,
      column('Role', (object) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`),
      ageColumn,
      column('Users', (object) => subjectNames(object, 'User'), { priority: 1 }),
      column('Groups', (object) => subjectNames(object, 'Group'), { priority: 1 }),
      column('ServiceAccounts', (object) => subjectNames(object, 'ServiceAccount'), { priority: 1 }),
    ],
    builtinStrategy(bindingSchema, {
      ...common,
      prepareCreate: defaultBinding,
      prepareUpdate: defaultBinding,
      validate: (object, old) => [
        ...roleRefCauses(object, old, namespaced),
        ...listAt(object, 'subjects').flatMap((subject, index) =>
          subjectCauses(subject, `subjects[${index}]`, namespaced),
        ),
      ],
    }),
  );
}

/** Users and groups are of RBAC's own group, as is the role. */
function defaultBinding(object: KubeObject): void {
  if (isObject(object.roleRef) && textAt(object.roleRef, 'apiGroup') === '')
    object.roleRef.apiGroup = RBAC_GROUP;
  for (const subject of listAt(object, 'subjects'))
    if (
      isObject(subject) &&
      textAt(subject, 'apiGroup') === '' &&
      textAt(subject, 'kind') !== 'ServiceAccount'
    )
      subject.apiGroup = RBAC_GROUP;
}

function roleRefCauses(object: KubeObject, old: KubeObject | undefined, namespaced: boolean): Cause[] {
  const { roleRef = null } = object;
  const [kind, name, group] = ['kind', 'name', 'apiGroup'].map((field) => textAt(roleRef, field));
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const causes: Cause[] = [];
  if (group !== RBAC_GROUP) causes.push(notSupported('roleRef.apiGroup', group ?? '', [RBAC_GROUP]));
  if (!kinds.includes(kind ?? '')) causes.push(notSupported('roleRef.kind', kind ?? '', kinds));
  if (name === '') causes.push(required('roleRef.name'));
  if (old && !equalJson(roleRef, old.roleRef ?? null))
    causes.push(invalid('roleRef', roleRef, 'cannot change roleRef'));
  return causes;
}

function subjectCauses(subject: Json, field: string, namespaced: boolean): Cause[] {
  const causes = textAt(subject, 'name') === '' ? [required(`${field}.name`)] : [];
  const group = textAt(subject, 'apiGroup');
  switch (textAt(subject, 'kind')) {
    case 'ServiceAccount':
      if (!namespaced && textAt(subject, 'namespace') === '') causes.push(required(`${field}.namespace`));
      return group === '' ? causes : [...causes, notSupported(`${field}.apiGroup`, group, [''])];
    case 'User':
    case 'Group':
      if (textAt(subject, 'namespace') !== '')
        causes.push(forbidden(`${field}.namespace`, 'may not be set for users and groups'));
      return group === RBAC_GROUP
        ? causes
        : [...causes, notSupported(`${field}.apiGroup`, group, [RBAC_GROUP])];
    default:
      return [
        ...causes,
        notSupported(`${field}.kind`, textAt(subject, 'kind'), ['ServiceAccount', 'User', 'Group']),
      ];
  }
}

/** Roles and bindings, which have an effect with `auth`. */
export const ROLES = role('Role');
export const CLUSTER_ROLES = role('ClusterRole');
export const ROLE_BINDINGS = binding('RoleBinding');
export const CLUSTER_ROLE_BINDINGS = binding('ClusterRoleBinding');

export const RBAC: readonly Resource[] = [CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES];
