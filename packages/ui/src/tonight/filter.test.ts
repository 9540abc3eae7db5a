import { expect, it } from 'vitest';
import type { Board, Dot, Row } from '@hnotif/core/page';
import { filtered, isEmptyAt, namespacesOf, type Filter } from './filter.ts';

const NO_FILTER: Filter = { namespace: '', text: '', onlyWrong: false };

const dot = (notification: string, sink: string, state: Dot['state']): Dot => ({
  ...{
    id: `${notification}/${sink}#1`,
    seq: 1,
    event: 'Start',
    notification,
    sink,
    state,
    at: 1,
    count: 1,
    why: '',
  },
});

const row = (namespace: string, plan: string, dots: readonly Dot[], phase = 'Active'): [string, Row] => [
  `${namespace}/${plan}`,
  {
    ...{ namespace, plan, phase, operation: '', spans: [], marks: [] },
    dots: new Map(dots.map((each) => [each.id, each])),
  },
];

const BOARD: Board = new Map([
  row('shop', 'orders', [dot('ops', 'pager', 'parked'), dot('ops', 'log', 'delivered')]),
  row('shop', 'basket', [dot('ops', 'log', 'delivered')]),
  row('bank', 'ledger', [], 'Error'),
]);

const shown = (filter: Partial<Filter>): readonly string[] =>
  filtered(BOARD, { ...NO_FILTER, ...filter }).map(({ key, row: { dots } }) => `${key} ${dots.size}`);

it.each<[string, Partial<Filter>, readonly string[]]>([
  ['nothing chosen', {}, ['bank/ledger 0', 'shop/basket 1', 'shop/orders 2']],
  ['a namespace', { namespace: 'bank' }, ['bank/ledger 0']],
  ['the name of a plan, with all of its deliveries', { text: ' ORDERS ' }, ['shop/orders 2']],
  ['a sink, with its deliveries alone', { text: 'pager' }, ['shop/orders 1']],
  ['a notification and its sink', { text: 'ops/log' }, ['shop/basket 1', 'shop/orders 1']],
  ['parts of a name, in any order', { text: 'order SHOP' }, ['shop/orders 2']],
  ['a plan and a sink', { text: 'shop log' }, ['shop/basket 1', 'shop/orders 1']],
  ['only what is wrong', { onlyWrong: true }, ['bank/ledger 0', 'shop/orders 2']],
  ['a sink of which nothing is wrong', { onlyWrong: true, text: 'log' }, []],
])('the filter shows for %s', (_, filter, expected) => {
  expect(shown(filter)).toEqual(expected);
});

it('the namespaces are in order, each once', () => {
  expect(namespacesOf(BOARD)).toEqual(['bank', 'shop']);
});

it('a window without a dot and a mark is empty', () => {
  const all = filtered(BOARD, NO_FILTER);
  expect(isEmptyAt(all, { from: 0, to: 1 })).toBe(false);
  expect(isEmptyAt(all, { from: 2, to: 9 })).toBe(true);
  expect(isEmptyAt([], { from: 0, to: 1 })).toBe(true);
});
