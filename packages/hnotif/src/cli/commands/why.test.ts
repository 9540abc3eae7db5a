import { expect, it } from 'vitest';
import type { Explanation } from '@hnotif/core/page';
import { durationInWords } from '../../status/words.ts';
import { withoutAges } from './why.ts';

const explained = (ms: number, message: string): readonly Explanation[] => [
  {
    ...{ namespace: 'shop', deliveries: [], unread: [] },
    leader: { state: 'serving', message: `served by a, last heard ${durationInWords(ms)} ago` },
    findings: [{ severity: 'waiting', notification: 'n', sink: 's', reason: 'Parked', message }],
  },
];

it('that time passes is no change, and all else is one', () => {
  const before = withoutAges(explained(1_000, 'parked, 3 wait, next try in 40 s'));
  for (const ms of [2_000, 600_000, 86_400_000])
    expect(withoutAges(explained(ms, 'parked, 3 wait, next try in 39 s'))).toBe(before);
  expect(withoutAges(explained(1_000, 'parked, 4 wait, next try in 40 s'))).not.toBe(before);
});
