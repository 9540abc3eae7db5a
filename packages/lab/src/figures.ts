/** A quantile: the value below which this part (0 to 1) of the values lies; NaN without values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A time, as text. */
export function ms(value: number): string {
  if (Number.isNaN(value)) return '-';
  return value < 1_000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** How often each thing comes. */
export function countsOf(things: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
}

/** One line for each thing. */
export const countLines = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, times]) => `${String(times).padStart(8)}  ${what}`).join('\n');

/** Rows of cells as text, each column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
