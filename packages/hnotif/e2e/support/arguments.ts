/** An argument of a command: a whole number. */
export interface Argument {
  readonly name: string;
  /** Its description and its default. */
  readonly about: string;
  readonly default: number;
  readonly least: number;
}

/** The seed of a run: random, unless a run is repeated. */
export const SEED: Argument = {
  name: 'SEED',
  about: 'the same seed makes the same run, as far as time allows (default: any, printed)',
  default: Date.now() % 1e9,
  least: 0,
};

/** The arguments of `npm run COMMAND`. With `--help` or invalid arguments it prints the usage and ends the process. */
export function argumentsOf(command: string, all: readonly Argument[], given: readonly string[]): number[] {
  const isHelp = given.some((arg) => arg === '--help' || arg === '-h');
  const values = all.map(({ default: ifNone }, index) => Number(given[index] ?? ifNone));
  const isGood =
    given.length <= all.length &&
    given.every((arg) => /^\d{1,9}$/.test(arg)) &&
    all.every(({ least }, index) => (values[index] ?? 0) >= least);
  if (isHelp) console.log(usageOf(command, all));
  else if (!isGood) console.error(usageOf(command, all));
  if (isHelp || !isGood) process.exit(isHelp ? 0 : 2);
  return values;
}

function usageOf(command: string, all: readonly Argument[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const rows = all.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`);
  return [`usage: npm run ${command} -- ${all.map(({ name }) => `[${name}]`).join(' ')}`, ...rows].join('\n');
}
