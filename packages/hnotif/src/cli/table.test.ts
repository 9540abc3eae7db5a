import { expect, it } from 'vitest';
import { table, type Column } from './table.ts';

interface Row {
  readonly name: string;
  readonly why: string;
}
const COLUMNS: readonly Column<Row>[] = [
  { header: 'NAME', cell: ({ name }) => name, colour: ({ name }) => (name === 'bad' ? 'red' : undefined) },
  { header: 'UID', cell: () => 'u', wide: true },
  { header: 'WHY', cell: ({ why }) => why },
];
const ROWS = [
  { name: 'bad', why: 'the secret ops-webhook is missing' },
  { name: 'a-long-name', why: '' },
];

const IO: Parameters<typeof table>[2] = { columns: undefined, colour: (_, text) => text };

it('columns have the width of their longest cell, and no line ends with blanks', () => {
  expect(table(COLUMNS, ROWS, IO)).toBe(
    ['NAME          WHY', 'bad           the secret ops-webhook is missing', 'a-long-name', ''].join('\n'),
  );
});

it('a terminal cuts the last column; -o wide has more columns', () => {
  expect(table(COLUMNS, ROWS, { ...IO, columns: 40 }).split('\n')[1]).toBe(
    'bad           the secret ops-webhook is…',
  );
  expect(table(COLUMNS, ROWS, IO, true).split('\n')[0]).toBe('NAME          UID   WHY');
});

it('colours do not change the columns', () => {
  const colour = (name: string, text: string): string => `<${name}>${text}</>`;
  expect(
    table(COLUMNS, ROWS, { ...IO, colour })
      .replaceAll(/<.*?>/g, '')
      .replaceAll(/ +$/gm, ''),
  ).toBe(table(COLUMNS, ROWS, IO));
  expect(table(COLUMNS, ROWS, { ...IO, colour })).toContain('<red>bad        </>');
});

it('what receivers and tenants wrote cannot move the cursor or begin a line', () => {
  const rows = [{ name: 'n', why: '\u001b[2Ja\tb\r\nc\u0007\u202e\u2028d' }];
  expect(table(COLUMNS, rows, IO).split('\n')[1]).toBe('n      �[2Ja  b c� d');
});
