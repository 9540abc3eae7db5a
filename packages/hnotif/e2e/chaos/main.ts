/**
 * Kills the controller again and again while plans go through nights. Then it checks the messages that arrived.
 *
 *     npm run chaos -- [KILLS] [SEED] [PLANS] [--modes LIST]     # 100 kills, 200 plans, all modes: half an hour
 *
 * Prints the violations and the folder of the record.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf, SEED } from '../support/arguments.ts';
import { runChaos } from './chaos.ts';
import { check, summary } from './checker/checker.ts';
import { MODES, takeModes } from './modes.ts';

/** The most violations that are printed. All are in the folder. */
const SHOWN = 5;

const { modes, rest } = takeModes(process.argv.slice(2));
if (modes === undefined || rest.some((arg) => arg === '--help' || arg === '-h')) {
  const say = modes === undefined ? console.error : console.log;
  say('--modes takes all (the default), none, or some of these, separated by commas:');
  for (const [name, about] of Object.entries(MODES)) say(`  ${name.padEnd(10)}${about}`);
}
if (modes === undefined) process.exit(2);

const [kills = 0, seed = 0, plans = 0] = argumentsOf(
  'chaos',
  [
    {
      name: 'KILLS',
      about: 'processes to kill, each after 5 s on average (default 100)',
      default: 100,
      least: 1,
    },
    SEED,
    { name: 'PLANS', about: 'plans that go through nights (default 200)', default: 200, least: 1 },
  ],
  rest,
);

const folder = await mkdtemp(join(tmpdir(), 'hnotif-chaos-'));
const begun = performance.now();
console.log(
  `seed ${seed}: ${kills} kills, ${plans} plans, modes ${[...modes].join() || 'none'}; the logs are in ${folder}`,
);
const run = await runChaos({
  ...{
    modes,
    kills,
    plans,
    seed,
    folder,
    writesPerSecond: 25,
    lifeMs: 10_000,
    leaseMs: 3_000,
    drainMs: 300_000,
  },
  tell: (line) => {
    console.log(`${Math.round((performance.now() - begun) / 1000)} s: ${line}`);
  },
});
const verdict = check(run.record);
const { events, states, forgotten, metAnew, refused } = verdict;
const violations = [
  ...verdict.violations,
  ...run.faults,
  ...(run.pending > 0 ? [`${run.pending} deliveries still wait`] : []),
  ...(run.exit === 0 ? [] : [`a clean stop ended with ${run.exit}`]),
];
await writeFile(join(folder, 'troubles.json'), JSON.stringify(run.troubles));
await writeFile(join(folder, 'violations.txt'), `${violations.join('\n')}\n`);

const troubles = new Map<string, number>();
for (const what of [...run.troubles.map((each) => each.what), ...run.changed])
  troubles.set(what, (troubles.get(what) ?? 0) + 1);
for (const [what, times] of troubles) console.log(`${String(times).padStart(8)}  ${what}`);
console.log(`
${Math.round((performance.now() - begun) / 1000)} s; ${run.stops} leaders were paused and continued after they had lost the Lease; ${run.falls} processes ended by themselves
${events} events of ${states.written} states; ${states.inGaps} states were written in gaps and are in no journal; ${states.unseen} states were not seen
${refused} requests were permanently refused
${metAnew} times a plan was seen as new, because its journal was missing at a kill; ${forgotten} messages were lost with journals and deleted plans`);
for (const violation of violations.slice(0, SHOWN)) console.log(`WRONG   ${violation}`);
if (violations.length > SHOWN) console.log(`WRONG   … and ${violations.length - SHOWN} more`);
if (violations.length > 0) console.log(`seed ${seed}; the record is ${folder}`);
console.log(summary(verdict));
process.exitCode = violations.length > 0 ? 1 : 0;
