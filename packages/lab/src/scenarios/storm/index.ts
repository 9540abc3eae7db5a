import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { countLines } from '../../figures.ts';
import { SEED, verdict, type Scenario } from '../../scenario.ts';
import { startStorm } from './storm.ts';

const STORMS = 4;
/** The largest growth of the heap since the first storm. A leak of one plan for each failure would be more. */
const MAX_GROWTH_MIB = 2;
const MIB = 1024 * 1024;

/** A function that resolves with the used heap after a garbage collection (MiB). */
function heapMeter(): () => Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  return async () => {
    for (let turn = 0; turn < 5; turn++) {
      await setImmediate();
      gc();
    }
    return process.memoryUsage().heapUsed / MIB;
  };
}

/** Storms of changes and failures, one after the other. The reports of the reflector are checked, and so is its use of memory. */
export const storm: Scenario = {
  name: 'storm',
  about:
    'the reflector misses no change, reports all in order, and leaks nothing, in storms of changes and failures',
  numbers: [
    { name: 'CHANGES', about: 'changes in each storm (default 10000)', default: 10_000, least: 1 },
    SEED,
  ],
  async run({ numbers: [changes = 0], seed, say }) {
    const warnings: string[] = [];
    process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));
    const heap = heapMeter();
    const storm = await startStorm(seed);
    const heaps = [await heap()];
    let figures = storm.figures();
    for (let at = 1; at <= STORMS && figures.violations.length === 0; at++) {
      await storm.rage(changes);
      figures = storm.figures();
      heaps.push(await heap());
      say(
        `storm ${at}: ${figures.changes} changes so far, ${figures.told} reported; heap ${heaps.at(-1)?.toFixed(2)} MiB, resident ${(process.memoryUsage.rss() / MIB).toFixed(0)} MiB`,
      );
    }
    await storm.close();
    figures = storm.figures();
    const growth = (heaps.at(-1) ?? 0) - (heaps[1] ?? 0);
    say(`
troubles
${countLines(figures.troubles)}

the reflector
${countLines(figures.counts)}

${figures.thrown} calls of the handler threw, each reported and logged
the reflector's clock advanced by ${(figures.elapsedMs / 3_600_000).toFixed(1)} h
the heap grew by ${growth.toFixed(2)} MiB since the first storm; the limit is ${MAX_GROWTH_MIB} MiB
${STORMS} storms of ${changes} changes, seed ${seed}`);
    const never = [...figures.troubles].filter(([, times]) => times === 0);
    return verdict(
      [
        ...[...figures.violations, ...warnings],
        ...never.map(([kind]) => `this failure never happened: ${kind}`),
        ...(growth > MAX_GROWTH_MIB ? ['the heap has grown'] : []),
      ],
      say,
    );
  },
};
