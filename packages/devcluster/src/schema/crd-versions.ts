import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { forbidden, invalid, required } from './cause.ts';
import { dnsLabelProblems } from './dns.ts';
import { equalJson, getOwn } from './json-values.ts';
import { child, index } from './path.ts';
import { listAt, objectAt, textAt } from './read.ts';
import { schemaCauses } from './schema-check.ts';

/**
 * Checks `spec.versions` of a CRD. A part that is the same in all versions belongs to the resource for the server: causes name
 * `spec.validation` and `spec.additionalPrinterColumns` instead of the version.
 */
export function versionsCauses(spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const versions = listAt(spec, 'versions').map((version) => (isObject(version) ? version : {}));
  const names = versions.map((version) => textAt(version, 'name'));
  const [first] = versions;
  const alike = (field: string): boolean =>
    versions.every((version) => equalJson(getOwn(version, field) ?? null, first?.[field] ?? null));
  const sameSchema = alike('schema') && objectAt(first ?? {}, 'schema') !== undefined;
  const sameColumns = alike('additionalPrinterColumns');
  versions.forEach((version, position) => {
    const path = index('spec.versions', position);
    causes.push(...flagCauses(version, path));
    if (!sameSchema) causes.push(...versionSchemaCauses(version, child(path, 'schema'), hasStatus(version)));
    if (!sameColumns) causes.push(...columnsCauses(version, path));
  });
  if (new Set(names).size < names.length) {
    causes.push(invalid('spec.versions', names, 'must contain unique version names'));
  }
  if (versions.filter((version) => getOwn(version, 'storage') === true).length !== 1) {
    causes.push(invalid('spec.versions', names, 'must have exactly one version marked as storage version'));
  }
  if (first !== undefined && sameSchema) {
    causes.push(...versionSchemaCauses(first, 'spec.validation', versions.some(hasStatus)));
  }
  if (first !== undefined && sameColumns) causes.push(...columnsCauses(first, 'spec'));
  return causes;
}

function hasStatus(version: JsonObject): boolean {
  return (getOwn(objectAt(version, 'subresources') ?? {}, 'status') ?? null) !== null;
}

function versionSchemaCauses(version: JsonObject, path: string, status: boolean): Cause[] {
  const at = child(path, 'openAPIV3Schema');
  const schema = getOwn(objectAt(version, 'schema') ?? {}, 'openAPIV3Schema') ?? null;
  return schema === null ? [required(at, 'schemas are required')] : schemaCauses(schema, at, status);
}

function columnsCauses(version: JsonObject, path: string): Cause[] {
  return listAt(version, 'additionalPrinterColumns').flatMap((column, position) =>
    columnCauses(isObject(column) ? column : {}, index(child(path, 'additionalPrinterColumns'), position)),
  );
}

function flagCauses(version: JsonObject, path: string): Cause[] {
  const causes: Cause[] = [];
  const problems = dnsLabelProblems(textAt(version, 'name'));
  if (problems.length > 0) {
    causes.push(invalid(child(path, 'name'), textAt(version, 'name'), problems.join(',')));
  }
  for (const flag of ['served', 'storage']) {
    if (typeof getOwn(version, flag) !== 'boolean') causes.push(required(child(path, flag)));
  }
  if ((getOwn(objectAt(version, 'subresources') ?? {}, 'scale') ?? null) !== null) {
    const detail = 'the scale subresource is not supported by this server';
    causes.push(forbidden(child(path, 'subresources.scale'), detail));
  }
  if (listAt(version, 'selectableFields').length > 0) {
    const detail = 'selectable fields are not supported by this server';
    causes.push(forbidden(child(path, 'selectableFields'), detail));
  }
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
  if (jsonPath === '') causes.push(required(child(path, 'JSONPath')));
  else if (!jsonPath.startsWith('.')) {
    causes.push(invalid(child(path, 'JSONPath'), jsonPath, 'must be a simple json path starting with .'));
  }
  return causes;
}
