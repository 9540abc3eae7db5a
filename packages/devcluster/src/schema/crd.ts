import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { forbidden, invalid, notSupported, required } from './cause.ts';
import { compileRuleCheck } from './cel/rules.ts';
import type { CompiledSchema } from './compiled.ts';
import { applyDefaults } from './defaults.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from './dns.ts';
import { compileEmbeddedCheck } from './embedded.ts';
import { compileListCheck } from './lists.ts';
import { getOwn } from './own.ts';
import { parseSchema } from './parse.ts';
import { child, index } from './path.ts';
import { pruneResource } from './prune.ts';
import { schemaCauses } from './schemacheck.ts';
import { compileValueCheck } from './values.ts';

/**
 * Makes the functions for a schema which `validateCrd` has accepted. Costs milliseconds for each rule: once for a
 * version, not for a request.
 */
export function compileVersion(openAPIV3Schema: JsonObject): CompiledSchema {
  const { node } = parseSchema(openAPIV3Schema, '');
  const checks = [compileValueCheck(node), compileEmbeddedCheck(node), compileListCheck(node)];
  const rules = compileRuleCheck(node, true);
  return {
    prune: (obj) => pruneResource(obj, node),
    applyDefaults: (obj) => {
      applyDefaults(obj, node);
    },
    validate: (obj, old) => {
      const causes: Cause[] = [];
      for (const check of checks) check?.(obj, '', causes);
      if (rules === undefined) return causes;
      if (causes.some(({ reason }) => blocksRules.has(reason))) return [...causes, rulesSkipped];
      rules(obj, old, '', causes);
      return causes;
    },
  };
}

/** After these an object has not the shape its rules were written for. */
const blocksRules = new Set<Cause['reason']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesSkipped: Cause = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation',
);

/**
 * Checks a CustomResourceDefinition of apiextensions.k8s.io/v1. `spec.names.singular` and `listKind` may be absent,
 * for the server sets them.
 */
export function validateCrd(crd: JsonObject): Cause[] {
  const spec = objectAt(crd, 'spec');
  if (spec === undefined) return [required('spec')];
  return [
    ...nameCauses(crd, spec),
    ...groupCauses(spec),
    ...versionsCauses(spec),
    ...namesCauses(spec),
    ...conversionCauses(spec),
  ];
}

