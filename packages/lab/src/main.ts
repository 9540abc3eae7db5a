/**
 * Runs scenarios:
 *
 *     npm run lab -- list
 *     npm run lab -- run NAME [ARGUMENT…] [--seed N]
 *
 * Ends with 1 if the sentence of a scenario is not true.
 */
import { parseArgs } from 'node:util';
import { type Given, type Scenario, SEED } from './scenario.ts';
import { table } from './figures.ts';
import { SCENARIOS } from './scenarios/index.ts';

type Arguments = Omit<Given, 'signal' | 'say'>;

/** Reads the arguments of a scenario; undefined: they are not valid. */
function argumentsOf(scenario: Scenario, given: readonly string[]): Arguments | undefined {
  const { numbers = [], names, options = {} } = scenario;
  const named = Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({
      ...{ args: [...given], options: { seed: { type: 'string' }, ...named }, allowPositionals: true },
    });
    const texts = values as Readonly<Record<string, string | undefined>>;
    const { seed = '' } = texts;
    const isGood =
      /^\d{0,9}$/.test(seed) &&
      Object.entries(options).every(([name, { valid = /./ }]) => valid.test(texts[name] ?? '0')) &&
      (names === undefined
        ? positionals.length <= numbers.length && positionals.every((text) => /^\d{1,9}$/.test(text))
        : positionals.every((text) => Object.hasOwn(names.all, text)));
    const all = numbers.map(({ default: ifNone }, at) => Number(positionals[at] ?? ifNone));
    if (!isGood || numbers.some(({ least }, at) => (all[at] ?? 0) < least)) return undefined;
    const chosen = Object.keys(names?.all ?? {}).filter(
      (name) => positionals.length === 0 || positionals.includes(name),
    );
    const ofNumbers = all[numbers.indexOf(SEED)] ?? SEED.default;
    return { numbers: all, names: chosen, seed: seed === '' ? ofNumbers : Number(seed), options: texts };
  } catch {
    return undefined;
  }
}

function usageOf({ name, about, numbers = [], names, options = {} }: Scenario): string {
  const rows = [
    ...numbers.map((each) => [each.name, each.about] as const),
    ...Object.entries(names?.all ?? {}),
    ...Object.entries(options).map(([option, each]) => [`--${option}`, each.about] as const),
  ];
  const width = Math.max(...rows.map(([what]) => what.length), 0);
  const all = [
    ...numbers.map((each) => `[${each.name}]`),
    ...(names ? [`[${names.what}…]`] : []),
    ...Object.keys(options).map((option) => `[--${option} …]`),
  ];
  return [
    `usage: npm run lab -- run ${[name, ...all].join(' ')}`,
    about,
    ...rows.map(([what, text]) => `  ${what.padEnd(width)}  ${text}`),
  ].join('\n');
}

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
