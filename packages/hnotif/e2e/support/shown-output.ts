/** What a page shows of a terminal: commands after `$`, and their output. */

/**
 * A pattern for a line of output: `…` is any text, and dates, times and numbers of seconds may differ. A table's columns may have another
 * width.
 */
function patternOf(line: string): RegExp {
  const literal = line.trimEnd().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const open = literal
    .replaceAll('…', '.*')
    .replaceAll(/\d{4}-\d\d-\d\dT/g, '\\d{4}-\\d\\d-\\d\\dT')
    .replaceAll(/\d\d:\d\d:\d\d/g, '\\d\\d:\\d\\d:\\d\\d')
    .replaceAll(/\b\d+ s\b/g, '\\d+ s');
  return new RegExp(`^${open.replaceAll(/ {2,}/g, ' {2,}')}\\s*$`);
}

/** The first of the wanted lines that is not in the output, in order; undefined: all are. A line `…` stands for any lines. */
export function missing(wanted: readonly string[], output: readonly string[]): string | undefined {
  let next = 0;
  let anywhere = false;
  for (const line of wanted) {
    if (line === '…') {
      anywhere = true;
      continue;
    }
    const found = output.findIndex((each, index) => index >= next && patternOf(line).test(each));
    if (found === -1 || (!anywhere && found !== next)) return line;
    next = found + 1;
    anywhere = false;
  }
  return undefined;
}

/** A command line and the output that the page shows for it. */
export interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

export const stepsOf = (text: string): Step[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return { command, output };
    });
