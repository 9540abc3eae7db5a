import type { Colour } from './io.ts';
import { printableLine } from './printable.ts';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string;
  readonly colour?: (row: Row) => Colour | undefined;
  /** Only with `-o wide`. */
  readonly wide?: boolean;
}

export interface TableOptions {
  /** The width of the terminal; undefined: the last column is not cut. */
  readonly width?: number | undefined;
  readonly wide?: boolean;
  readonly paint?: (colour: Colour, text: string) => string;
}

/** The last column is never cut to less. */
const LEAST_WIDTH = 24;
const GAP = '   ';

/** Rows as kubectl prints them. The last column is cut to the terminal. Each line ends with a newline. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, wide = false, paint = (_, text) => text }: TableOptions = {},
): string {
  const shown = columns.filter((column) => wide || column.wide !== true);
  const cells = rows.map((row) => shown.map(({ cell }) => printableLine(cell(row)).trim()));
  const widths = shown.map(({ header }, at) =>
    Math.max(header.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const room = width === undefined ? Infinity : Math.max(width - before, LEAST_WIDTH);
  const line = (texts: readonly string[], row?: Row): string =>
    texts
      .map((text, at) => {
        const isLast = at === texts.length - 1;
        const fitted = isLast ? cut(text, room) : text.padEnd(widths[at] ?? 0);
        const colour = row === undefined ? 'dim' : shown[at]?.colour?.(row);
        return colour === undefined ? fitted : paint(colour, fitted);
      })
      .join(GAP)
      .trimEnd();
  return [
    line(shown.map(({ header }) => header)),
    ...rows.map((row, at) => line(cells[at] ?? [], row)),
    '',
  ].join('\n');
}

const cut = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1))}…`;
