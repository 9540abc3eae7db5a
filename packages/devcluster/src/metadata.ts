import type { Json, JsonObject } from './json.ts';
import { entriesAt, isObject, listAt, textAt } from './json.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';
import type { KubeObject, Metadata } from './object.ts';
import { finalizersOf } from './object.ts';
import type { Cause } from './schema/cause.ts';
import { forbidden, invalid, required } from './schema/cause.ts';
import { setOwn } from './schema/json-values.ts';

type Check = (value: Json) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isMap: Check = (value) => isObject(value) && Object.values(value).every(isText);

/** The fields of `metav1.ObjectMeta` and their Go types. Fields with '' are removed from requests. */
const FIELDS = new Map<string, { check: Check; type: string; drop?: true }>([
  ['name', { check: isText, type: 'string' }],
  ['generateName', { check: isText, type: 'string' }],
  ['namespace', { check: isText, type: 'string' }],
  ['uid', { check: isText, type: 'types.UID' }],
  ['resourceVersion', { check: isText, type: 'string' }],
  ['generation', { check: Number.isInteger, type: 'int64' }],
  ['creationTimestamp', { check: isText, type: 'string' }],
  ['deletionTimestamp', { check: isText, type: 'string' }],
  ['deletionGracePeriodSeconds', { check: Number.isInteger, type: 'int64' }],
  ['labels', { check: isMap, type: 'map[string]string' }],
  ['annotations', { check: isMap, type: 'map[string]string' }],
  ['ownerReferences', { check: isOwners, type: '[]v1.OwnerReference' }],
  ['finalizers', { check: (value) => Array.isArray(value) && value.every(isText), type: '[]string' }],
  ['selfLink', { check: () => true, type: 'string', drop: true }],
  ['managedFields', { check: () => true, type: '[]v1.ManagedFieldsEntry', drop: true }],
]);

const OWNER_TEXTS = ['apiVersion', 'kind', 'name', 'uid'];
const OWNER_FLAGS = ['controller', 'blockOwnerDeletion'];

function isOwners(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (owner) =>
        isObject(owner) &&
        OWNER_TEXTS.every((field) => typeof (owner[field] ?? '') === 'string') &&
        OWNER_FLAGS.every((field) => typeof (owner[field] ?? false) === 'boolean'),
    )
  );
}

/**
 * Reads the metadata of a body. Nulls and empty fields are removed, like by decoding and encoding in Go.
 *
 * @returns the metadata and the paths of unknown fields; or, in `error`, why it cannot be read
 */
export function readMetadata(
  raw: Json | undefined,
): { metadata: JsonObject; unknown: string[]; error?: undefined } | { error: string } {
  const metadata: JsonObject = {};
  const unknown: string[] = [];
  if (raw !== undefined && raw !== null && !isObject(raw))
    return {
      error: `json: cannot unmarshal ${goType(raw)} into Go struct field .metadata of type v1.ObjectMeta`,
    };
  for (const [key, value] of Object.entries(raw ?? {})) {
    const field = FIELDS.get(key);
    if (!field) {
      unknown.push(`metadata.${key}`);
      continue;
    }
    if (value === null || field.drop || isEmpty(value)) continue;
    if (!field.check(value))
      return {
        error: `json: cannot unmarshal ${goType(value)} into Go struct field ObjectMeta.metadata.${key} of type ${field.type}`,
      };
    setOwn(metadata, key, key === 'ownerReferences' ? readOwners(value, unknown) : value);
  }
  return { metadata, unknown };
}

function readOwners(value: Json, unknown: string[]): Json[] {
  return listAt(value).map((owner, index) => {
    const kept: JsonObject = { apiVersion: '', kind: '', name: '', uid: '' };
    for (const [key, item] of entriesAt(owner)) {
      if (![...OWNER_TEXTS, ...OWNER_FLAGS].includes(key))
        unknown.push(`metadata.ownerReferences[${index}].${key}`);
      else if (item !== null) kept[key] = item;
    }
    return kept;
  });
}

