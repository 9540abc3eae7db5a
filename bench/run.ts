/**
 * Runs benchmarks: `npm run bench [name…]`, all of them by default. Each is bundled like the service and has its own process, so no
 * loader and no other benchmark affects it. A benchmark prints its figures, and for each aim whether it was met. A missed aim is not a
 * failure, because machines differ.
 */
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { build } from 'esbuild';
import { IMAGE } from '../packages/lab/src/image.ts';

/** The question of each benchmark. A figure without an aim has none. `npm run neighbours` measures the cost of attacks on neighbours. */
const BENCHMARKS: Readonly<Record<string, string>> = {
  throughput: 'every sink and form of message beside the raw client: deliveries a second, CPU of each',
  burst: 'all plans of a cluster begin their night at once: API requests, latency, CPU, memory (3 minutes)',
  boards: 'a night of 1,000 plans: requests of boards beside a message for each event (3 minutes)',
  journal: 'the same nights with journals and without: rate, CPU, latency, writes',
  scale: 'memory, CPU and journal writes of 100 to 50,000 plans; how long their Starts take (5 minutes)',
  wide: 'a plan of 10,000 targets and 384 sinks that hang: stalls, memory, and what a neighbour feels',
  redact: 'error bodies that are made to be slow to redact: time by length',
  flood: 'a million events for a receiver that hangs: bytes held, and what is dropped',
};

const OUT = 'node_modules/.cache/hnotif-bench';

const names = process.argv.slice(2);
if (names.includes('--help') || names.includes('-h')) {
  const width = Math.max(...Object.keys(BENCHMARKS).map((name) => name.length));
  console.log('usage: npm run bench -- [NAME...]        (default: all, one after the other)');
  for (const [name, about] of Object.entries(BENCHMARKS)) console.log(`  ${name.padEnd(width)}  ${about}`);
  process.exit(0);
}
const unknown = names.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(`no benchmark named ${unknown.join(', ')}; there are: ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exit(2);
}

await rm(OUT, { recursive: true, force: true });
// The files that the service reads and starts beside its bundle: the built-in templates, the worker of custom ones.
await cp('packages/hnotif/dist', OUT, { recursive: true });
await build({
  entryPoints: [
    ...Object.keys(BENCHMARKS),
    'sink-process',
    'scale-probe',
    'journal-cluster',
    'burst-cluster',
  ].map((name) => `bench/${name}.ts`),
  outdir: OUT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  // CommonJS dependencies load Node's own modules with require().
  banner: {
    js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
  },
  logLevel: 'warning',
});

for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
  console.log(`# ${name}`);
  const child = spawn(process.execPath, [...IMAGE.flags, `${OUT}/${name}.mjs`], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
