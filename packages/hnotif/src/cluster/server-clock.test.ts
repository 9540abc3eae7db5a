import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { ServerClock } from './server-clock.ts';

const AT = Date.UTC(2026, 0, 5, 22, 0, 0);
const dateOf = (ms: number): string => new Date(ms).toUTCString();

let own: ManualClock;
let clock: ServerClock;

beforeEach(() => {
  own = new ManualClock();
  clock = new ServerClock(own);
});

describe('the clock of the API server', () => {
  it('is our own until an answer has told its date', () => {
    for (const nothing of [undefined, '', 'yesterday', ['a', 'b'], 5]) clock.observe(nothing);
    expect(clock.now()).toBe(own.now());
  });

  it('is our own, to the millisecond, where they agree but for some seconds', () => {
    for (const off of [-4_000, 4_000]) {
      clock.observe(dateOf(own.now() + off));
      expect(clock.now()).toBe(own.now());
    }
    clock.observe(dateOf(own.now() + 20_000));
    expect(clock.now()).toBeGreaterThan(own.now() + 15_000);
  });

  it('goes on by our monotonic clock, whatever our wall clock says', async () => {
    clock.observe(dateOf(AT));
    expect(Math.abs(clock.now() - AT)).toBeLessThanOrEqual(500);
    const before = clock.now();
    await own.advance(3_600_000);
    expect(clock.now() - before).toBe(3_600_000);
  });

  it('does not go back and forth with whole seconds, and follows a clock that jumped', async () => {
    clock.observe(dateOf(AT));
    const before = clock.now();
    await own.advance(999);
    clock.observe(dateOf(AT));
    expect(clock.now() - before).toBe(999);
    clock.observe(dateOf(AT + 7_200_000));
    expect(Math.abs(clock.now() - AT - 7_200_000)).toBeLessThanOrEqual(500);
  });
});
