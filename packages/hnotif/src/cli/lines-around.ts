/** Lines before and after the one that is meant. */
const AROUND = 2;
/** Characters of a line: a message without line breaks can be long. */
const WIDTH = 100;

/**
 * The lines around a place in a text, with the place marked, as compilers show it. `line` and `column` count from 1, the column in UTF-16
 * units.
 */
export function linesAround(text: string, { line, column }: Place): string {
  const lines = text.split(/\r\n|\r|\n/);
  const first = Math.max(1, line - AROUND);
  const from = Math.max(0, column - 1 - WIDTH / 2);
  const digits = String(line + AROUND).length;
  const shown = lines.slice(first - 1, line + AROUND).map((each, at) => {
    const number = String(first + at).padStart(digits);
    return `  ${number} | ${each.slice(from, from + WIDTH).replaceAll('\t', ' ')}`.trimEnd();
  });
  const mark = `  ${' '.repeat(digits)} | ${' '.repeat(column - 1 - from)}^`;
  shown.splice(line - first + 1, 0, mark);
  return `${shown.join('\n')}\n`;
}

interface Place {
  readonly line: number;
  readonly column: number;
}
