/** About this many plans share an object. With more, each write stores more unchanged entries. With fewer, fewer plans share a write. */
const PLANS = 32;

/** The number of buckets for the plans of a namespace: a power of two. */
export function bucketsFor(plans: number, before = 1): number {
  let buckets = before;
  while (plans > buckets * PLANS) buckets *= 2;
  return buckets;
}

/**
 * The number of buckets at the start of a leader: as before, or fewer if there are much fewer plans. `before`: one more than the highest
 * bucket with a journal. A plan moves to its bucket when it is written.
 */
export function bucketsAtStart(plans: number, before: number): number {
  const fewest = bucketsFor(plans);
  const found = 2 ** Math.ceil(Math.log2(before));
  return found > 4 * fewest ? fewest : Math.max(found, fewest);
}
