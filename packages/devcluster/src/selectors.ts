import { dig } from './json.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import { badRequest } from './status.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';

export type Matcher = (object: KubeObject) => boolean;

const everything: Matcher = () => true;

/** Both selectors of a query combined; undefined if all objects match. */
export function matcherOf(resource: Resource, labels: string, fields: string): Matcher | undefined {
  if (labels === '' && fields === '') return undefined;
  const byLabel = labels === '' ? everything : labelMatcher(labels);
  const byField = fields === '' ? everything : fieldMatcher(resource, fields);
  return (object) => byLabel(object) && byField(object);
}

/**
 * Compiles a label selector: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, `a>1`, `a<1`, joined by
 * commas. As on a real server `!=` and `notin` match objects without the label.
 *
 * @throws ApiError 400
 */
function labelMatcher(selector: string): Matcher {
  const requirements = splitOutside(selector).map(requirement);
  return (object) => requirements.every((holds) => holds((key) => labelOf(object, key)));
}

type Requirement = (value: (key: string) => string | undefined) => boolean;

const SET = /^(\S+?)\s+(in|notin)\s*\(([^()]*)\)$/;
const COMPARE = /^([^\s=!<>()]+)\s*(==|=|!=|>|<)\s*([^\s=!<>()]*)$/;
const PRESENT = /^(!?)\s*([^\s=!<>()]+)$/;

function requirement(text: string): Requirement {
  const set = SET.exec(text);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    check(key, ...values);
    return operator === 'in'
      ? (value) => values.has(value(key) ?? '') && value(key) !== undefined
      : (value) => !values.has(value(key) ?? '') || value(key) === undefined;
  }
  const compare = COMPARE.exec(text);
  if (compare) return comparison(compare[1] ?? '', compare[2] ?? '', compare[3] ?? '');
  const present = PRESENT.exec(text);
  if (!present) throw badRequest(`unable to parse requirement: found '${text}', expected: identifier`);
  const [, not, key = ''] = present;
  check(key);
  return not ? (value) => value(key) === undefined : (value) => value(key) !== undefined;
}

function comparison(key: string, operator: string, wanted: string): Requirement {
  check(key, wanted);
  switch (operator) {
    case '!=':
      return (value) => value(key) !== wanted;
    case '>':
    case '<': {
      if (!/^-?\d+$/.test(wanted))
        throw badRequest(
          `values[0][${key}]: Invalid value: ${JSON.stringify(wanted)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        );
      const bound = BigInt(wanted);
      return (value) => {
        const found = value(key);
        if (found === undefined || !/^-?\d+$/.test(found)) return false;
        return operator === '>' ? BigInt(found) > bound : BigInt(found) < bound;
      };
    }
    default:
      return (value) => value(key) === wanted;
  }
}

function check(key: string, ...values: readonly string[]): void {
  const problems = [...checkQualifiedName(key), ...values.flatMap(checkLabelValue)];
  if (problems.length > 0)
    throw badRequest(
      `unable to parse requirement: key: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`,
    );
}

/** Splits at commas outside of parentheses. */
function splitOutside(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}

function labelOf(object: KubeObject, key: string): string | undefined {
  const value = dig(object.metadata, 'labels', key);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Compiles a field selector: `a=b`, `a==b`, `a!=b`, joined by commas; a backslash escapes.
 *
 * @throws ApiError 400, also for a field that the resource does not select by
 */
function fieldMatcher(resource: Resource, selector: string): Matcher {
  const terms = fieldTerms(selector).map(({ field, equal, value }) => {
    const read = fieldReader(resource, field);
    return (object: KubeObject): boolean => (read(object) === value) === equal;
  });
  return (object) => terms.every((holds) => holds(object));
}

/**
 * The only value of a field that the selector allows, if there is one.
 *
 * @throws ApiError 400
 */
export const onlyValue = (selector: string, wanted: string): string | undefined =>
  fieldTerms(selector).find(({ field, equal }) => field === wanted && equal)?.value;

interface FieldTerm {
  readonly field: string;
  /** Whether the field must have the value, or must not. */
  readonly equal: boolean;
  readonly value: string;
}

function fieldTerms(selector: string): FieldTerm[] {
  return (selector.match(/(?:\\.|[^,\\])+/g) ?? []).map((term) => {
    const match = /^([^=!]+)(==|=|!=)(.*)$/s.exec(term);
    if (!match) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
    const [, field = '', operator, value = ''] = match;
    return { field, equal: operator !== '!=', value: value.replace(/\\(.)/g, '$1') };
  });
}

function fieldReader(resource: Resource, field: string): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name;
  if (field === 'metadata.namespace' && resource.namespaced)
    return (object) => object.metadata.namespace ?? '';
  const { fields } = resource.strategy;
  const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (read) return read;
  if (resource.custom || Object.keys(fields).length > 0)
    throw badRequest(`field label not supported: ${field}`);
  throw badRequest(
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}
