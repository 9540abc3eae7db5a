import type { Board, Row } from '@hnotif/core/page';
import { wordsOf } from '../why/plan-like.ts';
import { digestOf } from './digest.ts';
import type { Window } from './timeline.ts';

/** What the board is to show. */
export interface Filter {
  /** `''`: all. */
  readonly namespace: string;
  /** Parts of the names of a plan, a notification and a sink; `''`: all. */
  readonly text: string;
  /** Only plans of which something waits for long, was dropped or failed. */
  readonly onlyWrong: boolean;
}

/** A plan that is shown, with the dots that the filter leaves. */
export interface ShownRow {
  readonly key: string;
  readonly row: Row;
}

/** The rows in the order of their names. Words that are all in the plan's name show all of its dots; else the others choose notification and sink. */
export function filtered(board: Board, { namespace, onlyWrong, text }: Filter): readonly ShownRow[] {
  const wanted = wordsOf(text);
  const shown: ShownRow[] = [];
  for (const [key, row] of board) {
    if (namespace !== '' && row.namespace !== namespace) continue;
    const others = wanted.filter((word) => !key.includes(word));
    const dots = others.length === 0 ? row.dots : dotsOf(row, others);
    if (others.length > 0 && dots.size === 0) continue;
    if (onlyWrong && row.phase !== 'Error' && digestOf(dots).wrong === 0) continue;
    shown.push({ key, row: dots === row.dots ? row : { ...row, dots } });
  }
  return shown.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const dotsOf = ({ dots }: Row, words: readonly string[]): Row['dots'] =>
  new Map(
    [...dots].filter(([, { notification, sink }]) =>
      words.every((word) => `${notification}/${sink}`.includes(word)),
    ),
  );

/** The namespaces of the plans. */
export const namespacesOf = (board: Board): readonly string[] =>
  [...new Set([...board.values()].map((row) => row.namespace))].sort();

/** Whether nothing happened in a window of time, as far as the board knows. */
export const isEmptyAt = (rows: readonly ShownRow[], { from, to }: Window): boolean =>
  rows.every(({ row }) => [...row.dots.values(), ...row.marks].every(({ at }) => at < from || at > to));
