import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countLines, countsOf } from '../../figures.ts';
import { SEED, verdict, type Scenario } from '../../scenario.ts';
import { runChaos } from './chaos.ts';
import { check, summary } from '../../checker/checker.ts';
import { ALL_MODES, MODES, MODES_PATTERN, readModes } from './setting.ts';

/** The most violations that are printed. All are in the folder. */
const SHOWN = 5;

/** Kills the controller again and again while plans go through nights. Then it checks the messages that arrived. */
export const chaos: Scenario = {
  name: 'chaos',
  about:
    'the promises of docs/guarantees.md hold when the controller is killed again and again, among failures and changes',
  numbers: [
    {
      ...{ name: 'KILLS', about: 'processes to kill (default 60)' },
      ...{ default: 60, least: 1 },
    },
    SEED,
    { name: 'PLANS', about: 'plans that go through nights (default 40)', default: 40, least: 1 },
  ],
  options: {
    modes: {
      about: `all (the default), none, or some of these, separated by commas:${Object.entries(MODES)
        .map(([name, about]) => `\n    ${name.padEnd(10)}${about}`)
        .join('')}`,
      valid: MODES_PATTERN,
    },
  },
  async run({ numbers: [kills = 0, , plans = 0], seed, options, say }) {
    const modes = options.modes === undefined ? ALL_MODES : readModes(options.modes);
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-chaos-'));
    const begun = performance.now();
    const elapsed = (): string => `${Math.round((performance.now() - begun) / 1000)} s`;
    say(
      `seed ${seed}: ${kills} kills, ${plans} plans, modes ${[...modes].join() || 'none'}; the logs are in ${folder}`,
    );
    const run = await runChaos({
      ...{ modes, kills, plans, seed, folder, writesPerSecond: 25, paceMs: 2_500, leaseMs: 10_000 },
      drainMs: 300_000,
      tell: (line) => {
        say(`${elapsed()}: ${line}`);
      },
    });
    const found = check(run.record);
    const { events, written, inGaps, unseen, forgotten, metAnew, refused } = found;
    const violations = [
      ...[...found.violations, ...run.faults],
      ...(run.pending > 0 ? [`${run.pending} deliveries still wait`] : []),
      ...(run.exit === 0 ? [] : [`a clean stop ended with ${run.exit}`]),
    ];
    await writeFile(join(folder, 'troubles.json'), JSON.stringify(run.troubles));
    await writeFile(join(folder, 'violations.txt'), `${violations.join('\n')}\n`);
    say(countLines(countsOf([...run.troubles.map(({ what }) => what), ...run.changed])));
    say(`
${elapsed()}; ${run.stops} leaders were paused and continued after they had lost the Lease; ${run.falls} processes ended by themselves
${events} events of ${written} states; ${inGaps} states were written in gaps and are in no journal; ${unseen} states were not seen
${refused} requests were permanently refused
${metAnew} times a plan was seen as new, because its journal was missing at a kill; ${forgotten} messages were lost with journals and deleted plans`);
    const isTrue = verdict(violations, say, SHOWN);
    if (!isTrue) say(`seed ${seed}; the record is ${folder}`);
    say(summary(found));
    return isTrue;
  },
};
