import { expect, it } from 'vitest';
import { dropIn, timeoutIn } from './log-lines.ts';

const line = (about: object): string =>
  JSON.stringify({ level: 'warn', notification: 'n/night', sink: 'ops', plan: 'n/orders', ...about });

it('reads drops because of full queues', () => {
  const dropped = { msg: 'deliveries dropped', reason: 'overflow', count: 7 };
  expect(dropIn(line(dropped), 5)).toEqual([{ namespace: 'n', sink: 'ops', plan: '', count: 7, at: 5 }]);
  for (const other of [{ reason: 'expired' }, { msg: 'deliveries of an earlier process ended' }])
    expect(dropIn(line({ ...dropped, ...other }), 5)).toEqual([]);
});

it('reads requests without an answer', () => {
  const failed = { msg: 'attempt failed', outcome: 'ambiguous', reason: 'TimedOut', event: 'Start' };
  expect(timeoutIn(line(failed), 5)).toEqual([{ sink: 'ops', plan: 'orders', kind: 'Start', at: 5 }]);
  for (const other of [{ outcome: 'transient' }, { reason: 'Reset' }, { msg: 'sink waits' }])
    expect(timeoutIn(line({ ...failed, ...other }), 5)).toEqual([]);
});
