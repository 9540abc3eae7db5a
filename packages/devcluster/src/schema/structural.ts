import type { Cause } from './cause.ts';
import { forbidden, invalid, required } from './cause.ts';
import type { SchemaNode } from './node.ts';
import { child, index, key } from './path.ts';
import { patternError } from './regex.ts';

type Level = 'root' | 'item' | 'field';

const emptyTypeWords: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * Checks that a schema is structural: it specifies all types, and the schemas in `allOf`, `anyOf`, `oneOf` and `not` only restrict the
 * outer ones (Kubernetes, "Specifying a structural schema").
 */
export function structuralCauses(root: SchemaNode, path: string): Cause[] {
  const causes: Cause[] = [];
  checkNode(root, 'root', path, causes);
  checkComplete(root, root, path, causes);
  // The server sorts them, because its maps have no order.
  return causes.sort((a, b) => compare(`${a.field}: ${a.message}`, `${b.field}: ${b.message}`));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function checkNode(node: SchemaNode, level: Level, path: string, causes: Cause[]): void {
  const at = (name: string): string => child(path, name);
  if (node.type === 'array' && node.items === undefined)
    causes.push(required(at('items'), 'must be specified'));
  if (node.items !== undefined) checkNode(node.items, 'item', at('items'), causes);
  for (const [name, property] of node.properties) {
    checkNode(property, 'field', key(at('properties'), name), causes);
  }
  if (node.additionalProperties !== undefined) {
    if (level === 'root') causes.push(forbidden(at('additionalProperties'), 'must not be used at the root'));
    if (typeof node.additionalProperties === 'object') {
      checkNode(node.additionalProperties, 'field', at('additionalProperties'), causes);
    }
  }
  checkExtensions(node, path, causes);
  checkValidation(
    node,
    path,
    causes,
    isIntOrStringChoice(node.anyOf),
    isIntOrStringChoice(node.allOf[0]?.anyOf ?? []),
  );
  checkType(node, level, path, causes);
  checkMetadata(node, level, path, causes);
}

function checkExtensions(node: SchemaNode, path: string, causes: Cause[]): void {
  if (!node.intOrString) return;
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  if (node.preserveUnknownFields === true) {
    causes.push(invalid(child(path, 'x-kubernetes-preserve-unknown-fields'), true, detail));
  }
  if (node.embeddedResource)
    causes.push(invalid(child(path, 'x-kubernetes-embedded-resource'), true, detail));
}

function checkType(node: SchemaNode, level: Level, path: string, causes: Cause[]): void {
  const at = child(path, 'type');
  if (node.embeddedResource && node.type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    causes.push(node.type === '' ? required(at, detail) : invalid(at, node.type, detail));
  } else if (node.type === '' && !node.intOrString && node.preserveUnknownFields !== true) {
    causes.push(required(at, emptyTypeWords[level]));
  }
  if (level === 'root' && node.type !== '' && node.type !== 'object') {
    causes.push(invalid(at, node.type, 'must be object at the root'));
  }
  if (!node.embeddedResource) return;
  if (node.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    causes.push(forbidden(child(path, 'additionalProperties'), detail));
  }
  if (node.preserveUnknownFields !== true && node.properties.size === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.push(required(child(path, 'properties'), detail));
  }
}

/** The server's own fields of a resource. A schema may only repeat them. */
function checkMetadata(node: SchemaNode, level: Level, path: string, causes: Cause[]): void {
  if (level !== 'root' && !node.embeddedResource) return;
  for (const name of ['kind', 'apiVersion']) {
    const property = node.properties.get(name);
    if (property !== undefined && property.type !== 'string') {
      causes.push(
        invalid(child(key(child(path, 'properties'), name), 'type'), property.type, 'must be string'),
      );
    }
  }
  const metadata = node.properties.get('metadata');
  if (metadata === undefined) return;
  const at = key(child(path, 'properties'), 'metadata');
  if (metadata.type !== 'object') causes.push(invalid(child(at, 'type'), metadata.type, 'must be object'));
  if (level !== 'root') return;
  const others = [...metadata.given].filter((name) => !['type', 'properties', 'default'].includes(name));
  const named = [...metadata.properties.keys()].filter((name) => name !== 'name' && name !== 'generateName');
  if (others.length > 0 || named.length > 0) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.push(forbidden(at, detail));
  }
}

