import type { JsonObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { invalid, notSupported, required } from './cause.ts';
import { compileRuleCheck } from './cel/rules.ts';
import type { CompiledSchema } from './compiled.ts';
import { namesCauses } from './crd-names.ts';
import { versionsCauses } from './crd-versions.ts';
import { applyDefaults } from './defaults.ts';
import { dnsSubdomainProblems } from './dns.ts';
import { compileEmbeddedCheck } from './embedded.ts';
import { compileListCheck } from './lists.ts';
import { objectMetaSchema } from './object-meta.ts';
import { getOwn } from './json-values.ts';
import { parseSchema } from './parse.ts';
import { pruneResource } from './prune.ts';
import { objectAt, textAt } from './read.ts';
import { remembered } from './remembered.ts';
import { compileValueCheck } from './values.ts';

const { node: resourceFields } = parseSchema(
  {
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: objectMetaSchema },
  },
  '',
);
const RESOURCE_FIELDS = resourceFields.properties;

const causesOfVersions = remembered(versionsCauses);

/**
 * Compiles a schema that `validateCrd` has accepted. Takes milliseconds for each rule, so it is done once for a version, not for each
 * request.
 */
export const compileVersion = remembered((openAPIV3Schema): CompiledSchema => {
  const { node } = parseSchema(openAPIV3Schema, '');
  const checks = [compileValueCheck(node), compileEmbeddedCheck(node), compileListCheck(node)];
  const rules = compileRuleCheck(node, true);
  return {
    shape: { ...node, properties: new Map([...node.properties, ...RESOURCE_FIELDS]) },
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
});

/** With these errors an object does not have the shape that its rules expect. */
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
 * Checks a CustomResourceDefinition of apiextensions.k8s.io/v1. `spec.names.singular` and `listKind` may be absent, because the server
 * sets them.
 */
export function validateCrd(crd: JsonObject): Cause[] {
  const spec = objectAt(crd, 'spec');
  if (spec === undefined) return [required('spec')];
  return [
    ...nameCauses(crd, spec),
    ...groupCauses(spec),
    ...causesOfVersions(spec),
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

function conversionCauses(spec: JsonObject): Cause[] {
  const conversion = objectAt(spec, 'conversion');
  const strategy = conversion === undefined ? 'None' : textAt(conversion, 'strategy');
  if (strategy === '') return [required('spec.conversion.strategy')];
  return strategy === 'None' ? [] : [notSupported('spec.conversion.strategy', strategy, ['None'])];
}
