import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

describe('slots per origin', () => {
  it('are given at once up to the limit, then first come first served', async () => {
    const slots = new Slots(1);
    expect(slots.acquire('a')).toBe(true);
    const order: number[] = [];
    const waits = [1, 2].map((who) => Promise.resolve(slots.acquire('a')).then(() => order.push(who)));
    slots.release('a');
    await waits[0];
    expect(order).toEqual([1]);
    slots.release('a');
    await waits[1];
    expect(order).toEqual([1, 2]);
  });

  it('of one origin leave those of another alone', () => {
    const slots = new Slots(1);
    void slots.acquire('a');
    expect(slots.acquire('b')).toBe(true);
  });

  it('are given to nobody after the end, not even to those who wait', async () => {
    const slots = new Slots(1);
    void slots.acquire('a');
    const wait = slots.acquire('a');
    slots.close();
    expect(await wait).toBe(false);
    expect(slots.acquire('b')).toBe(false);
  });
});
