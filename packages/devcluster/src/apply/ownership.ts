import type { Json } from '../json.ts';
import type { SchemaNode } from '../schema/node.ts';
import { compare, fieldSetOf, withNamed } from './compare.ts';
import type { FieldSet, Fields } from './field-set.ts';
import { difference, intersection, union } from './field-set.ts';
import type { Entry, Writer } from './managers.ts';
import { isSameManager, withoutFields } from './managers.ts';
import { merge, without } from './merge.ts';

/** Fields that nobody owns. */
const UNOWNED: Fields = {
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': {
    '.': {},
    ...Object.fromEntries(
      ['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'generation', 'managedFields']
        .concat('resourceVersion')
        .map((name) => [`f:${name}`, {}]),
    ),
  },
};

/** Fields that another manager has, and that an apply changes. */
export interface Conflict {
  readonly manager: Entry;
  readonly fields: FieldSet;
}

/**
 * The managers after a create, update or patch: the writer owns what it changed, nobody owns what is gone.
 *
 * @param before `{}` for a new object
 */
export function afterUpdate(
  entries: readonly Entry[],
  before: Json,
  after: Json,
  writer: Writer,
  schema: SchemaNode,
): Entry[] {
  const { added, modified, removed } = compare(before, after, schema);
  const changed = difference(union(added, modified), UNOWNED);
  const own = entries.find((entry) => isSameManager(entry, writer));
  const others = entries.filter((entry) => entry !== own);
  const rest = withoutFields(others, union(changed, removed));
  const fields = union(difference(own?.fields, removed), changed);
  // A writer that only removes fields keeps the time of its entry.
  return withFields(rest, changed === undefined && own ? own : writer, fields);
}

export interface Applied {
  readonly object: Json;
  readonly entries: Entry[];
  readonly conflicts: Conflict[];
}

/**
 * Merges a configuration into the live object. The applier owns exactly its fields; what it applied before and no longer does is
 * removed, unless another manager has it.
 *
 * @throws PatchError if the configuration has an item of a list map without keys
 */
export function afterApply(
  entries: readonly Entry[],
  live: Json,
  configuration: Json,
  applier: Writer,
  schema: SchemaNode,
): Applied {
  const said = fieldSetOf(configuration, schema);
  const last = entries.find((entry) => isSameManager(entry, applier));
  const others = entries.filter((entry) => entry !== last);
  const kept = others.reduce<FieldSet>((set, { fields }) => union(set, fields), said);
  const dropped = difference(withNamed(last?.fields, schema), withNamed(kept, schema));
  const object = without(merge(live, configuration, schema), dropped, schema) ?? {};
  const { added, modified, removed } = compare(live, object, schema);
  const touched = union(added, modified);
  const conflicts = others
    .map((manager) => ({ manager, fields: intersection(manager.fields, touched) }))
    .filter(({ fields }) => fields !== undefined);
  const rest = withoutFields(others, union(touched, removed));
  return { object, entries: withFields(rest, applier, difference(said, UNOWNED)), conflicts };
}

function withFields(entries: readonly Entry[], writer: Writer, fields: FieldSet): Entry[] {
  const others = entries.filter((entry) => !isSameManager(entry, writer));
  return fields === undefined ? others : [...others, { ...writer, fields }];
}
