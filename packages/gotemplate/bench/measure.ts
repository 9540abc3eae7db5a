/** Times work that is done in batches; what one execution takes is the median of the batches. */
import { performance } from 'node:perf_hooks';

/** Does it so many times and gives the nanoseconds that took. */
export type Batch = (times: number) => number | Promise<number>;

/** A batch is to take so long, in milliseconds. */
const BATCH = 10;
const ROUNDS = 31;
/** So long each is run before it counts: a compiler that learns from what runs needs it. */
const WARM_UP = 500;

export function timed(work: () => void): Batch {
  return (times) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) work();
    return (performance.now() - start) * 1e6;
  };
}

/**
 * Nanoseconds of one of each. The contenders take turns batch by batch, so that what else the machine does hits them alike;
 * a warm-up goes before.
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

/** Runs it until it is warm and a batch takes long enough; how many times that is. */
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
