/**
 * Line breaks, other control characters, and those that turn the direction of what follows: with them a value could write
 * lines of its own into a message, or show its neighbours backwards.
 */
const STEERING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The text on one line: each run of white space with a steering character in it is one space, and none is left at the ends. */
export function oneLine(text: string): string {
  if (!STEERING.test(text)) return text;
  return text
    .replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, (run) => (STEERING.test(run) ? ' ' : run))
    .trim();
}
