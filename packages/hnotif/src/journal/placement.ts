/** About this many plans share an object. With more, each write stores more unchanged entries. With fewer, fewer plans share a write. */
const PLANS = 32;

/** The number of partitions for the plans of a namespace: a power of two. */
export function partitionsFor(plans: number, before = 1): number {
  let partitions = before;
  while (plans > partitions * PLANS) partitions *= 2;
  return partitions;
}

/**
 * The number of partitions at the start of a leader: as before, or fewer if there are much fewer plans. `before`: one more than the highest
 * partition with a journal. A plan moves to its partition when it is written.
 */
export function partitionsAtStart(plans: number, before: number): number {
  const fewest = partitionsFor(plans);
  const found = 2 ** Math.ceil(Math.log2(before));
  return found > 4 * fewest ? fewest : Math.max(found, fewest);
}
