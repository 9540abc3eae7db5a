import { isFields } from './shape.ts';

/** As deep as the readers of JSON that Slack is built on go. */
const DEEPEST = 512;

/**
 * Whether a value is one that Slack's reader of JSON takes: no text in it holds half a surrogate pair, which is no
 * character, and it is not too deep.
 */
export function isWellFormed(value: unknown, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every((each) => isWellFormed(each, depth + 1));
  if (!isFields(value)) return true;
  return Object.entries(value).every(([name, each]) => name.isWellFormed() && isWellFormed(each, depth + 1));
}
