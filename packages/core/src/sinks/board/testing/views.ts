import fc from 'fast-check';
import { ROW_STATES, type Row } from '../row.ts';
import { viewOf, type BoardView } from '../view.ts';

/** When each of these boards was opened. */
export const BOARD_AT = Date.parse('2026-01-05T20:00:00.000Z');

export const aRow = (plan: string, more: Partial<Row> = {}): Row => ({
  ...{ plan, cycle: 'c1', seq: 1, state: 'done', total: 3, completed: 3, failed: 0, error: '' },
  until: BOARD_AT + 60_000,
  ...more,
});

export const aBoard = (rows: readonly Row[], more: Partial<BoardView> = {}): BoardView => ({
  ...viewOf(
    {
      ...{ operation: 'shutdown', openedAt: BOARD_AT },
      rows: new Map(rows.map((each, at) => [`uid-${at}`, each])),
    },
    { namespace: 'shop', isOver: false, failedBefore: undefined },
  ),
  ...more,
});

export const manyRows = (count: number, more: Partial<Row> = {}): Row[] =>
  Array.from({ length: count }, (_, at) => aRow(`a-plan-with-a-long-name-${at}`, more));

const word = fc.oneof(
  fc.constantFrom('', 'night', '<!channel>', '*b*', '```', ':x:', '&amp;', 'a\nb', '<https://e.test|x>'),
  fc.constantFrom('@everyone', '#ops', '/start', '$USD', '<b>', '</b>', '<a href="tg://user?id=1">x</a>'),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);

/** Boards of hostile plans. */
export const anyBoard: fc.Arbitrary<BoardView> = fc
  .tuple(
    fc.array(
      fc.record({
        ...{ plan: word, cycle: word, seq: fc.nat(), state: fc.constantFrom(...ROW_STATES), error: word },
        ...{ total: fc.nat(9_999), completed: fc.nat(9_999), failed: fc.nat(9_999) },
        until: fc.integer({ min: BOARD_AT, max: BOARD_AT + 1e8 }),
      }),
      { minLength: 1, maxLength: 80 },
    ),
    fc.boolean(),
  )
  .map(([rows, isOver]) => aBoard(rows, { isOver }));