function checkValidation(
  node: SchemaNode,
  path: string,
  causes: Cause[],
  anyOfIsChoice: boolean,
  firstAllOfIsChoice: boolean,
): void {
  if (!anyOfIsChoice) nestedList(node.anyOf, child(path, 'anyOf'), causes);
  node.allOf.forEach((nested, position) => {
    checkNested(nested, index(child(path, 'allOf'), position), causes, firstAllOfIsChoice && position === 0);
  });
  nestedList(node.oneOf, child(path, 'oneOf'), causes);
  if (node.not !== undefined) checkNested(node.not, child(path, 'not'), causes, false);
  const problem = node.pattern === '' ? undefined : patternError(node.pattern);
  if (problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    causes.push(invalid(child(path, 'pattern'), node.pattern, detail));
  }
}

function nestedList(nodes: readonly SchemaNode[], path: string, causes: Cause[]): void {
  nodes.forEach((nested, position) => {
    checkNested(nested, index(path, position), causes, false);
  });
}

/** Keywords that are not allowed within a junctor, with the server's words for each. */
const forbiddenWithin: readonly (readonly [string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['externalDocs', 'must be undefined to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function checkNested(node: SchemaNode, path: string, causes: Cause[], anyOfIsChoice: boolean): void {
  checkValidation(node, path, causes, anyOfIsChoice, false);
  if (node.items !== undefined) checkNested(node.items, child(path, 'items'), causes, false);
  for (const [name, property] of node.properties) {
    checkNested(property, key(child(path, 'properties'), name), causes, false);
  }
  for (const [name, words] of forbiddenWithin) {
    if (node.given.has(name)) causes.push(forbidden(child(path, name), words));
  }
  if (node.properties.has('metadata')) {
    const at = key(child(path, 'properties'), 'metadata');
    causes.push(forbidden(at, 'must not be specified in a nested context'));
  }
}

/** The only place for types within a junctor: `anyOf: [{type: integer}, {type: string}]`. */
function isIntOrStringChoice(anyOf: readonly SchemaNode[]): boolean {
  const [first, second] = anyOf;
  const isOnly = (node: SchemaNode | undefined, type: string): boolean =>
    node?.type === type && node.given.size === 1;
  return anyOf.length === 2 && isOnly(first, 'integer') && isOnly(second, 'string');
}

/** Fields and items within junctors must also be specified outside of them. */
function checkComplete(structure: SchemaNode, node: SchemaNode, path: string, causes: Cause[]): void {
  for (const name of ['anyOf', 'allOf', 'oneOf'] as const) {
    node[name].forEach((nested, position) => {
      compareNested(structure, nested, index(child(path, name), position), path, causes);
    });
  }
  if (node.not !== undefined) compareNested(structure, node.not, child(path, 'not'), path, causes);
  if (structure !== node) return;
  if (node.items !== undefined) checkComplete(node.items, node.items, child(path, 'items'), causes);
  for (const [name, property] of node.properties) {
    checkComplete(property, property, key(child(path, 'properties'), name), causes);
  }
  if (typeof node.additionalProperties === 'object') {
    checkComplete(
      node.additionalProperties,
      node.additionalProperties,
      child(path, 'additionalProperties'),
      causes,
    );
  }
}

function compareNested(
  structure: SchemaNode,
  nested: SchemaNode,
  path: string,
  outside: string,
  causes: Cause[],
): void {
  checkComplete(structure, nested, path, causes);
  if (nested.items !== undefined) {
    const at = child(outside, 'items');
    if (structure.items === undefined) causes.push(missing(at, child(path, 'items')));
    else compareNested(structure.items, nested.items, child(path, 'items'), at, causes);
  }
  for (const [name, property] of nested.properties) {
    const at = key(child(outside, 'properties'), name);
    const within = key(child(path, 'properties'), name);
    const known = structure.properties.get(name);
    if (known === undefined) causes.push(missing(at, within));
    else compareNested(known, property, within, at, causes);
  }
}

function missing(at: string, within: string): Cause {
  return required(at, `because it is defined in ${within}`);
}
