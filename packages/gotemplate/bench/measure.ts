/** Measures work in batches. The time of one execution is the median of the batches. */
import { performance } from 'node:perf_hooks';

/** Runs the work `times` times. Returns the nanoseconds. */
export type Batch = (times: number) => number | Promise<number>;

/** The wanted duration of a batch, in milliseconds. */
const BATCH = 10;
const ROUNDS = 31;
/** The milliseconds of warm-up before measuring: the JIT compiler needs it. */
const WARM_UP = 500;

export function timed(work: () => void): Batch {
  return (times) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) work();
    return (performance.now() - start) * 1e6;
  };
}

/**
 * The nanoseconds of one execution of each. After a warm-up, the contenders alternate batch by batch, so other load on the
 * machine affects them equally.
 */
export async function compete(contenders: readonly Batch[]): Promise<number[]> {
  const times: number[] = [];
  for (const contender of contenders) times.push(await warmUp(contender));
  const rounds: number[][] = contenders.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, contender] of contenders.entries()) {
      const n = times[i] ?? 1;
      rounds[i]?.push((await contender(n)) / n);
    }
  return rounds.map(median);
}

/** Runs the work until it is warm and a batch is long enough. Returns the size of a batch. */
async function warmUp(contender: Batch): Promise<number> {
  let times = 1;
  for (let spent = 0; spent < WARM_UP;) {
    const milliseconds = (await contender(times)) / 1e6;
    spent += milliseconds;
    if (milliseconds < BATCH || spent >= WARM_UP)
      times = Math.ceil(times * Math.min(10, BATCH / Math.max(milliseconds, 0.01)));
  }
  return times;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}
