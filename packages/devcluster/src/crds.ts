import { crdSchema } from './builtin-schemas.ts';
import { builtinStrategy } from './builtin.ts';
import { sameBut } from './custom.ts';
import type { Json, JsonObject } from './json.ts';
import { dig, isObject, listAt, textAt } from './json.ts';
import { compilePath } from './jsonpath.ts';
import type { KubeObject } from './object.ts';
import { finalizersOf, timestamp } from './object.ts';
import type { Resource } from './resource.ts';
import type { Cause } from './schema/cause.ts';
import { invalid } from './schema/cause.ts';
import { validateCrd } from './schema/crd.ts';
import { column, nameColumn } from './table.ts';

export const CRDS_ID = 'customresourcedefinitions.apiextensions.k8s.io';

/** Keeps a CRD until its instances are deleted. */
export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * The resource of CRDs themselves.
 *
 * @param others the existing CRDs, to check whether a name is taken
 */
export function crdResource(others: () => Iterable<KubeObject>, now: () => number): Resource {
  return {
    id: CRDS_ID,
    group: 'apiextensions.k8s.io',
    version: 'v1',
    storageVersion: 'v1',
    plural: 'customresourcedefinitions',
    singular: 'customresourcedefinition',
    kind: 'CustomResourceDefinition',
    listKind: 'CustomResourceDefinitionList',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    custom: false,
    review: false,
    deletesCollections: true,
    statusSubresource: true,
    columns: [nameColumn, column('Created At', (crd) => crd.metadata.creationTimestamp)],
    strategy: builtinStrategy(crdSchema, {
      unconditionalUpdate: false,
      prepareCreate(crd) {
        crd.metadata.finalizers = [...new Set([...finalizersOf(crd), CLEANUP])];
        crd.metadata.generation = 1;
        Reflect.deleteProperty(crd, 'status');
        setDefaults(crd);
        setStatus(crd, others(), timestamp(now()));
      },
      prepareUpdate(crd, old) {
        setDefaults(crd);
        const same = sameBut(['metadata', 'status'], crd, old);
        crd.metadata.generation = (old.metadata.generation ?? 0) + (same ? 0 : 1);
        setStatus(crd, others(), timestamp(now()));
      },
      validate: (crd, old) => [
        ...validateCrd(crd),
        ...columnCauses(crd),
        ...(old ? changeCauses(crd, old) : []),
      ],
      prepareDelete(crd) {
        setCondition(ownStatus(crd), timestamp(now()), {
          type: 'Terminating',
          status: 'True',
          reason: 'InstanceDeletionPending',
          message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
        });
      },
    }),
  };
}

export const isEstablished = (crd: KubeObject): boolean =>
  listAt(crd, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
  );

function setDefaults(crd: KubeObject): void {
  const spec = crd.spec;
  if (!isObject(spec)) return;
  spec.conversion ??= { strategy: 'None' };
  const names = spec.names;
  if (!isObject(names)) return;
  const kind = textAt(names, 'kind');
  if (textAt(names, 'singular') === '') names.singular = kind.toLowerCase();
  if (textAt(names, 'listKind') === '') names.listKind = `${kind}List`;
}

/** A column whose path this server does not support is refused with the CRD. Otherwise it would be empty. */
function columnCauses(crd: KubeObject): Cause[] {
  return listAt(crd, 'spec', 'versions').flatMap((version, index) =>
    listAt(version, 'additionalPrinterColumns').flatMap((definition, position) => {
      try {
        compilePath(textAt(definition, 'jsonPath'));
        return [];
      } catch (error) {
        const field = `spec.versions[${index}].additionalPrinterColumns[${position}].jsonPath`;
        const detail = error instanceof Error ? error.message : String(error);
        return [invalid(field, textAt(definition, 'jsonPath'), detail)];
      }
    }),
  );
}

function changeCauses(crd: KubeObject, old: KubeObject): Cause[] {
  const fixed = [['spec', 'group'], ['spec', 'names', 'plural'], ...establishedFields(old)];
  return fixed
    .filter((path) => textAt(crd, ...path) !== textAt(old, ...path))
    .map((path) => invalid(path.join('.'), textAt(crd, ...path), 'field is immutable'));
}

const establishedFields = (old: KubeObject): string[][] =>
  isEstablished(old)
    ? [
        ['spec', 'scope'],
        ['spec', 'names', 'kind'],
      ]
    : [];

/** Accepts the names if no other CRD of the group has them, and establishes the CRD at once. */
function setStatus(crd: KubeObject, others: Iterable<KubeObject>, now: string): void {
  const status = ownStatus(crd);
  const taken = takenName(crd, others);
  if (taken) {
    setCondition(status, now, {
      type: 'NamesAccepted',
      status: 'False',
      reason: `${taken.field}Conflict`,
      message: `${JSON.stringify(taken.name)} is already in use`,
    });
    if (!isEstablished(crd))
      setCondition(status, now, {
        type: 'Established',
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
      });
    status.acceptedNames ??= { plural: '', kind: '' };
  } else {
    setCondition(status, now, {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
    setCondition(status, now, {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    });
    status.acceptedNames = dig(crd, 'spec', 'names') ?? {};
  }
  const storage = listAt(crd, 'spec', 'versions').find((version) => dig(version, 'storage') === true);
  status.storedVersions = [...new Set([...listAt(status, 'storedVersions'), textAt(storage, 'name')])];
}

function takenName(
  crd: KubeObject,
  others: Iterable<KubeObject>,
): { field: string; name: string } | undefined {
  const group = textAt(crd, 'spec', 'group');
  for (const other of others) {
    if (other.metadata.name === crd.metadata.name || textAt(other, 'spec', 'group') !== group) continue;
    const accepted = dig(other, 'status', 'acceptedNames');
    const resources = resourceNames(accepted);
    const name = resourceNames(dig(crd, 'spec', 'names')).find((each) => resources.includes(each));
    if (name !== undefined) return { field: 'Plural', name };
    const kinds = kindNames(accepted);
    const kind = kindNames(dig(crd, 'spec', 'names')).find((each) => kinds.includes(each));
    if (kind !== undefined) return { field: 'Kind', name: kind };
  }
  return undefined;
}

const resourceNames = (names: Json | undefined): string[] =>
  [
    textAt(names, 'plural'),
    textAt(names, 'singular'),
    ...listAt(names, 'shortNames').filter((item) => typeof item === 'string'),
  ].filter((name) => name !== '');

const kindNames = (names: Json | undefined): string[] =>
  [textAt(names, 'kind'), textAt(names, 'listKind')].filter((name) => name !== '');

/** Gives the CRD a new status that is not shared with an older object, and returns it. */
function ownStatus(crd: KubeObject): JsonObject {
  const status: JsonObject = { ...(isObject(crd.status) && crd.status) };
  crd.status = status;
  return status;
}

function setCondition(
  status: JsonObject,
  now: string,
  condition: { type: string; status: string; reason: string; message: string },
): void {
  const conditions = listAt(status, 'conditions');
  const before = conditions.find((each) => textAt(each, 'type') === condition.type);
  const lastTransitionTime =
    textAt(before, 'status') === condition.status ? textAt(before, 'lastTransitionTime') : now;
  status.conditions = [...conditions.filter((each) => each !== before), { ...condition, lastTransitionTime }];
}
