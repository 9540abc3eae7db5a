import type { Colour, Io } from './io.ts';
import { printableLine } from './printable.ts';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string;
  readonly colour?: (row: Row) => Colour | undefined;
  /** Only if the table is wide. */
  readonly wide?: boolean;
}

/** The last column is never cut to less. */
const LEAST_WIDTH = 24;
const GAP = '   ';

/** Rows as kubectl prints them. The last column is cut to the width of the terminal. Each line ends with a newline. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  io: Pick<Io, 'columns' | 'colour'>,
  wide = false,
): string {
  const shown = columns.filter((column) => wide || column.wide !== true);
  const cells = rows.map((row) => shown.map(({ cell }) => printableLine(cell(row)).trim()));
  const widths = shown.map(({ header }, at) =>
    Math.max(header.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const room = io.columns === undefined ? Infinity : Math.max(io.columns - before, LEAST_WIDTH);
  const line = (texts: readonly string[], row?: Row): string =>
    texts
      .map((text, at) => {
        const isLast = at === texts.length - 1;
        const fitted = isLast ? cut(text, room) : text.padEnd(widths[at] ?? 0);
        const colour = row === undefined ? 'dim' : shown[at]?.colour?.(row);
        return colour === undefined ? fitted : io.colour(colour, fitted);
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

/** A name, its value, and the colour of the value. */
type Labelled = readonly [label: string, value: string, colour?: Colour];

/** Values below each other, each after its name. Those without a value are left out. */
export const labelled = (rows: readonly Labelled[], io: Pick<Io, 'colour'>): string =>
  rows
    .filter(([, value]) => value !== '')
    .map(([label, value, colour]) => {
      const text = printableLine(value);
      return `${`${label}:`.padEnd(12)}${colour === undefined ? text : io.colour(colour, text)}\n`;
    })
    .join('');
