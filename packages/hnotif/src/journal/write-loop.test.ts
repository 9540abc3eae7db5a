import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../testing/clock.ts';
import { WriteLoop, type AfterWrite } from './write-loop.ts';

/** Writes that the test answers. */
function aLoop() {
  const clock = new ManualClock();
  const writes: { readonly urgent: boolean; readonly end: (after: AfterWrite) => Promise<void> }[] = [];
  const loop = new WriteLoop(
    clock,
    (hurry) =>
      new Promise((resolve) => {
        writes.push({
          urgent: hurry === undefined,
          end: (after) => {
            resolve(after);
            return settle();
          },
        });
      }),
  );
  return { clock, loop, writes };
}

describe('a loop of writes', () => {
  it('writes one at a time, and what is wanted meanwhile once more', async () => {
    const { loop, writes } = aLoop();
    loop.want(0);
    loop.want(0);
    loop.want(0);
    expect(writes).toHaveLength(1);
    await writes[0]?.end('done');
    expect(writes).toHaveLength(2);
    await writes[1]?.end('done');
    expect(writes).toHaveLength(2);
  });

  it('puts off what is in no hurry, and takes it along with what is', async () => {
    const { clock, loop, writes } = aLoop();
    loop.want(500);
    await clock.advance(499);
    expect(writes).toHaveLength(0);
    await clock.advance(1);
    expect(writes.map(({ urgent }) => urgent)).toEqual([false]);
    loop.want(500);
    loop.want(0);
    await writes[0]?.end('done');
    expect(writes.map(({ urgent }) => urgent)).toEqual([false, true]);
    await writes[1]?.end('done');
    await clock.advance(1_000);
    expect(writes).toHaveLength(2);
  });

  it('hurries what is under way without haste when somebody waits for it', async () => {
    const clock = new ManualClock();
    const hurries: (AbortSignal | undefined)[] = [];
    const loop = new WriteLoop(clock, (hurry) => {
      hurries.push(hurry);
      return new Promise(() => undefined);
    });
    loop.want(500);
    await clock.advance(500);
    loop.want(500);
    expect(hurries.map((hurry) => hurry?.aborted)).toEqual([false]);
    loop.want(0);
    expect(hurries.map((hurry) => hurry?.aborted)).toEqual([true]);
  });

  it('tries again after a failure, not sooner for anything new', async () => {
    const { clock, loop, writes } = aLoop();
    loop.want(0);
    await writes[0]?.end(1_000);
    loop.want(0);
    await clock.advance(999);
    expect(writes).toHaveLength(1);
    await clock.advance(1);
    expect(writes.map(({ urgent }) => urgent)).toEqual([true, true]);
    await writes[1]?.end('again');
    expect(writes).toHaveLength(3);
  });

  it('is flushed when all is written, or a write has failed', async () => {
    const { loop, writes } = aLoop();
    await loop.flush();
    loop.want(5_000);
    let flushed = 0;
    void loop.flush().then(() => flushed++);
    loop.want(0);
    await writes[0]?.end('done');
    expect(flushed).toBe(0);
    await writes[1]?.end('done');
    expect(flushed).toBe(1);
    loop.want(0);
    void loop.flush().then(() => flushed++);
    await writes[2]?.end(60_000);
    expect(flushed).toBe(2);
  });

  it('waits no longer after a failure when it is to be flushed', async () => {
    const { clock, loop, writes } = aLoop();
    loop.want(0);
    await writes[0]?.end(30_000);
    let flushed = false;
    void loop.flush().then(() => (flushed = true));
    await settle();
    expect(writes).toHaveLength(2);
    await writes[1]?.end(30_000);
    expect(flushed).toBe(true);
    expect(writes).toHaveLength(2);
    await clock.advance(30_000);
    expect(writes).toHaveLength(3);
  });

  it('ends with close: no timer is left, and nobody waits', async () => {
    const { clock, loop, writes } = aLoop();
    loop.want(0);
    await writes[0]?.end(60_000);
    loop.close();
    loop.want(0);
    await loop.flush();
    await settle();
    expect(clock.timers).toBe(0);
    expect(writes).toHaveLength(1);
  });
});
