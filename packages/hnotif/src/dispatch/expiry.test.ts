import { describe, expect, it } from 'vitest';
import { settle } from '../../../core/src/testing/clock.ts';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import { delivered, down, hang, pause, rig } from './testing/rig.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

describe('a delivery that waits too long', () => {
  it('expires wherever it waits: behind a parked head, in a pause, as the head itself', async () => {
    const { clock, submit, results } = rig(
      ({ sinkName }) => (sinkName === 'paused' ? pause(HOUR * 2) : down),
      {
        limits: { pauseMaxMs: HOUR * 2 },
      },
    );
    for (const sink of ['parked', 'paused']) {
      submit(progress(1, 'db'), sink);
      submit(anEvent('Start', 2), sink);
      submit(anEvent('PhaseChange', 3), sink);
      submit(anEvent('Success', 4), sink);
    }
    await clock.advance(HOUR + MINUTE);
    const progressGone = ['1 dropped expired', '1 dropped expired', '3 dropped expired', '3 dropped expired'];
    expect(results().sort()).toEqual(progressGone);
    await clock.advance(22 * HOUR);
    expect(results()).toHaveLength(4);
    await clock.advance(HOUR);
    expect(results().slice(4).sort()).toEqual([
      '2 dropped expired',
      '2 dropped expired',
      '4 dropped expired',
      '4 dropped expired',
    ]);
    expect(clock.timers).toBe(0);
  });

  it('but is being sent ends with its answer', async () => {
    const { clock, submit, results, dispatcher } = rig(hang, { limits: { maxAgeMs: 1_000 } });
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await clock.advance(10_000);
    expect(results()).toEqual(['2 dropped expired']);
    expect(dispatcher.stats()).toMatchObject({ deliveries: 1, inFlight: 1 });
  });

  it('while its retry waits lets the next one of its stream go', async () => {
    const { clock, submit, results } = rig(({ event }) => (event.seq === 1 ? down : delivered), {
      limits: { maxAgeOfProgressMs: 300 },
    });
    submit(progress(1, 'db'));
    submit(anEvent('Success', 2));
    await clock.advance(300);
    expect(results()).toEqual(['1 dropped expired', '2 delivered']);
    expect(clock.timers).toBe(0);
  });

  it('has its age from its acceptance, which may be in an earlier process; after that the wall clock does not matter', async () => {
    const { clock, submit, results } = rig(() => down);
    submit(anEvent('Start', 1), 'old', { acceptedAt: clock.now() - 23 * HOUR });
    submit(anEvent('Start', 2), 'new', { acceptedAt: clock.now() });
    submit(anEvent('Start', 3), 'skewed', { acceptedAt: clock.now() + HOUR });
    submit(anEvent('Start', 4), 'ancient', { acceptedAt: clock.now() - 48 * HOUR });
    await settle();
    expect(results()).toEqual(['4 dropped expired']);
    clock.jump(100 * HOUR);
    await clock.advance(59 * MINUTE);
    expect(results()).toHaveLength(1);
    clock.jump(-100 * HOUR);
    await clock.advance(MINUTE);
    expect(results().slice(1)).toEqual(['1 dropped expired']);
    await clock.advance(23 * HOUR + MINUTE);
    expect(results().slice(2).sort()).toEqual(['2 dropped expired', '3 dropped expired']);
    expect(clock.timers).toBe(0);
  });

  it('ends with the requests that were made: the first ones and the last ones', async () => {
    const { clock, submit, settled } = rig(() => down);
    submit(anEvent('Start', 1));
    submit(anEvent('Success', 2));
    await clock.advance(25 * HOUR);
    const [{ requestCount = 0, requests = [] } = {}] = settled;
    expect(requestCount).toBeGreaterThan(100);
    expect(requests.map(({ reason, wait }) => `${reason} ${wait?.why}`)).toEqual([
      ...['ServerError retry', 'ServerError retry'],
      ...Array.from({ length: 4 }, () => 'ServerError parked'),
    ]);
    expect(requests[1]?.omitted).toBe(requestCount - requests.length);
    const whole = requests.reduce((sum, { tookMs, wait }) => sum + tookMs + (wait?.ms ?? 0), 0);
    expect(whole / HOUR).toBeCloseTo(24, 1);
    expect(settled.map(({ event, result }) => `${event.seq} ${result}`)).toEqual(['1 dropped', '2 dropped']);
  });

  it('is searched for at most once in a minute, however many there are', async () => {
    const { clock, submit, settled } = rig(() => down, { limits: { maxAgeOfProgressMs: 10 * MINUTE } });
    for (let second = 0; second < 120; second++) {
      submit(progress(second, 'db'));
      await clock.advance(1_000);
    }
    const before = settled.length;
    await clock.advance(8 * MINUTE);
    const ends = new Set<number>();
    for (let second = 0; second < 180; second++) {
      const known = settled.length;
      await clock.advance(1_000);
      if (settled.length > known) ends.add(second);
    }
    expect(settled.length - before).toBe(120);
    expect(ends.size).toBeLessThanOrEqual(4);
  });
});
