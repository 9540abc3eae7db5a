import { groupedBy } from '../grouped-by.ts';

/**
 * Which of these items to remove, so that at most `most` stay: the first ones of the owners that have the most. An owner with fewer loses
 * nothing.
 */
export function excessOf<T>(items: Iterable<T>, most: number, ownerOf: (item: T) => string): T[] {
  const groups = [...groupedBy([...items], ownerOf).values()].sort((a, b) => a.length - b.length);
  let left = most;
  return groups.flatMap((group, index) => {
    const kept = Math.min(group.length, Math.floor(left / (groups.length - index)));
    left -= kept;
    return group.slice(0, group.length - kept);
  });
}

/**
 * What a cache that has more than `most` entries loses: those of `excessOf`, and so many that it has room for others. To look for them takes
 * time.
 */
export const overflowOf = <K, V>(
  cache: ReadonlyMap<K, V>,
  most: number,
  ownerOf: (value: V) => string,
): (readonly [K, V])[] =>
  cache.size <= most ? [] : excessOf(cache, most - most / 16, ([, value]) => ownerOf(value));