function nameCauses(crd: JsonObject, spec: JsonObject): Cause[] {
  const name = textAt(objectAt(crd, 'metadata') ?? {}, 'name');
  const expected = `${textAt(objectAt(spec, 'names') ?? {}, 'plural')}.${textAt(spec, 'group')}`;
  if (name === '') return [required('metadata.name', 'name or generateName is required')];
  return name === expected
    ? []
    : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

function groupCauses(spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const group = textAt(spec, 'group');
  const problems = dnsSubdomainProblems(group);
  if (group === '') causes.push(required('spec.group'));
  else if (problems.length > 0) causes.push(invalid('spec.group', group, problems.join(',')));
  else if (!group.includes('.')) {
    causes.push(invalid('spec.group', group, 'should be a domain with at least one dot'));
  }
  const scope = textAt(spec, 'scope');
  const scopes = ['Cluster', 'Namespaced'];
  if (scope === '') causes.push(required('spec.scope'));
  else if (!scopes.includes(scope)) causes.push(notSupported('spec.scope', scope, scopes));
  if (getOwn(spec, 'preserveUnknownFields') === true) {
    const detail =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    causes.push(invalid('spec.preserveUnknownFields', true, detail));
  }
  return causes;
}

function versionsCauses(spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const versions = listAt(spec, 'versions').map((version) => (isObject(version) ? version : {}));
  const names = versions.map((version) => textAt(version, 'name'));
  versions.forEach((version, position) => {
    causes.push(...versionCauses(version, index('spec.versions', position)));
  });
  if (new Set(names).size < names.length) {
    causes.push(invalid('spec.versions', names, 'must contain unique version names'));
  }
  if (versions.filter((version) => getOwn(version, 'storage') === true).length !== 1) {
    causes.push(invalid('spec.versions', names, 'must have exactly one version marked as storage version'));
  }
  return causes;
}

function versionCauses(version: JsonObject, path: string): Cause[] {
  const causes: Cause[] = [];
  const problems = dnsLabelProblems(textAt(version, 'name'));
  if (problems.length > 0) {
    causes.push(invalid(child(path, 'name'), textAt(version, 'name'), problems.join(',')));
  }
  for (const flag of ['served', 'storage']) {
    if (typeof getOwn(version, flag) !== 'boolean') causes.push(required(child(path, flag)));
  }
  const at = child(path, 'schema.openAPIV3Schema');
  const schema = getOwn(objectAt(version, 'schema') ?? {}, 'openAPIV3Schema') ?? null;
  const subresources = objectAt(version, 'subresources') ?? {};
  if (schema === null) causes.push(required(at, 'schemas are required'));
  else causes.push(...schemaCauses(schema, at, getOwn(subresources, 'status') !== undefined));
  if ((getOwn(subresources, 'scale') ?? null) !== null) {
    causes.push(
      forbidden(child(path, 'subresources.scale'), 'the scale subresource is not supported by this server'),
    );
  }
  if (listAt(version, 'selectableFields').length > 0) {
    causes.push(
      forbidden(child(path, 'selectableFields'), 'selectable fields are not supported by this server'),
    );
  }
  listAt(version, 'additionalPrinterColumns').forEach((column, position) => {
    const where = index(child(path, 'additionalPrinterColumns'), position);
    causes.push(...columnCauses(isObject(column) ? column : {}, where));
  });
  return causes;
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = 'byte date date-time double float int32 int64 password'.split(' ');

function columnCauses(column: JsonObject, path: string): Cause[] {
  const causes: Cause[] = [];
  const [type, format, jsonPath] = [
    textAt(column, 'type'),
    textAt(column, 'format'),
    textAt(column, 'jsonPath'),
  ];
  const oneOf = (values: readonly string[]): string => `must be one of ${values.join(',')}`;
  if (textAt(column, 'name') === '') causes.push(required(child(path, 'name')));
  if (type === '') causes.push(required(child(path, 'type'), oneOf(columnTypes)));
  else if (!columnTypes.includes(type)) causes.push(invalid(child(path, 'type'), type, oneOf(columnTypes)));
  if (format !== '' && !columnFormats.includes(format)) {
    causes.push(invalid(child(path, 'format'), format, oneOf(columnFormats)));
  }
  if (jsonPath === '') causes.push(required(child(path, 'jsonPath')));
  else if (!jsonPath.startsWith('.')) {
    causes.push(invalid(child(path, 'jsonPath'), jsonPath, 'must be a simple json path starting with .'));
  }
  return causes;
}

function namesCauses(spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const names = objectAt(spec, 'names') ?? {};
  const at = (name: string): string => child('spec.names', name);
  const check = (path: string, text: string, prefix: string): void => {
    const problems = text === '' ? [] : dnsLabelProblems(prefix === '' ? text : text.toLowerCase());
    if (problems.length > 0) causes.push(invalid(path, text, prefix + problems.join(',')));
  };
  const mixed = 'may have mixed case, but should otherwise match: ';
  for (const name of ['plural', 'kind']) if (textAt(names, name) === '') causes.push(required(at(name)));
  check(at('plural'), textAt(names, 'plural'), '');
  check(at('singular'), textAt(names, 'singular'), '');
  check(at('kind'), textAt(names, 'kind'), mixed);
  check(at('listKind'), textAt(names, 'listKind'), mixed);
  for (const list of ['shortNames', 'categories']) {
    listAt(names, list).forEach((name, position) => {
      const text = typeof name === 'string' ? name : '';
      if (text === '') causes.push(required(index(at(list), position)));
      check(index(at(list), position), text, '');
    });
  }
  if (textAt(names, 'kind') !== '' && textAt(names, 'kind') === textAt(names, 'listKind')) {
    causes.push(invalid(at('listKind'), textAt(names, 'listKind'), 'kind and listKind may not be the same'));
  }
  return causes;
}

function conversionCauses(spec: JsonObject): Cause[] {
  const conversion = objectAt(spec, 'conversion');
  const strategy = conversion === undefined ? 'None' : textAt(conversion, 'strategy');
  if (strategy === '') return [required('spec.conversion.strategy')];
  return strategy === 'None' ? [] : [notSupported('spec.conversion.strategy', strategy, ['None'])];
}

function objectAt(object: JsonObject, name: string): JsonObject | undefined {
  const value = getOwn(object, name);
  return isObject(value) ? value : undefined;
}

function listAt(object: JsonObject, name: string): Json[] {
  const value = getOwn(object, name);
  return Array.isArray(value) ? value : [];
}

function textAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}
