import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { WriteLoop, type AfterWrite } from './write-loop.ts';

/** A write loop. The test decides the result of each write. */
function aLoop() {
  const clock = new ManualClock();
  const writes: { readonly urgent: boolean; readonly end: (after: AfterWrite) => Promise<void> }[] = [];
  let urgent = false;
  const loop = new WriteLoop({
    clock,
    turn: (hurry) => {
      urgent = hurry === undefined;
      return Promise.resolve(() => undefined);
    },
    write: () =>
      new Promise((resolve) => {
        writes.push({
          urgent,
          end: (after) => {
            resolve(after);
            return settle();
          },
        });
      }),
  });
  /** Ends a write; 0 is the first one. */
  const end = async (which: number, after: AfterWrite): Promise<void> => {
    await settle();
    await writes[which]?.end(after);
  };
  return { clock, loop, writes, end };
}

describe('a loop of writes', () => {
  it('writes one at a time, and once more for all changes during a write', async () => {
    const { loop, writes, end } = aLoop();
    loop.schedule(0);
    await settle();
    loop.schedule(0);
    loop.schedule(0);
    expect(writes).toHaveLength(1);
    await end(0, 'done');
    expect(writes).toHaveLength(2);
    await end(1, 'done');
    expect(writes).toHaveLength(2);
  });

  it('delays writes that are not urgent, and combines them with urgent ones', async () => {
    const { clock, loop, writes, end } = aLoop();
    loop.schedule(500);
    await clock.advance(499);
    expect(writes).toHaveLength(0);
    await clock.advance(1);
    expect(writes.map(({ urgent }) => urgent)).toEqual([false]);
    loop.schedule(500);
    loop.schedule(0);
    await end(0, 'done');
    expect(writes.map(({ urgent }) => urgent)).toEqual([false, true]);
    await end(1, 'done');
    await clock.advance(1_000);
    expect(writes).toHaveLength(2);
  });

  it('writes once for all changes until its turn comes', async () => {
    const clock = new ManualClock();
    let go: (end: () => void) => void = () => undefined;
    let [writes, ended] = [0, 0];
    const loop = new WriteLoop({
      clock,
      turn: () => new Promise((resolve) => (go = resolve)),
      write: () => Promise.resolve((writes++, 'done' as const)),
    });
    loop.schedule(0);
    loop.schedule(0);
    loop.schedule(0);
    await settle();
    expect(writes).toBe(0);
    go(() => ended++);
    await settle();
    await clock.advance(10_000);
    expect([writes, ended]).toEqual([1, 1]);
  });

  it('becomes urgent while it waits for its turn', async () => {
    const clock = new ManualClock();
    const hurries: (AbortSignal | undefined)[] = [];
    const loop = new WriteLoop({
      clock,
      turn: (hurry) => {
        hurries.push(hurry);
        return new Promise(() => undefined);
      },
      write: () => Promise.resolve('done'),
    });
    loop.schedule(500);
    await clock.advance(500);
    loop.schedule(500);
    expect(hurries.map((hurry) => hurry?.aborted)).toEqual([false]);
    loop.schedule(0);
    expect(hurries.map((hurry) => hurry?.aborted)).toEqual([true]);
  });

  it('tries again after a failure, and no sooner for new changes', async () => {
    const { clock, loop, writes, end } = aLoop();
    loop.schedule(0);
    await end(0, 1_000);
    loop.schedule(0);
    await clock.advance(999);
    expect(writes).toHaveLength(1);
    await clock.advance(1);
    expect(writes.map(({ urgent }) => urgent)).toEqual([true, true]);
    await end(1, 'again');
    expect(writes).toHaveLength(3);
  });

  it('is flushed when all is written, or when a write has failed', async () => {
    const { loop, end } = aLoop();
    await loop.flush();
    loop.schedule(5_000);
    let flushed = 0;
    void loop.flush().then(() => flushed++);
    await settle();
    loop.schedule(0);
    await end(0, 'done');
    expect(flushed).toBe(0);
    await end(1, 'done');
    expect(flushed).toBe(1);
    loop.schedule(0);
    void loop.flush().then(() => flushed++);
    await end(2, 60_000);
    expect(flushed).toBe(2);
  });

  it('also flushes delayed changes, and changes that come meanwhile', async () => {
    const { loop, writes, end } = aLoop();
    loop.schedule(0);
    let flushed = 0;
    void loop.flush().then(() => flushed++);
    await settle();
    loop.schedule(60_000, true);
    await end(0, 'done');
    await end(1, 'done');
    expect([writes.length, flushed]).toEqual([2, 1]);
  });

  it('does not wait after a failure when it must flush', async () => {
    const { clock, loop, writes, end } = aLoop();
    loop.schedule(0);
    await end(0, 30_000);
    let flushed = false;
    void loop.flush().then(() => (flushed = true));
    await settle();
    expect(writes).toHaveLength(2);
    await end(1, 30_000);
    expect(flushed).toBe(true);
    expect(writes).toHaveLength(2);
    await clock.advance(30_000);
    expect(writes).toHaveLength(3);
  });

  it('ends with close: no timer and no request is left', async () => {
    const { clock, loop, writes, end } = aLoop();
    loop.schedule(0);
    await end(0, 60_000);
    loop.close();
    loop.schedule(0);
    await loop.flush();
    await settle();
    expect(clock.timers).toBe(0);
    expect(writes).toHaveLength(1);
  });
});
