import { expect, it } from 'vitest';
import { differencesOf } from './night-differences.ts';
import { nightOn } from './night-window.ts';
import type { Run } from './runs.ts';

const run = (began: string): Run =>
  ({ operation: 'shutdown', state: 'completed', began: Date.parse(began) }) as Run;

it.each([
  ['the same', '2026-10-20', '2026-10-19T18:00:00Z', '2026-10-20T18:29:00Z', '2026-10-20T18:30:00Z'],
  ['set back', '2026-10-25', '2026-10-24T18:00:00Z', '2026-10-25T19:29:00Z', '2026-10-25T19:30:00Z'],
  ['set forward', '2026-03-29', '2026-03-28T19:00:00Z', '2026-03-29T18:29:00Z', '2026-03-29T18:30:00Z'],
])(
  'a run is missing half an hour later than the night before by the clocks, which were %s',
  (_, date, before, early, due) => {
    const missingAt = (now: string) =>
      differencesOf([], [run(before)], nightOn(date, 'Europe/Berlin')!, Date.parse(now));
    expect(missingAt(early)).toEqual([]);
    expect(missingAt(due)).toEqual([
      {
        kind: 'missing',
        operation: 'shutdown',
        message: 'did not fall asleep; the night before it did at 20:00',
      },
    ]);
  },
);
