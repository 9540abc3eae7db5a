import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

const never = new AbortController().signal;

describe('slots per origin', () => {
  it('are given at once up to the limit, then first come first served', async () => {
    const slots = new Slots(1);
    expect(slots.acquire('a', never)).toBe(true);
    const order: number[] = [];
    const waits = [1, 2].map((who) => Promise.resolve(slots.acquire('a', never)).then(() => order.push(who)));
    slots.release('a');
    await waits[0];
    expect(order).toEqual([1]);
    slots.release('a');
    await waits[1];
    expect(order).toEqual([1, 2]);
  });

  it('of one origin leave those of another alone', () => {
    const slots = new Slots(1);
    void slots.acquire('a', never);
    expect(slots.acquire('b', never)).toBe(true);
  });

  it('that were waited for in vain are not held', async () => {
    const slots = new Slots(1);
    void slots.acquire('a', never);
    const stop = new AbortController();
    const wait = slots.acquire('a', stop.signal);
    stop.abort();
    expect(await wait).toBe(false);
    slots.release('a');
    expect(slots.acquire('a', never)).toBe(true);
  });
});
