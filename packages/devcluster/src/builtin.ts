import type { JsonObject } from './json.ts';
import { resourceId } from './resource.ts';
import type { Resource, Strategy } from './resource.ts';
import { compileVersion } from './schema/crd.ts';
import { dnsSubdomainProblems } from './schema/dns.ts';

/** The parts of a strategy that a built-in kind may leave out. */
type Differences = Partial<Omit<Strategy, 'prune' | 'schema' | 'shape'>>;

/** A strategy of a built-in kind. By default it reads only the schema. */
export function builtinStrategy(schema: JsonObject, differences: Differences): Strategy {
  const compiled = compileVersion(schema);
  const { prepareCreate, prepareUpdate } = differences;
  return {
    validate: () => [],
    checkName: dnsSubdomainProblems,
    fields: {},
    createOnUpdate: false,
    unconditionalUpdate: true,
    ...differences,
    schema,
    shape: compiled.shape,
    prune: (object) => compiled.prune(object),
    decode: (object) => {
      compiled.applyDefaults(object);
      // Go's types do not refuse an item that is repeated.
      return compiled.validate(object).filter(({ reason }) => reason !== 'FieldValueDuplicate');
    },
    prepareCreate: (object) => prepareCreate?.(object),
    prepareUpdate: (object, old) => prepareUpdate?.(object, old),
  };
}

/** A built-in resource. By default it is namespaced and has no special rules. */
export function builtin(
  names: Pick<Resource, 'group' | 'version' | 'plural' | 'kind'> & Partial<Resource>,
  columns: Resource['columns'],
  strategy: Strategy,
): Resource {
  return {
    id: resourceId(names.group, names.plural),
    storageVersion: names.version,
    singular: names.kind.toLowerCase(),
    listKind: `${names.kind}List`,
    shortNames: [],
    categories: [],
    namespaced: true,
    custom: false,
    deletesCollections: true,
    statusSubresource: false,
    review: false,
    ...names,
    columns,
    strategy,
  };
}
