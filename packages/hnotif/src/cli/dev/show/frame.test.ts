import { expect, it } from 'vitest';
import { fitted, gutter, lead } from './frame.ts';
import { plain } from './paint.ts';
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
