import { expect, it } from 'vitest';
import { align } from './align.ts';
import type { Said } from './messages.ts';
import type { Expected } from './net-events.ts';

const running: Expected = {
  ...{ kind: 'ExecutionProgress', cycle: 'c1', operation: 'shutdown', phase: 'Hibernating' },
  ...{ previousPhase: undefined, target: 'db', state: 'Running', retryCount: undefined, time: 2 },
};
const failed: Expected = {
  ...running,
  kind: 'PhaseChange',
  previousPhase: 'Hibernating',
  phase: 'Error',
  time: 3,
};
/** After a retry, without a time of its own: a message of any time tells it. */
const again: Expected = { ...running, time: undefined };
const said = (event: Expected, time: number): Said => ({ ...event, plan: 'orders', time });

it('of events that a message may tell, the first one has arrived', () => {
  const wanted = [running, failed, again];
  expect(align([said(running, 2)], wanted)).toMatchObject({ missing: [failed, again], disorder: [] });
  expect(align([said(running, 4)], wanted)).toMatchObject({ missing: [running, failed], disorder: [] });
  expect(align([said(running, 2), said(again, 4)], wanted)).toMatchObject({
    missing: [failed],
    disorder: [],
  });
});

it('a message in another place is out of order, not missing', () => {
  const wanted = [running, failed];
  expect(align([said(failed, 3), said(running, 2)], wanted)).toMatchObject({ missing: [], disorder: [0] });
});
