/**
 * How fast the command line starts: the bundle's commands beside bare Node, in turns. The ratio counts: a shell completes and a person
 * waits for it.
 */
import { spawnSync } from 'node:child_process';
import { aim, median } from './figures.ts';

const ROUNDS = 15;
const BUNDLE = 'packages/hnotif/dist/hnotif.mjs';
const AIM = 3;

const COMMANDS: readonly (readonly [name: string, args: readonly string[], aim?: number])[] = [
  ['node -e 0', ['-e', '0']],
  ['hnotif --help', [BUNDLE, '--help'], AIM],
  ['hnotif --version', [BUNDLE, '--version'], AIM],
  ['hnotif why --help', [BUNDLE, 'why', '--help']],
  ['hnotif run --help', [BUNDLE, 'run', '--help']],
];

/** Milliseconds of one run. */
function run(args: readonly string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}

for (const [, args] of COMMANDS) run(args);
const took = COMMANDS.map((): number[] => []);
for (let round = 0; round < ROUNDS; round++)
  for (const [at, [, args]] of COMMANDS.entries()) took[at]?.push(run(args));
const [bare = NaN] = took.map(median);
console.log(`medians of ${ROUNDS} rounds, in turns`);
for (const [at, [name, , wanted]] of COMMANDS.entries()) {
  const ms = median(took[at] ?? []);
  const judged =
    wanted === undefined ? '' : `  (${aim(`at most ${wanted} times bare Node`, ms / bare <= wanted)})`;
  console.log(
    `  ${name.padEnd(20)}${ms.toFixed(0).padStart(5)} ms  ${(ms / bare).toFixed(2)} times bare Node${judged}`,
  );
}
