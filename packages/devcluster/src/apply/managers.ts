import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { FieldSet, Fields } from './field-set.ts';
import { difference } from './field-set.ts';

/** Who writes, and how. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** `''`: the object itself. */
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string;
}

/** An entry of `metadata.managedFields`: a manager and its fields. */
export interface Entry extends Writer {
  readonly fields: Fields;
}

/** An applier is the same in each version, an updater is not. */
export const isSameManager = (a: Writer, b: Writer): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.subresource === b.subresource &&
  (a.operation === 'Apply' || a.apiVersion === b.apiVersion);

/** The entries without these fields, and without managers that then have none. */
export function withoutFields(entries: readonly Entry[], gone: FieldSet): Entry[] {
  if (gone === undefined) return [...entries];
  return entries.flatMap((entry) => {
    const fields = difference(entry.fields, gone);
    return fields === undefined ? [] : [{ ...entry, fields }];
  });
}

/** Reads `metadata.managedFields`. Undefined if an entry is invalid. */
export function readEntries(json: Json | undefined): Entry[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const entries = json.map(readEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function readEntry(json: Json): Entry | undefined {
  if (!isObject(json) || !isFields(json.fieldsV1)) return undefined;
  const { manager, operation, apiVersion, subresource = '', time = '', fieldsType, fieldsV1 } = json;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof manager !== 'string' || typeof apiVersion !== 'string' || fieldsType !== 'FieldsV1')
    return undefined;
  if (typeof subresource !== 'string' || typeof time !== 'string') return undefined;
  return { manager, operation, apiVersion, subresource, time, fields: fieldsV1 };
}

const isFields = (json: Json | undefined): json is JsonObject & Fields =>
  isObject(json) && Object.entries(json).every(([element, below]) => isElement(element) && isFields(below));

function isElement(element: string): boolean {
  if (!element.startsWith('k:')) return element === '.' || /^[fv]:/.test(element);
  try {
    return isObject(JSON.parse(element.slice(2)) as Json);
  } catch {
    return false;
  }
}

/** Appliers first, then by time and name, like a real server. */
export function writeEntries(entries: readonly Entry[]): Json[] {
  const order = ({ operation, time, manager, apiVersion, subresource }: Entry): string =>
    [operation, time, manager, apiVersion, subresource].join('\0');
  return entries
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(({ manager, operation, apiVersion, time, fields, subresource }) => ({
      ...{ manager, operation, apiVersion, ...(time !== '' && { time }) },
      ...{ fieldsType: 'FieldsV1', fieldsV1: fields },
      ...(subresource !== '' && { subresource }),
    }));
}

/** As a real server names a manager in a conflict. */
export function nameOf({ manager, operation, apiVersion, subresource }: Writer): string {
  const name = JSON.stringify(manager) + (subresource && ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
