import fc from 'fast-check';
import { styleText, stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { fitted, gutter, lead, widthOf, wrapped } from './frame.ts';
import { plain } from '../../paint.ts';
import { webhookLines } from './webhook.ts';

const at = Date.parse('2026-01-05T20:00:01.234Z');
const failed = webhookLines(
  {
    path: '/',
    arrivedAt: at,
    arrivedMonotonic: 61,
    answered: { accepted: true },
    signatureReason: '',
    schemaErrors: [],
    json: {
      context: {
        event: 'ExecutionProgress',
        plan: { namespace: 'team', name: 'warehouse' },
        operation: 'Hibernate',
        phase: 'Hibernating',
        sinkName: 'night-log',
        targetExecution: {
          name: 'ingest-machines',
          executor: 'ec2',
          state: 'Failed',
          message: 'the instance is being modified; try again when it is available',
        },
      },
    },
  },
  () => 0,
  plain,
);

it.each([
  [
    80,
    [
      '20:00:01   61 ms night-log ✘ Progress    warehouse  ingest-machines (ec2) Failed',
      '                   — the instance is being modified; try again when it is',
      '                   available',
    ],
  ],
  [
    100,
    [
      '20:00:01   61 ms night-log ✘ Progress    warehouse  ingest-machines (ec2) Failed — the instance is',
      '                   being modified; try again when it is available',
    ],
  ],
])('a delivery goes on below itself on a terminal of %i columns', (columns, lines) => {
  expect(failed.flatMap((line) => fitted(line, columns, plain))).toEqual(lines);
});

it('a message goes on behind its bar: no text in it begins a line of its own', () => {
  const lines = gutter(['• db (rds): Failed | Account: 123456789012', '▏ quoted words that go on'], plain);
  expect(lines.flatMap((line) => fitted(line, 30, plain))).toEqual([
    '    │ • db (rds): Failed |',
    '    │   Account: 123456789012',
    '    │ ▏ quoted words that go',
    '    │   on',
  ]);
});

it('where the width is not known, lines stay whole', () => {
  const line = lead(at, 1, plain) + 'word '.repeat(100);
  expect(fitted(line, Infinity, plain)).toEqual([line]);
});

const red = (text: string): string => styleText('red', text, { validateStream: false });

it('a word that is longer than the line stays whole', () => {
  const url = 'https://wiki.example.com/runbooks/nights';
  expect(wrapped(`see ${url} now`, 20, '  ')).toEqual(['see', `  ${url}`, '  now']);
});

it('a colour ends at the break and goes on behind it', () => {
  expect(wrapped(`a ${red('bb cc dd')} e`, 7, '  ')).toEqual([
    'a \u001b[31mbb cc\u001b[0m',
    '  \u001b[31mdd\u001b[39m e',
  ]);
});

it('emoji are two columns wide, signs of one colour are one', () => {
  expect(['🌙', '⚠️', '✔', '│', '█', '漢', 'ä', red('x')].map(widthOf)).toEqual([2, 2, 1, 1, 1, 2, 1, 1]);
});

it('no word is lost, and no line of short words is too long', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc🌙é'), minLength: 1, maxLength: 8 });
  const piece = fc.oneof(word, word.map(red));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 20, max: 40 }), (pieces, columns) => {
      const line = pieces.join(' ');
      const lines = wrapped(line, columns, '  ');
      const words = (text: string): string[] => stripVTControlCharacters(text).split(/\s+/).filter(Boolean);
      expect(lines.flatMap(words)).toEqual(words(line));
      for (const each of lines) expect(widthOf(each)).toBeLessThanOrEqual(columns);
    }),
    { seed: 20260105 },
  );
});
