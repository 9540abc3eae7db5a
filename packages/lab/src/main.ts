/**
 * Runs scenarios:
 *
 *     npm run lab -- list
 *     npm run lab -- run NAME [ARGUMENT…] [--seed N]
 *
 * Ends with 1 if the sentence of a scenario is not true.
 */
import { argumentsOf, usageOf } from './arguments.ts';
import { table } from './figures.ts';
import { SCENARIOS } from './scenarios/index.ts';

const [command, name, ...rest] = process.argv.slice(2);
const scenario = SCENARIOS.find((each) => each.name === name);
const isHelp = rest.some((arg) => arg === '--help' || arg === '-h');

function fail(text: string): never {
  console.error(text);
  process.exit(2);
}

if (command === 'list') {
  console.log(table(SCENARIOS.map((each) => [each.name, each.about])));
  process.exit(0);
}
if (command !== 'run') fail('usage: npm run lab -- list | run NAME [ARGUMENT…] [--seed N]');
if (scenario === undefined)
  fail(`there is no scenario ${name ?? ''}; there are: ${SCENARIOS.map((each) => each.name).join(', ')}`);
if (isHelp) {
  console.log(usageOf(scenario));
  process.exit(0);
}
const given = argumentsOf(scenario, rest);
if (given === undefined) fail(usageOf(scenario));

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // At the exit the processes of a scenario end, too.
    if (ending.signal.aborted || scenario.cleansUp !== true) process.exit(1);
    console.log('cleaning up; a second signal ends it at once');
    ending.abort();
  });

const begun = performance.now();
// Idle connections would keep the process alive for some seconds.
scenario.run({ ...given, signal: ending.signal, say: console.log }).then(
  (isTrue) => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`${isTrue ? 'true' : 'NOT TRUE'}, after ${seconds} s: ${scenario.about}`);
    process.exit(isTrue ? 0 : 1);
  },
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
