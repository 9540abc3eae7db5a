import { describe, expect, it } from 'vitest';
import { RequestSlots } from './request-slots.ts';

describe('the requests in flight', () => {
  it('to an origin are shared: one namespace gets half, and the next one still goes out at once', async () => {
    const slots = new RequestSlots(4, 100);
    expect([1, 2].map(() => slots.acquire('a', 'one'))).toEqual([true, true]);
    const third = slots.acquire('a', 'one');
    expect(third).toBeInstanceOf(Promise);
    expect(slots.shortage('a', 'one')).toEqual({ of: 'origin', held: 2 });
    expect(slots.acquire('a', 'two')).toBe(true);
    expect(slots.shortage('a', 'two')).toBeUndefined();
    slots.release('a', 'one');
    expect(await third).toBe(true);
    expect(slots.shortage('a', 'one')).toBeUndefined();
  });

  it('to one origin leave those to another alone', () => {
    const slots = new RequestSlots(2, 100);
    void slots.acquire('a', 'one');
    void slots.acquire('a', 'one');
    expect(slots.acquire('b', 'one')).toBe(true);
  });

  it('are shared in all, too, and a wait for that takes no slot of the origin from others', async () => {
    const slots = new RequestSlots(100, 4);
    expect(['a', 'b'].map((origin) => slots.acquire(origin, 'one'))).toEqual([true, true]);
    const waits = slots.acquire('c', 'one');
    expect(slots.shortage('c', 'one')).toEqual({ of: 'process', held: 2 });
    expect(slots.acquire('c', 'two')).toBe(true);
    slots.release('a', 'one');
    expect(await waits).toBe(true);
  });

  it('are not granted after the end, not even to those that wait', async () => {
    for (const slots of [new RequestSlots(1, 100), new RequestSlots(100, 1)]) {
      void slots.acquire('a', 'one');
      const wait = slots.acquire('a', 'one');
      slots.close();
      expect(await wait).toBe(false);
      expect(slots.acquire('b', 'one')).toBe(false);
    }
  });
});
