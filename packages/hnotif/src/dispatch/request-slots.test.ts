import { describe, expect, it } from 'vitest';
import { settle } from '../../../core/src/testing/clock.ts';
import { RequestSlots } from './request-slots.ts';

describe('the requests in flight', () => {
  it('to an origin are shared: one namespace gets half, and the next one gets a slot at once', async () => {
    const slots = new RequestSlots(4, 100);
    expect(await Promise.all([1, 2].map(() => slots.acquire('a', 'one')))).toEqual([true, true]);
    const third = slots.acquire('a', 'one');
    expect(slots.shortage('a', 'one')).toEqual({ of: 'origin', held: 2 });
    expect(await slots.acquire('a', 'two')).toBe(true);
    expect(slots.shortage('a', 'two')).toBeUndefined();
    slots.release('a', 'one');
    expect(await third).toBe(true);
    expect(slots.shortage('a', 'one')).toBeUndefined();
  });

  it('to one origin do not affect those to another', async () => {
    const slots = new RequestSlots(2, 100);
    void slots.acquire('a', 'one');
    void slots.acquire('a', 'one');
    expect(await slots.acquire('b', 'one')).toBe(true);
  });

  it('have a shared total, too; a request that waits for it holds no slot of the origin', async () => {
    const slots = new RequestSlots(100, 4);
    expect(await Promise.all(['a', 'b'].map((origin) => slots.acquire(origin, 'one')))).toEqual([true, true]);
    const waits = slots.acquire('c', 'one');
    await settle();
    expect(slots.shortage('c', 'one')).toEqual({ of: 'process', held: 2 });
    expect(await slots.acquire('c', 'two')).toBe(true);
    slots.release('a', 'one');
    expect(await waits).toBe(true);
  });

  it('get no slots after close, not even if they wait already', async () => {
    for (const slots of [new RequestSlots(1, 100), new RequestSlots(100, 1)]) {
      void slots.acquire('a', 'one');
      const wait = slots.acquire('a', 'one');
      slots.close();
      expect(await wait).toBe(false);
      expect(await slots.acquire('b', 'one')).toBe(false);
    }
  });
});
