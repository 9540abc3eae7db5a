/** `Map.groupBy`, which Node 20 does not have. */
export function groupedBy<T, Key>(all: readonly T[], keyOf: (each: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}
