/**
 * Storms of changes and failures for one reflector, one after the other. The reports of the reflector are checked, and so is its use
 * of memory.
 *
 *     npm run storm [CHANGES] [SEED]        # 10,000 changes in each storm by default; prints the violations and the seed
 */
import { setImmediate } from 'node:timers/promises';
import { argumentsOf, SEED } from '../../../../hnotif/e2e/support/arguments.ts';
import { Storm, type Figures } from './storm.ts';

const STORMS = 4;
/** The largest growth of the heap since the first storm. A leak of one plan for each failure would be more. */
const MAX_GROWTH_MIB = 2;
const MIB = 1024 * 1024;

const { gc } = globalThis;
if (gc === undefined) throw new Error('node --expose-gc is needed: start it with npm run storm');
const [changes = 0, seed = 0] = argumentsOf(
  'storm',
  [{ name: 'CHANGES', about: 'changes in each storm (default 10000)', default: 10_000, least: 1 }, SEED],
  process.argv.slice(2),
);

const warnings: string[] = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

/** The used heap after a garbage collection (MiB). */
async function heap(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    await setImmediate();
    gc?.();
  }
  return process.memoryUsage().heapUsed / MIB;
}

const print = (title: string, counts: ReadonlyMap<string, number>): void => {
  console.log(`\n${title}`);
  for (const [what, times] of counts) console.log(`${String(times).padStart(8)}  ${what}`);
};

const begun = performance.now();
const storm = await Storm.start(seed);
const heaps = [await heap()];
let figures: Figures = storm.figures;
for (let at = 1; at <= STORMS && figures.violations.length === 0; at++) {
  await storm.rage(changes);
  figures = storm.figures;
  const used = await heap();
  heaps.push(used);
  const rss = process.memoryUsage.rss() / MIB;
  console.log(
    `storm ${at}: ${figures.changes} changes so far, ${figures.told} reported; heap ${used.toFixed(2)} MiB, resident ${rss.toFixed(0)} MiB`,
  );
}
await storm.close();
figures = storm.figures;

print('troubles', figures.troubles);
print('the reflector', figures.counts);
const growth = (heaps.at(-1) ?? 0) - (heaps[1] ?? 0);
const seconds = Math.round((performance.now() - begun) / 1000);
console.log(`
${figures.thrown} calls of the handler threw, each reported and logged
longest lag ${figures.longestLag.toFixed(3)} watchdogs, ${figures.longestDeaf.toFixed(3)} without the pauses and time-outs after failures
the reflector's clock advanced by ${(figures.elapsedMs / 3_600_000).toFixed(1)} h
the heap grew by ${growth.toFixed(2)} MiB since the first storm; the limit is ${MAX_GROWTH_MIB} MiB`);
const violations = [
  ...figures.violations,
  ...warnings,
  ...[...figures.troubles]
    .filter(([, times]) => times === 0)
    .map(([kind]) => `this failure never happened: ${kind}`),
  ...(growth > MAX_GROWTH_MIB ? ['the heap has grown'] : []),
];
for (const violation of violations) console.log(`WRONG   ${violation}`);
console.log(
  `${STORMS} storms of ${changes} changes, seed ${seed}, ${seconds} s: ${violations.length} violations`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
