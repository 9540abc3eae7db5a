import type { JsonObject } from './json.ts';
import { dig, isObject, listAt, textAt } from './json.ts';
import type { KubeObject } from './object.ts';
import { resourceId } from './resource.ts';
import type { Resource, Strategy } from './resource.ts';
import { compileVersion } from './schema/crd.ts';
import { dnsSubdomainProblems } from './schema/dns.ts';
import type { CompiledSchema } from './schema/compiled.ts';
import { equalJson } from './schema/json-values.ts';
import type { Column } from './table.ts';
import { ageColumn, customColumn, nameColumn } from './table.ts';

/** The resources that a valid CRD defines, one for each served version. */
export function resourcesOf(crd: KubeObject): Resource[] {
  const group = textAt(crd, 'spec', 'group');
  const names = dig(crd, 'status', 'acceptedNames');
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  const storage = versions.find((version) => version.storage === true);
  const texts = (field: string): string[] => listAt(names, field).filter((item) => typeof item === 'string');
  return versions
    .filter((version) => version.served === true)
    .map((version) => ({
      group,
      version: textAt(version, 'name'),
      storageVersion: textAt(storage, 'name'),
      plural: textAt(names, 'plural'),
      singular: textAt(names, 'singular'),
      kind: textAt(names, 'kind'),
      listKind: textAt(names, 'listKind'),
      shortNames: texts('shortNames'),
      categories: texts('categories'),
      id: resourceId(group, textAt(names, 'plural')),
      namespaced: textAt(crd, 'spec', 'scope') === 'Namespaced',
      custom: true,
      review: false,
      deletesCollections: true,
      statusSubresource: hasStatus(version),
      columns: columnsOf(version),
      strategy: customStrategy(version),
    }));
}

const hasStatus = (version: JsonObject): boolean => dig(version, 'subresources', 'status') !== undefined;

/** The name, then the columns of the version. The age is shown only without such columns. */
function columnsOf(version: JsonObject): Column[] {
  const own = listAt(version, 'additionalPrinterColumns');
  return own.length === 0 ? [nameColumn, ageColumn] : [nameColumn, ...own.map(customColumn)];
}

function customStrategy(version: JsonObject): Strategy {
  const declared = dig(version, 'schema', 'openAPIV3Schema');
  const json = isObject(declared) ? declared : {};
  const schema: CompiledSchema = compileVersion(json);
  const splits = hasStatus(version);
  return {
    schema: json,
    shape: schema.shape,
    prune: (object) => schema.prune(object),
    checkName: dnsSubdomainProblems,
    validate: (object, old) => schema.validate(object, old),
    prepareCreate(object) {
      if (splits) Reflect.deleteProperty(object, 'status');
      schema.applyDefaults(object);
      object.metadata.generation = 1;
    },
    prepareUpdate(object, old) {
      schema.applyDefaults(object);
      const aside = splits ? ['metadata', 'status'] : ['metadata'];
      object.metadata.generation = (old.metadata.generation ?? 0) + (sameBut(aside, object, old) ? 0 : 1);
    },
    fields: {},
    createOnUpdate: false,
    unconditionalUpdate: false,
  };
}

/** Whether two objects are equal in all fields except these. */
export function sameBut(aside: readonly string[], a: JsonObject, b: JsonObject): boolean {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const field of aside) fields.delete(field);
  return [...fields].every((field) => {
    const [left, right] = [dig(a, field), dig(b, field)];
    return left !== undefined && right !== undefined && equalJson(left, right);
  });
}
