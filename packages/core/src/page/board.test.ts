import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  applyRows,
  rowChange,
  snapshotOf,
  type Board,
  type Change,
  type Dot,
  type Head,
  type Row,
} from './board.ts';

const HEAD: Head = { leader: 'served', serving: 'serving', unseen: [], hasMessages: false };

const dots = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom('a/s#1', 'a/s#2', 'b/s#1', 'b/s#3'),
      seq: fc.constant(1),
      event: fc.constantFrom('Start', 'Success'),
      notification: fc.constant('n'),
      sink: fc.constant('s'),
      state: fc.constantFrom<Dot['state']>('waiting', 'delivered', 'parked'),
      at: fc.nat(5),
      count: fc.constant(1),
      why: fc.constantFrom('', 'because'),
    }),
    { selector: ({ id }) => id },
  )
  .map((all) => new Map(all.map((dot) => [dot.id, dot])));

const rows: fc.Arbitrary<Row> = fc.record({
  namespace: fc.constant('ns'),
  plan: fc.constant('p'),
  phase: fc.constantFrom('Active', 'Error'),
  operation: fc.constantFrom('', 'shutdown'),
  spans: fc.constantFrom([], [{ phase: 'Active', from: 1 }]),
  marks: fc.constantFrom([], [{ kind: 'Start' as const, at: 1 }]),
  dots,
});

/** What a client has that gets every change as JSON. */
function mirrored(states: readonly Row[]): Board {
  const board: Board = new Map();
  states.forEach((row, at) => {
    const change = rowChange('ns/p', states[at - 1], row);
    if (change === undefined) return;
    applyRows(
      board,
      JSON.parse(JSON.stringify({ rows: [change], now: 0 })) as Parameters<typeof applyRows>[1],
    );
  });
  return board;
}

it('the changes of a row, one after the other, make the row on the other side', () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 6 }), (states) => {
      const last = states.at(-1);
      const mirror = mirrored(states).get('ns/p');
      expect({ ...mirror, dots: undefined }).toEqual({ ...last, dots: undefined });
      expect(Object.fromEntries(mirror?.dots ?? [])).toEqual(Object.fromEntries(last?.dots ?? []));
    }),
  );
});

it('there is no change between equal rows', () => {
  fc.assert(
    fc.property(rows, (row) => {
      expect(rowChange('ns/p', row, { ...row, dots: new Map(row.dots) })).toBeUndefined();
    }),
  );
});

it('a client that begins while the board changes has the board of now in the end', () => {
  const keys = ['ns/a', 'ns/b', 'ns/c', 'ns/d'];
  const step = fc.record({ key: fc.constantFrom(...keys), row: fc.option(rows) });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 6 }),
      fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 5 }),
      (before, between) => {
        const server: Board = new Map();
        const client: Board = new Map();
        const missed: Change[] = [];
        const change = ({ key, row }: { key: string; row: Row | null }): void => {
          const made = row && rowChange(key, server.get(key), row);
          const sent = row ? { rows: made ? [made] : [], now: 0 } : { gone: [key], now: 0 };
          applyRows(server, sent);
          missed.push(sent);
        };
        before.forEach(change);
        missed.length = 0;
        for (const part of snapshotOf(server, HEAD, () => 0, 1)) {
          applyRows(client, part);
          between.shift()?.forEach(change);
        }
        for (const each of missed) applyRows(client, each);
        expect(Object.fromEntries(client)).toEqual(Object.fromEntries(server));
      },
    ),
  );
});

it('a snapshot replaces what was there, and a plan that is gone goes', () => {
  const row: Row = {
    namespace: 'ns',
    plan: 'p',
    phase: 'Active',
    operation: '',
    spans: [],
    marks: [],
    dots: new Map(),
  };
  const board: Board = new Map([['ns/old', row]]);
  for (const part of snapshotOf(new Map([['ns/p', row]]), HEAD, () => 5)) applyRows(board, part);
  expect([...board.keys()]).toEqual(['ns/p']);
  applyRows(board, { gone: ['ns/p'], now: 6 });
  expect(board.size).toBe(0);
});
