import type { RequestInfo } from './request-info.ts';
import type { Json } from './json.ts';
import { listAt } from './json.ts';

/** A question about rights: of a request, or of an access review. */
export type Question = Pick<
  RequestInfo,
  'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name' | 'path'
>;

/** Whether a rule of a role allows it (`RuleAllows` of k8s.io/kubernetes). */
export function allows(rule: Json, question: Question): boolean {
  const { verb, group, resource, subresource, name } = question;
  const has = (field: string, ...values: readonly string[]): boolean =>
    listAt(rule, field).some((value) => typeof value === 'string' && values.includes(value));
  if (!has('verbs', '*', verb)) return false;
  if (resource === undefined)
    return listAt(rule, 'nonResourceURLs').some((url) => covers(url, question.path));
  const resources = subresource === '' ? [resource] : [`${resource}/${subresource}`, `*/${subresource}`];
  const names = listAt(rule, 'resourceNames');
  return (
    has('apiGroups', '*', group) &&
    has('resources', '*', ...resources) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
}

/** `/healthz`, or `/api/*` for all below. */
const covers = (url: Json, path: string): boolean =>
  typeof url === 'string' && (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : path === url);
