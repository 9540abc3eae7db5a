import { isFields } from './shape.ts';

/** The depth limit of the JSON parsers that Slack uses. */
const DEEPEST = 512;

/** Whether Slack's JSON parser accepts a value: no text contains half a surrogate pair, and it is not too deep. */
export function isWellFormed(value: unknown, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every((each) => isWellFormed(each, depth + 1));
  if (!isFields(value)) return true;
  return Object.entries(value).every(([name, each]) => name.isWellFormed() && isWellFormed(each, depth + 1));
}
