import { expect, it } from 'vitest';
import type { EventKind } from '../../../resources/kinds.ts';
import { anEvent } from '../../../testing/events.ts';
import { BoardStage } from './testing/board-stage.ts';

const DAY_MS = 24 * 3_600_000;

/** Delivers events of one plan, which happened this long ago. */
async function happened(
  stage: BoardStage,
  plan: string,
  agoMs: number,
  ...kinds: EventKind[]
): Promise<void> {
  const timestamp = new Date(stage.clock.now() - agoMs).toISOString();
  for (const [index, kind] of kinds.entries())
    await stage.deliver(anEvent(kind, index + 1, { planUid: plan, plan, timestamp }));
}

it('events that are older than all nights in memory have one board, too', async () => {
  const stage = new BoardStage();
  for (let night = 0; night < 5; night++) {
    await happened(stage, `plan-${night}`, 0, 'Start', 'Success');
    await stage.clock.advance(DAY_MS);
  }
  await happened(stage, 'late', 10 * DAY_MS, 'Start', 'Success');
  await stage.idle();
  expect(stage.chat.roots()).toHaveLength(6);
  expect(stage.chat.roots().at(-1)?.text).toContain('1 of 1 asleep');
});

it('a delivery waits for a chat that takes no update until the next try of the update', async () => {
  const stage = new BoardStage();
  await happened(stage, 'a', 0, 'Start');
  stage.chat.fate = () => 'refused';
  const event = anEvent('Success', 2, {
    planUid: 'a',
    plan: 'a',
    timestamp: new Date(stage.clock.now()).toISOString(),
  });
  const progress = { level: 0, unclearSince: undefined };
  let waits = 0;
  for (const until = stage.clock.now() + 600_000; stage.clock.now() < until; waits++) {
    const outcome = await stage.request(event, progress);
    expect(outcome).toMatchObject({ kind: 'wait' });
    await stage.clock.advance(outcome.kind === 'wait' ? outcome.forMs : 0);
  }
  // The time between two tries grows to a minute.
  expect(waits).toBeLessThan(40);
  expect(await stage.request(event, progress)).toMatchObject({ why: { reason: 'ConnectionRefused' } });
  stage.chat.fate = () => 'taken';
  await stage.deliver(event);
  expect(stage.chat.roots().map(({ text }) => text)).toEqual([expect.stringContaining('1 of 1 asleep')]);
});
