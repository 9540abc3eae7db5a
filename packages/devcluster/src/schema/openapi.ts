import type { Cause } from './cause.ts';
import { forbidden, invalid, notSupported, required } from './cause.ts';
import { parseFieldPath } from './cel/field-path.ts';
import { unsupportedFormats } from './formats.ts';
import type { SchemaNode, ValidationRule } from './node.ts';
import { child, index, key } from './path.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Keywords of JSON Schema that no CRD may use. */
const unsupportedKeywords = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

/** The place of a schema, as far as it affects the allowed keywords. */
interface Place {
  isRoot: boolean;
  /** Within `apiVersion`, `kind` or `metadata` of a resource. */
  inResourceFields: boolean;
  /** Why no default is allowed here; undefined if one is. */
  noDefault: string | undefined;
}

/** Checks a CRD's schema besides its structure, including all inner schemas. */
export function openApiCauses(root: SchemaNode, path: string): Cause[] {
  const causes: Cause[] = [];
  check(root, path, { isRoot: true, inResourceFields: false, noDefault: undefined }, causes);
  return causes;
}

function check(node: SchemaNode, path: string, place: Place, causes: Cause[]): void {
  checkKeywords(node, path, place, causes);
  const inside: Place = { ...place, isRoot: false };
  const others = node.additionalProperties;
  if (others !== undefined) {
    const at = child(path, 'additionalProperties');
    if (node.properties.size > 0 && others !== true) {
      causes.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
    }
    const noDefault = place.inResourceFields
      ? 'inside additionalProperties applying to object metadata'
      : place.noDefault;
    if (typeof others === 'object') check(others, at, { ...inside, noDefault }, causes);
  }
  for (const [name, property] of node.properties) {
    check(property, key(child(path, 'properties'), name), placeOf(name, node, place), causes);
  }
  if (node.not !== undefined) check(node.not, child(path, 'not'), inside, causes);
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    node[name].forEach((nested, position) => {
      check(nested, index(child(path, name), position), inside, causes);
    });
  }
  if (node.items !== undefined) check(node.items, child(path, 'items'), inside, causes);
  checkLists(node, path, causes);
  node.rules.forEach((rule, position) => {
    checkRule(rule, node, index(child(path, 'x-kubernetes-validations'), position), causes);
  });
}

function placeOf(name: string, node: SchemaNode, place: Place): Place {
  const isResource = place.isRoot || node.embeddedResource;
  if (!isResource || !['metadata', 'kind', 'apiVersion'].includes(name)) return { ...place, isRoot: false };
  const noDefault = place.isRoot ? `in top-level ${name}` : place.noDefault;
  return { isRoot: false, inResourceFields: true, noDefault };
}

