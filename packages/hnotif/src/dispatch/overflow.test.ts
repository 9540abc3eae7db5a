import { describe, expect, it } from 'vitest';
import { anEvent, progress } from '../testing/events.ts';
import type { LifecycleEvent } from '../lifecycle/event.ts';
import { victim as victimOf, WaitingProgress } from './overflow.ts';

function victim(events: readonly LifecycleEvent[], from: 0 | 1): number {
  const waiting = new WaitingProgress();
  for (const event of events) waiting.add(event);
  return victimOf(
    events.map((event) => ({ event })),
    from,
    waiting,
  );
}

describe('what goes when a stream is full', () => {
  const start = anEvent('Start', 1);
  const phase = anEvent('PhaseChange', 2);
  const success = anEvent('Success', 9);

  it('is progress that a later one of the same target makes old news', () => {
    expect(victim([start, progress(2, 'db'), progress(3, 'vm'), progress(4, 'vm')], 0)).toBe(2);
    expect(victim([progress(1, 'db'), progress(2, 'db'), progress(3, 'db')], 0)).toBe(0);
  });

  it('is else the oldest progress, whatever the age of a phase change', () => {
    expect(victim([phase, progress(3, 'db'), progress(4, 'vm'), success], 0)).toBe(1);
  });

  it('is else the oldest phase change', () => {
    expect(victim([start, phase, anEvent('PhaseChange', 3), success], 0)).toBe(1);
  });

  it('is else the oldest Start or Recovery, so that the last word on a night stays', () => {
    expect(victim([success, anEvent('Recovery', 10), anEvent('Start', 11), anEvent('Failure', 12)], 0)).toBe(
      1,
    );
  });

  it('is else the oldest of all', () => {
    expect(victim([success, anEvent('Failure', 12)], 0)).toBe(0);
  });

  it('is not progress that only the one in flight is older than', () => {
    expect(victim([progress(1, 'db'), progress(2, 'vm'), progress(3, 'db'), success], 1)).toBe(1);
    expect(victim([progress(1, 'db'), progress(2, 'vm'), progress(3, 'db'), progress(4, 'db')], 1)).toBe(2);
  });

  it('is never the head in flight', () => {
    expect(victim([progress(1, 'db'), success], 1)).toBe(1);
    expect(victim([progress(1, 'db')], 1)).toBe(-1);
  });
});
