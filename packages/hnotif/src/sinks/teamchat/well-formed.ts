/** As deep as the readers of JSON go that chats are built on; what is far deeper could not even be written down again. */
const DEEPEST = 512;

const TOO_DEEP = `is nested deeper than the ${DEEPEST} levels that a message may have`;
/** JSON can write it as an escape, and RFC 8259 leaves open what a reader makes of it. */
const HALF_A_PAIR = 'holds half a surrogate pair, such as "\\ud83d" alone, which is no character';

/**
 * What keeps a value from being read as JSON wherever it is sent: too deep a nesting, or a text that is no Unicode; undefined:
 * nothing. `depth`: how many lists and objects it stands in.
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
