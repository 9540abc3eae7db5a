/**
 * A set of fields, as `metadata.managedFields` stores it (FieldsV1): a tree of path elements. `f:NAME` is a field, `k:KEYS` an item of a
 * list map, `v:VALUE` an item of a set. A node is a member of the set if it is empty or contains `.`.
 */
export interface Fields {
  readonly [element: string]: Fields;
}

/** Undefined: no field. */
export type FieldSet = Fields | undefined;

const MEMBER: Fields = Object.freeze({});

/** A node: the sets of its elements, in order, and whether it is a member itself. */
export function nodeOf(elements: Iterable<readonly [string, FieldSet]>, member: boolean): FieldSet {
  const inner = [...elements].filter((pair): pair is [string, Fields] => pair[1] !== undefined);
  if (inner.length === 0) return member ? MEMBER : undefined;
  inner.sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...(member && { '.': MEMBER }), ...Object.fromEntries(inner) };
}

export const union = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (inA, inB) => inA || inB);

export const intersection = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (inA, inB) => inA && inB);

/** The members of `a` that are not members of `b`. Fields below a member of `b` remain. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (inA, inB) => inA && !inB);

export const isMember = (set: FieldSet): boolean =>
  set !== undefined && (Object.hasOwn(set, '.') || Object.keys(set).length === 0);

/** The elements below a node, without the node itself. */
export const elementsOf = (set: FieldSet): [string, Fields][] =>
  Object.entries(set ?? {}).filter(([element]) => element !== '.');

/** The paths of all members in order, in the real server's form: `.data.x`, `.ports[port=80].name`, `.finalizers[="a"]`. */
export function pathsOf(set: FieldSet, at = ''): string[] {
  const paths = elementsOf(set).flatMap(([element, fields]) => pathsOf(fields, at + printed(element)));
  return isMember(set) ? [at, ...paths] : paths;
}

function combine(a: FieldSet, b: FieldSet, keep: (inA: boolean, inB: boolean) => boolean): FieldSet {
  if (a === undefined) return keep(false, true) ? b : undefined;
  if (b === undefined) return keep(true, false) ? a : undefined;
  const elements = new Set([...elementsOf(a), ...elementsOf(b)].map(([element]) => element));
  const inner = [...elements].map((each) => [each, combine(a[each], b[each], keep)] as const);
  const member = keep(isMember(a), isMember(b));
  // Most writes leave most fields to their managers: what stays is shared with the stored object.
  if (member === isMember(a) && inner.every(([each, set]) => set === a[each])) return a;
  return nodeOf(inner, member);
}

function printed(element: string): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  const keys = Object.entries(JSON.parse(rest) as object);
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}