const isEmpty = (value: Json): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const goType = (value: Json): string =>
  Array.isArray(value)
    ? 'array'
    : value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;

/** Restores the fields of changed metadata that only the server sets. */
export function keepServerFields(metadata: Metadata, old: Metadata): void {
  for (const field of [
    'generateName',
    'uid',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ]) {
    const value = old[field];
    if (value === undefined) Reflect.deleteProperty(metadata, field);
    else metadata[field] = value;
  }
}

/** Why the metadata of a new or changed object is invalid. */
export function validateMetadata(
  object: KubeObject,
  old: KubeObject | undefined,
  checkName: (name: string) => string[],
): Cause[] {
  const { metadata } = object;
  return [
    ...(old ? [] : nameCauses(metadata, checkName)),
    ...labelCauses(metadata),
    ...annotationCauses(metadata),
    ...ownerCauses(metadata),
    ...finalizerCauses(object, old),
  ];
}

function nameCauses(metadata: Metadata, checkName: (name: string) => string[]): Cause[] {
  if (textAt(metadata, 'name') === '') return [required('metadata.name', 'name or generateName is required')];
  return checkName(metadata.name).map((problem) => invalid('metadata.name', metadata.name, problem));
}

function labelCauses(metadata: Metadata): Cause[] {
  return entriesAt(metadata, 'labels').flatMap(([key, value]) => [
    ...checkQualifiedName(key).map((problem) => invalid('metadata.labels', key, problem)),
    ...checkLabelValue(String(value as string)).map((problem) => invalid('metadata.labels', value, problem)),
  ]);
}

const MAX_ANNOTATIONS = 256 * 1024;

function annotationCauses(metadata: Metadata): Cause[] {
  const entries = entriesAt(metadata, 'annotations');
  const causes = entries.flatMap(([key]) =>
    checkQualifiedName(key.toLowerCase()).map((problem) => invalid('metadata.annotations', key, problem)),
  );
  const size = entries.reduce((sum, [key, value]) => sum + key.length + String(value as string).length, 0);
  if (size > MAX_ANNOTATIONS)
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${MAX_ANNOTATIONS} bytes`,
      field: 'metadata.annotations',
    });
  return causes;
}

function ownerCauses(metadata: Metadata): Cause[] {
  const owners = listAt(metadata, 'ownerReferences');
  const causes = owners.flatMap((owner, index) => {
    const at = (field: string): string => `metadata.ownerReferences[${index}].${field}`;
    return [
      ...(textAt(owner, 'apiVersion') === ''
        ? [invalid(at('apiVersion'), '', 'version must not be empty')]
        : []),
      ...['kind', 'name', 'uid']
        .filter((field) => textAt(owner, field) === '')
        .map((field) => invalid(at(field), '', 'must not be empty')),
    ];
  });
  const controllers = owners.filter((owner) => isObject(owner) && owner.controller === true);
  if (controllers.length > 1)
    causes.push(
      invalid(
        'metadata.ownerReferences',
        [...owners],
        `Only one reference can have Controller set to true. Found "true" in references for ${textAt(controllers[0], 'name')} and ${textAt(controllers[1], 'name')}`,
      ),
    );
  return causes;
}

function finalizerCauses(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const finalizers = finalizersOf(object);
  const causes = finalizers.flatMap((name, index) =>
    checkQualifiedName(name).map((problem) => invalid(`metadata.finalizers[${index}]`, name, problem)),
  );
  if (!old?.metadata.deletionTimestamp) return causes;
  const known = new Set(finalizersOf(old));
  const added = finalizers.filter((name) => !known.has(name));
  if (added.length > 0)
    causes.push(
      forbidden(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => JSON.stringify(name)).join(', ')}}`,
      ),
    );
  return causes;
}