function checkKeywords(node: SchemaNode, path: string, place: Place, causes: Cause[]): void {
  const at = (name: string): string => child(path, name);
  if (node.type === 'null') {
    causes.push(forbidden(at('type'), 'type cannot be set to null, use nullable as an alternative'));
  } else if (node.type !== '' && !types.includes(node.type)) {
    causes.push(notSupported(at('type'), node.type, types));
  }
  if (node.default !== undefined && place.noDefault !== undefined) {
    causes.push(forbidden(at('default'), `must not be set ${place.noDefault}`));
  }
  for (const name of unsupportedKeywords) {
    if (node.given.has(name)) causes.push(forbidden(at(name), `${name} is not supported`));
  }
  if (node.given.has('items') && node.items === undefined) {
    causes.push(forbidden(at('items'), 'items must be a schema object and not an array'));
  }
  if (node.given.has('uniqueItems')) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.push(forbidden(at('uniqueItems'), detail));
  }
  if (place.inResourceFields && node.embeddedResource) {
    causes.push(forbidden(at('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'));
  }
  if (node.preserveUnknownFields === false) {
    causes.push(invalid(at('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  }
  if (unsupportedFormats.has(node.format.replaceAll('-', ''))) {
    causes.push(invalid(at('format'), node.format, 'this format is not supported by this server'));
  }
  if (node.multipleOf !== undefined && node.multipleOf <= 0) {
    causes.push(invalid(at('multipleOf'), node.multipleOf, 'must be greater than 0'));
  }
}

function checkLists(node: SchemaNode, path: string, causes: Cause[]): void {
  const at = (name: string): string => child(path, name);
  checkKind(node, node.mapType, 'object', 'x-kubernetes-map-type', ['atomic', 'granular'], path, causes);
  checkKind(node, node.listType, 'array', 'x-kubernetes-list-type', ['atomic', 'set', 'map'], path, causes);
  const { items, listType, listMapKeys } = node;
  if (listType === 'set' && items !== undefined) {
    const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic') {
      causes.push(invalid(at('items.x-kubernetes-list-type'), items.listType, detail));
    }
    if (items.type === 'object' && items.mapType !== 'atomic') {
      causes.push(invalid(at('items.x-kubernetes-map-type'), items.mapType ?? null, detail));
    }
  }
  if (listMapKeys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const where = at('x-kubernetes-list-type');
    causes.push(listType === undefined ? required(where, detail) : invalid(where, listType, detail));
  }
  if (listType === 'map') checkListMap(node, path, causes);
  if (items?.nullable === true && (listType === 'set' || listType === 'map')) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    causes.push(forbidden(at('items.nullable'), detail));
  }
}

function checkKind(
  node: SchemaNode,
  value: string | undefined,
  type: string,
  keyword: string,
  known: string[],
  path: string,
  causes: Cause[],
): void {
  if (value === undefined) return;
  if (node.type !== type) {
    const detail = `must be ${type} if ${keyword} is specified`;
    const at = child(path, 'type');
    causes.push(node.type === '' ? required(at, detail) : invalid(at, node.type, detail));
  }
  if (!known.includes(value)) causes.push(notSupported(child(path, keyword), value, known));
}

function checkListMap({ items, listMapKeys }: SchemaNode, path: string, causes: Cause[]): void {
  const at = child(path, 'x-kubernetes-list-map-keys');
  if (listMapKeys.length === 0) {
    causes.push(required(at, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (items === undefined) {
    causes.push(required(child(path, 'items'), 'must have a schema if x-kubernetes-list-type is map'));
    return;
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    causes.push(invalid(child(path, 'items.type'), items.type, detail));
    return;
  }
  if (new Set(listMapKeys).size < listMapKeys.length) {
    causes.push(invalid(at, [...listMapKeys], 'must not contain duplicate entries'));
  }
  for (const name of listMapKeys) {
    const property = items.properties.get(name);
    const where = key(child(path, 'items.properties'), name);
    if (property === undefined) {
      causes.push(invalid(at, [...listMapKeys], 'entries must all be names of item properties'));
      continue;
    }
    if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.push(invalid(child(where, 'type'), property.type, detail));
    }
    const what = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!items.required.includes(name) && property.default === undefined) {
      causes.push(required(child(where, 'default'), `${what} must have a default or be a required property`));
    }
    if (property.nullable) causes.push(forbidden(child(where, 'nullable'), `${what} cannot be nullable`));
  }
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The errors of a rule that do not need its compilation. */
function checkRule(rule: ValidationRule, node: SchemaNode, path: string, causes: Cause[]): void {
  const at = (name: string): string => child(path, name);
  const message = rule.message.trim();
  if (rule.rule.trim() === '') causes.push(required(at('rule'), 'rule is not specified'));
  else if (rule.message !== '' && message === '') {
    causes.push(invalid(at('message'), rule.message, 'message must be non-empty if specified'));
  } else if (/[\r\n]/.test(message)) {
    causes.push(invalid(at('message'), rule.message, 'message must not contain line breaks'));
  } else if (/[\r\n]/.test(rule.rule.trim()) && message === '') {
    causes.push(required(at('message'), 'message must be specified if rule contains line breaks'));
  }
  if (rule.messageExpression !== '' && rule.messageExpression.trim() === '') {
    causes.push(required(at('messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    causes.push(notSupported(at('reason'), rule.reason, reasons));
  }
  if (rule.fieldPath === '') return;
  if (rule.fieldPath.trim() === '') {
    causes.push(invalid(at('fieldPath'), rule.fieldPath, 'fieldPath must be non-empty if specified'));
  } else if (/[\r\n]/.test(rule.fieldPath)) {
    causes.push(invalid(at('fieldPath'), rule.fieldPath, 'fieldPath must not contain line breaks'));
  } else if (parseFieldPath(rule.fieldPath, node) === undefined) {
    causes.push(invalid(at('fieldPath'), rule.fieldPath, 'fieldPath must be a valid path'));
  }
}
