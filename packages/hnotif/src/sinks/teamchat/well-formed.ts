/** The deepest nesting that common JSON parsers accept. */
const DEEPEST = 512;

const TOO_DEEP = `is nested deeper than the ${DEEPEST} levels that a message may have`;
/** JSON can contain it as an escape, but RFC 8259 does not define its meaning. */
const HALF_A_PAIR = 'holds half a surrogate pair, such as "\\ud83d" alone, which is not a character';

/**
 * Why some parsers would refuse a value: it is nested too deep, or a text is not valid Unicode. Undefined: nothing. `depth`: the number
 * of lists and objects around it.
 */
export function jsonProblem(value: unknown, depth: number): string | undefined {
  if (depth > DEEPEST) return TOO_DEEP;
  if (typeof value === 'string') return value.isWellFormed() ? undefined : HALF_A_PAIR;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const fault = jsonProblem(name, depth) ?? jsonProblem(each, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
