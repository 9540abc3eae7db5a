/**
 * Storms of changes and trouble before one reflector, one after the other; what it tells is judged, and so is whether it
 * keeps memory.
 *
 *     npm run storm [CHANGES] [SEED]        # 10,000 changes a storm by default; prints what is wrong, and the seed
 */
import { setImmediate } from 'node:timers/promises';
import { argumentsOf, SEED } from '../support/arguments.ts';
import { Storm, type Figures } from './storm.ts';

const STORMS = 4;
/** What the heap may have grown by since the first storm: a plan kept for each trouble would come to more. */
const MAX_GROWTH_MIB = 2;
const MIB = 1024 * 1024;

const { gc } = globalThis;
if (gc === undefined) throw new Error('node --expose-gc is needed: start it by npm run storm');
const [changes = 0, seed = 0] = argumentsOf(
  'storm',
  [{ name: 'CHANGES', about: 'changes in each storm (default 10000)', default: 10_000, least: 1 }, SEED],
  process.argv.slice(2),
);

const warnings: string[] = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

/** Bytes of the heap in MiB, of what is still in use. */
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
    `storm ${at}: ${figures.changes} changes so far, ${figures.told} told; heap ${used.toFixed(2)} MiB, resident ${rss.toFixed(0)} MiB`,
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
longest lag ${figures.longestLag.toFixed(3)} watchdogs, ${figures.longestDeaf.toFixed(3)} without the pauses and time-outs of failures
the reflector's clock was turned by ${(figures.elapsedMs / 3_600_000).toFixed(1)} h
the heap grew by ${growth.toFixed(2)} MiB since the first storm; ${MAX_GROWTH_MIB} are allowed`);
const violations = [
  ...figures.violations,
  ...warnings,
  ...[...figures.troubles].filter(([, times]) => times === 0).map(([kind]) => `it never came to be: ${kind}`),
  ...(growth > MAX_GROWTH_MIB ? ['the heap has grown'] : []),
];
for (const violation of violations) console.log(`WRONG   ${violation}`);
console.log(
  `${STORMS} storms of ${changes} changes, seed ${seed}, ${seconds} s: ${violations.length} violations`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
