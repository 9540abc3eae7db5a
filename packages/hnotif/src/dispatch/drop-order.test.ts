import { describe, expect, it } from 'vitest';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import { dropOrder, type Expendable } from './drop-order.ts';

const order = (events: Parameters<typeof dropOrder<ReturnType<typeof anEvent>>>[0], may?: Expendable) =>
  dropOrder(events, may).map(({ seq }) => seq);

describe('the order of drops in a full backlog', () => {
  const start = anEvent('Start', 1);

  it('begins with progress that newer progress of its target supersedes', () => {
    expect(order([start, progress(2, 'db'), progress(3, 'vm'), progress(4, 'vm')])).toEqual([3, 2, 4, 1]);
    expect(order([progress(1, 'db'), progress(2, 'vm'), progress(3, 'vm'), progress(4, 'db')])).toEqual([
      1, 2, 3, 4,
    ]);
  });

  const phase = (seq: number) => anEvent('PhaseChange', seq);
  const night = [
    anEvent('Success', 1, { run: 1 }),
    phase(2),
    progress(3, 'db'),
    anEvent('Start', 4, { run: 2 }),
    progress(5, 'vm'),
    phase(6),
    anEvent('Recovery', 7, { run: 2 }),
    anEvent('Recovery', 8, { run: 2 }),
    anEvent('Failure', 9, { run: 2 }),
    anEvent('Start', 10, { run: 3 }),
    anEvent('Recovery', 11, { run: 3 }),
  ];

  it('continues with other progress, phase changes, Recoveries before the newest of their run, beginnings of runs that have ended, others, ends', () => {
    expect(order(night)).toEqual([3, 5, 2, 6, 7, 4, 8, 10, 11, 1, 9]);
  });

  it('stops at the class that the caller names', () => {
    expect(order(night, 'progress')).toEqual([3, 5, 2, 6]);
    expect(order(night, 'beginnings')).toEqual([3, 5, 2, 6, 7, 4, 8, 10, 11]);
  });
});
