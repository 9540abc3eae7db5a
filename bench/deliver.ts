import { startService, type ServiceOptions } from './service.ts';
import type { Submission } from './submission.ts';

/** The most submissions that wait. More would measure the queue. */
const WINDOW = 1_024;
/** Submissions in one turn of the event loop, like those of one change of a plan. */
const BATCH = 64;

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface Cost {
  readonly tookMs: number;
  /** Processor time of this process: all threads, user and kernel. */
  readonly cpuMs: number;
}

/** The cost of some work. */
export async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { tookMs: performance.now() - begun, cpuMs: (user + system) / 1000 };
}

/** A new service delivers all submissions. Rejects if one was not delivered. */
export async function deliverAll(
  options: Omit<ServiceOptions, 'settled'>,
  submissions: readonly Submission[],
): Promise<Cost> {
  let waiting = 0;
  const lost: string[] = [];
  let moved = (): void => {};
  const service = startService({
    ...options,
    settled: ({ result, reason, message, events }) => {
      if (result !== 'delivered') for (const _ of events) lost.push(`${result} ${reason} ${message}`);
      waiting -= events.length;
      moved();
    },
  });
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      moved = () => {
        if (condition()) resolve();
      };
      moved();
    });
  const cost = await costOf(async () => {
    for (let next = 0; next < submissions.length; next += BATCH) {
      await until(() => waiting < WINDOW);
      for (const submission of submissions.slice(next, next + BATCH)) {
        waiting++;
        service.submit(submission);
      }
      await nextTurn();
    }
    await until(() => waiting === 0);
  });
  await service.stop();
  if (lost.length > 0) throw new Error(`${lost.length} deliveries were lost, the first: ${lost[0]}`);
  return cost;
}
