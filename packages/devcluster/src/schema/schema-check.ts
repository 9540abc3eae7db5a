import type { Json } from '../json.ts';
import type { Cause } from './cause.ts';
import { forbidden, invalid } from './cause.ts';
import { compileEmbeddedCheck } from './embedded.ts';
import { compileListCheck } from './lists.ts';
import type { SchemaNode } from './node.ts';
import { openApiCauses } from './openapi.ts';
import { copyJson } from './json-values.ts';
import { parseSchema } from './parse.ts';
import { child, key } from './path.ts';
import { pruneValue } from './prune.ts';
import { ruleCauses } from './rule-check.ts';
import { structuralCauses } from './structural.ts';
import { compileValueCheck } from './values.ts';

/** The keywords that are allowed at the root of a schema with a status subresource. */
const allowedAtRoot = new Set(
  (
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'maxItems minItems uniqueItems multipleOf required items properties externalDocs example ' +
    'x-kubernetes-preserve-unknown-fields x-kubernetes-validations'
  ).split(' '),
);

/** Checks the `openAPIV3Schema` of one version of a CRD. */
export function schemaCauses(schema: Json, path: string, hasStatus: boolean): Cause[] {
  const { node, causes } = parseSchema(schema, path);
  if (causes.length > 0) return causes;
  if (hasStatus) causes.push(...rootCauses(node, path));
  if (node.nullable) causes.push(forbidden(child(path, 'nullable'), 'nullable cannot be true at the root'));
  causes.push(...structuralCauses(node, path), ...openApiCauses(node, path));
  // Defaults and rules need a valid schema.
  if (causes.length === 0) causes.push(...defaultCauses(node, path));
  if (causes.length === 0) causes.push(...ruleCauses(node, path));
  return causes;
}

function rootCauses(node: SchemaNode, path: string): Cause[] {
  const stranger = [...node.given].find((name) => !allowedAtRoot.has(name));
  if (stranger === undefined) return [];
  const detail =
    `only [${[...allowedAtRoot].join(' ')}] fields are allowed at the root of the schema ` +
    'if the status subresource is enabled';
  return [invalid(path, stranger, detail)];
}

/** Defaults must be valid, and have no unknown fields. */
function defaultCauses(node: SchemaNode, path: string): Cause[] {
  const causes: Cause[] = [];
  if (node.default !== undefined) causes.push(...oneDefault(node, node.default, child(path, 'default')));
  if (node.items !== undefined) causes.push(...defaultCauses(node.items, child(path, 'items')));
  for (const [name, property] of node.properties) {
    causes.push(...defaultCauses(property, key(child(path, 'properties'), name)));
  }
  if (typeof node.additionalProperties === 'object') {
    causes.push(...defaultCauses(node.additionalProperties, child(path, 'additionalProperties')));
  }
  return causes;
}

function oneDefault(node: SchemaNode, value: Json, path: string): Cause[] {
  const causes: Cause[] = [];
  if (pruneValue(copyJson(value), node).length > 0) {
    causes.push(invalid(path, value, 'must not have unknown fields'));
  }
  const found: Cause[] = [];
  compileValueCheck(node)(value, '', found);
  compileEmbeddedCheck(node)?.(value, '', found);
  compileListCheck(node)?.(value, '', found);
  return [...causes, ...found.map((cause) => ({ ...cause, field: within(path, cause.field) }))];
}

function within(path: string, field: string): string {
  if (field === '<nil>') return path;
  return field.startsWith('[') ? path + field : child(path, field);
}
