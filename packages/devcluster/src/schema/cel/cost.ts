/** Arithmetic of estimated costs. Costs are unsigned 64-bit numbers, like in the real server, and saturate instead of overflowing. */
export const maxCost = 2 ** 64;

export function plus(...costs: readonly number[]): number {
  return Math.min(
    costs.reduce((sum, cost) => sum + cost, 0),
    maxCost,
  );
}

export function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.min(a * b, maxCost);
}

/** The cost of reading a text: a tenth for each character. */
export function traversal(size: number): number {
  return Math.min(Math.ceil(size * 0.1), maxCost);
}

/** The cost of matching a pattern of some size against a text of some size. */
export function search(size: number, pattern: number): number {
  return times(traversal(plus(size, 1)), Math.ceil(pattern * 0.25));
}

/** The costs of creating a list and a map. */
export const newList = 10;
export const newMap = 30;

/** The limit of a rule, multiplied by the number of its values in an object. */
export const ruleCostLimit = 10_000_000;
/** The limit of all rules of a version together. */
export const schemaCostLimit = 100_000_000;

/** The server's message for an estimate above a limit. */
export function costMessage(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const text =
    factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return (
    `${name} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, ` +
    'and maxLength where arrays, maps, and strings are declared)'
  );
}
