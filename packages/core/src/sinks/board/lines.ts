import type { Row, RowState } from './row.ts';
import { endedWord, type BoardView } from './view.ts';

/** How a chat writes the lines of a board. */
export interface LineStyle {
  /** Before the plans of a state. Those that are `short` have ended, too. */
  readonly signs: Readonly<Record<RowState, string>>;
  readonly strong: (markup: string) => string;
  /** A name, escaped; `''` for nothing. */
  readonly name: (text: string, limit: number) => string;
  /** A sentence, escaped; `''` for nothing. */
  readonly sentence: (text: string, limit: number) => string;
  /** What a line takes of the budget. */
  readonly lengthOf: (markup: string) => number;
}

/** The most lines for plans of one state. */
const MOST_LINES = 20;
/** The most lines for running plans: nobody has to act on them. */
const MOST_RUNNING = 8;
/** The longest list of the names of plans that are done (UTF-16 units). A longer list hides the last line of the board. */
const LONGEST_FOLDED = 400;
const LONGEST_ERROR = 160;
export const LONGEST_NAME = 80;

/**
 * Failed plans first, with their errors; then those that are not done; then the names of the others. `budget`: of all lines together, with
 * line breaks.
 */
export function linesOf(view: BoardView, budget: number, style: LineStyle): string[] {
  const { failed, retrying, running, short, done } = view.rows;
  const { signs } = style;
  const lines: string[] = [];
  let left = budget;
  const add = (line: string): boolean => {
    const length = style.lengthOf(line) + 1;
    if (line === '' || length > left) return false;
    left -= length;
    lines.push(line);
    return true;
  };
  const list = (
    rows: readonly Row[],
    word: string,
    lineOf: (row: Row) => string,
    most = MOST_LINES,
  ): void => {
    let shown = 0;
    // A place for the line that counts the rest.
    left -= 40;
    for (const row of rows.slice(0, most)) {
      if (!add(lineOf(row))) break;
      shown++;
    }
    left += 40;
    if (shown < rows.length) add(`… and ${rows.length - shown} more ${word}`);
  };
  const withTargets = (sign: string, row: Row): string => {
    const plan = style.name(row.plan, LONGEST_NAME) || 'unnamed';
    return `${sign} ${style.strong(plan)}${targetsOf(row)}`;
  };
  const withError = (sign: string, row: Row): string => {
    const error = style.sentence(row.error, LONGEST_ERROR);
    return `${withTargets(sign, row)}${error === '' ? '' : ` — ${error}`}`;
  };
  list(failed, 'failed', (row) => withError(signs.failed, row));
  list(retrying, 'retrying', (row) => withError(signs.retrying, row));
  list(running, 'running', (row) => withTargets(signs.running, row), MOST_RUNNING);
  list(short, 'with failed targets', (row) => withTargets(signs.short, row));
  add(foldedNames(done, endedWord(view.operation), Math.min(left - 1, LONGEST_FOLDED), style));
  return lines;
}

/** ` 3 of 5 targets, 1 failed` */
const targetsOf = ({ completed, failed, total }: Row): string =>
  total === 0
    ? ''
    : ` ${completed} of ${total} ${total === 1 ? 'target' : 'targets'}${failed > 0 ? `, ${failed} failed` : ''}`;

/** `✅ 98 asleep: orders, payments and 96 more`; `''` for none, or without room. */
function foldedNames(rows: readonly Row[], word: string, room: number, style: LineStyle): string {
  if (rows.length === 0) return '';
  const begin = `${style.signs.done} ${rows.length} ${word}`;
  const names: string[] = [];
  let left = room - style.lengthOf(begin) - ':  and 00000 more'.length;
  for (const { plan } of rows) {
    const shown = style.name(plan, LONGEST_NAME / 2) || 'unnamed';
    left -= style.lengthOf(shown) + 2;
    if (left < 0) break;
    names.push(shown);
  }
  const more = rows.length - names.length;
  if (names.length === 0) return style.lengthOf(begin) <= room ? begin : '';
  return `${begin}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
