import { expect, it } from 'vitest';
import { inSlices, laterInSlices, Repeated, restAfter, SLICE_MS } from './slices.ts';
import { ManualClock } from '../../core/src/testing/clock.ts';

class Clock extends ManualClock {
  time = 0;

  override monotonic(): number {
    return this.time;
  }
}

/** Work of this many steps, each as long as a slice. Notes its name at each step. */
function* steps(clock: Clock, count: number, name: string, done: string[]): Generator<undefined, string> {
  for (let step = 0; step < count; step++) {
    done.push(name);
    clock.time += SLICE_MS;
    yield;
  }
  return name;
}

/** Notes each turn of the event loop until `work` is done. */
async function withTurns<T>(done: string[], work: Promise<T>): Promise<T> {
  let isOver = false;
  const turn = (): void => {
    if (isOver) return;
    done.push('|');
    setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work;
  isOver = true;
  return result;
}

it('runs short work at once', async () => {
  const done: string[] = [];
  const clock = new Clock();
  const work = inSlices(clock, steps(clock, 1, 'a', done));
  expect(done).toEqual(['a']);
  expect(await work).toBe('a');
});

it('runs one slice in a turn, in turn for each work', async () => {
  const done: string[] = [];
  const clock = new Clock();
  const names = await withTurns(
    done,
    Promise.all(['a', 'b', 'c'].map((name) => inSlices(clock, steps(clock, 3, name, done)))),
  );
  expect(names).toEqual(['a', 'b', 'c']);
  expect(done.join('')).toMatch(/^abc\|?a\|b\|c\|a\|b\|c/);
});

it('counts the time of its slices, and not that of other work', async () => {
  const clock = new Clock();
  let took = 0;
  const work = inSlices(clock, steps(clock, 3, 'a', []), (ms) => (took += ms));
  clock.time += 500;
  await work;
  expect(took).toBe(3 * SLICE_MS);
});

it('can begin in a later turn', async () => {
  const done: string[] = [];
  const clock = new Clock();
  const work = laterInSlices(clock, steps(clock, 1, 'a', done));
  expect(done).toEqual([]);
  await work;
  expect(done).toEqual(['a']);
});

it('rejects with the error of the work', async () => {
  await expect(
    inSlices(
      new Clock(),
      (function* (): Generator<undefined, void> {
        yield;
        throw new Error('broken');
      })(),
    ),
  ).rejects.toThrow('broken');
});

it('lets costly work rest for twenty times as long, at most a second', () => {
  expect([0, 2, 50, 1_000].map(restAfter)).toEqual([0, 40, 1_000, 1_000]);
});

it('repeats work some time after its end, until it has nothing more to do or is stopped', async () => {
  const clock = new ManualClock();
  let left = 3;
  const work = new Repeated(clock, 1_000, function* () {
    yield;
    return --left > 0;
  });
  work.start();
  work.start();
  await clock.advance(999);
  expect(left).toBe(3);
  await clock.advance(1_001);
  expect(left).toBe(1);
  work.stop();
  await clock.advance(5_000);
  expect(left).toBe(1);
  work.start();
  await clock.advance(5_000);
  expect(left).toBe(0);
});

it('does not repeat work that was stopped while it ran', async () => {
  const clock = new Clock();
  let times = 0;
  const work = new Repeated(clock, 1_000, function* () {
    times++;
    work.stop();
    yield;
    return true;
  });
  work.start();
  await clock.advance(1_000);
  await clock.advance(5_000);
  expect(times).toBe(1);
});

it('does not repeat work that is still running', async () => {
  const clock = new Clock();
  const began: number[] = [];
  const work = new Repeated(clock, 1, function* () {
    began.push(clock.time);
    for (let step = 0; step < 5; step++) {
      clock.time += SLICE_MS;
      work.start();
      yield;
    }
    return false;
  });
  work.start();
  await clock.advance(1);
  await clock.advance(10);
  expect(began).toHaveLength(1);
});
