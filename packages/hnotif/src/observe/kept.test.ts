import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { kept } from './kept.ts';

describe('kept', () => {
  it('is made once at a time, and again when its time is over', async () => {
    const clock = new ManualClock();
    let made = 0;
    const done: (() => void)[] = [];
    const ask = kept(clock, 1_000, async () => {
      const value = ++made;
      await new Promise<void>((resolve) => done.push(resolve));
      return value;
    });
    const first = Array.from({ length: 100 }, () => ask());
    await clock.advance(5_000);
    const late = ask();
    done.shift()?.();
    expect(new Set(await Promise.all([...first, late]))).toEqual(new Set([1]));
    await clock.advance(999);
    expect(await ask()).toBe(1);
    await clock.advance(1);
    const second = ask();
    done.shift()?.();
    expect([await second, made]).toEqual([2, 2]);
  });

  it('keeps no failure', async () => {
    let made = 0;
    const ask = kept(new ManualClock(), 1_000, () =>
      made++ === 0 ? Promise.reject(new Error('no')) : Promise.resolve('yes'),
    );
    const both = await Promise.allSettled([ask(), ask()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([await ask(), made]).toEqual(['yes', 2]);
  });
});
