import { describe, expect, it } from 'vitest';
import type { LifecycleEvent } from '../lifecycle/event.ts';
import { anEvent, progress } from '../testing/events.ts';
import { Expendables, victim } from './overflow.ts';

/** The seq of what goes first, and of what goes when that is gone, until nothing is left. */
function order(events: readonly LifecycleEvent[], spared?: number): number[] {
  let waiting = events.map((event) => ({ event }));
  const expendables = new Expendables<{ event: LifecycleEvent }>();
  for (const each of waiting) expendables.add(each);
  const kept = waiting.find(({ event }) => event.seq === spared);
  const gone: number[] = [];
  for (let next = victim(waiting, expendables, kept); next !== undefined;) {
    gone.push(next.event.seq);
    expendables.remove(next);
    waiting = waiting.filter((each) => each !== next);
    next = victim(waiting, expendables, kept);
  }
  return gone;
}

describe('what goes when a stream is full', () => {
  const start = anEvent('Start', 1);

  it('is first progress that a later one of the same target makes old news', () => {
    expect(order([start, progress(2, 'db'), progress(3, 'vm'), progress(4, 'vm')])[0]).toBe(3);
    expect(order([progress(1, 'db'), progress(2, 'db'), progress(3, 'db')])).toEqual([1, 2, 3]);
  });

  it('then the oldest progress, then the oldest phase change, then Start and Recovery, then the rest', () => {
    const phase = (seq: number) => anEvent('PhaseChange', seq);
    const night = [
      anEvent('Success', 1),
      phase(2),
      progress(3, 'db'),
      anEvent('Start', 4),
      progress(5, 'vm'),
      phase(6),
      anEvent('Recovery', 7),
      anEvent('Failure', 8),
    ];
    expect(order(night)).toEqual([3, 5, 2, 6, 4, 7, 1, 8]);
  });

  it('is never the head that has been tried, nor what only that one is older than', () => {
    const night = [progress(1, 'db'), progress(2, 'vm'), progress(3, 'db'), anEvent('Success', 4)];
    expect(order(night, 1)).toEqual([2, 3, 4]);
    expect(order([progress(1, 'db')], 1)).toEqual([]);
  });

  it('is old news in the order in which it became so', () => {
    expect(order([progress(1, 'db'), progress(2, 'vm'), progress(3, 'vm'), progress(4, 'db')])).toEqual([
      2, 1, 3, 4,
    ]);
  });
});
