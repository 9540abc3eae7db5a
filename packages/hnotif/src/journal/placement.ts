/** Plans that share an object, about. More, and each write stores more that has not changed; fewer, and fewer share a write. */
const PLANS = 32;

/** In how many buckets the plans of a namespace are divided: a power of two. */
export function bucketsFor(plans: number, before = 1): number {
  let buckets = before;
  while (plans > buckets * PLANS) buckets *= 2;
  return buckets;
}

/**
 * In how many buckets a new leader divides them, which found a journal of the last of so many: as many as there were, but
 * where few plans are left of many. A plan goes to another bucket when it is written.
 */
export function bucketsAtStart(plans: number, before: number): number {
  const fewest = bucketsFor(plans);
  const found = 2 ** Math.ceil(Math.log2(before));
  return found > 4 * fewest ? fewest : Math.max(found, fewest);
}
