const DECIMAL = /^(0|[1-9][0-9]*)$/;

/**
 * Whether resource version `a` is newer than `b`. Decimal ones compare as integers (Kubernetes API concepts,
 * "Resource versions"); of others only equality is known, and a different one is taken as newer. `''` is older than
 * everything.
 */
export function isNewer(a: string, b: string): boolean {
  if (a === b || a === '') return false;
  // Without leading zeros the longer number is the larger one, and equal lengths compare as text.
  if (DECIMAL.test(a) && DECIMAL.test(b)) return a.length === b.length ? a > b : a.length > b.length;
  return true;
}
