import { expect, it } from 'vitest';
import { settle } from '../../../core/src/testing/clock.ts';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import { hang, rig } from './testing/rig.ts';

const table = () => [{ name: 'db', executor: 'rds', state: 'Running', message: 'x'.repeat(100) }];

it('a receiver that hangs causes no drop of the end of a run, and no more memory than the limit', async () => {
  const backlogBytes = 1_000_000;
  const { clock, dispatcher, submit, stop, settled } = rig(hang, { limits: { backlogBytes } });
  let last = 0;
  for (let seq = 0; seq < 20_000; seq++) {
    const planUid = `p${seq % 50}`;
    const isLast = Math.floor(seq / 50) % 100 === 99;
    if (isLast) last++;
    submit({
      ...(isLast ? anEvent('Success', seq) : progress(seq, `t${seq % 7}`)),
      ...{ planUid, targets: table() },
    });
    if (seq % 500 === 0) await settle();
    // One namespace alone gets half of the backlog.
    expect(dispatcher.stats().bytes).toBeLessThanOrEqual(backlogBytes / 2 + 2_000);
  }
  expect(settled.filter(({ event }) => event.kind === 'Success')).toEqual([]);
  settled.length = 0;
  const stopped = stop(0);
  await clock.advance(1_000);
  await stopped;
  const kept = settled.filter(({ event }) => event.kind === 'Success');
  expect([last, kept.length]).toEqual([200, 200]);
  // Settles them, as if a stream had sent them.
  for (let plan = 0; plan < 50; plan++) {
    const seqs = kept.filter(({ event }) => event.planUid === `p${plan}`).map(({ event }) => event.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  }
});
