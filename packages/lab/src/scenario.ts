import { inParallel } from './wait.ts';

/** An argument of a scenario: a whole number. */
export interface NumberArgument {
  readonly name: string;
  readonly about: string;
  readonly default: number;
  readonly least: number;
}

/** The second argument of many scenarios. The same seed makes the same run, as far as time allows. */
export const SEED: NumberArgument = {
  name: 'SEED',
  about: 'the same seed makes the same run, as far as time allows (default: any, printed)',
  default: Date.now() % 1e9,
  least: 0,
};

export interface OptionArgument {
  readonly about: string;
  /** What it must match. Default: anything. */
  readonly valid?: RegExp;
}

/** What a scenario got. */
export interface Given {
  readonly numbers: readonly number[];
  /** The names that were asked for; all if none was. */
  readonly names: readonly string[];
  readonly seed: number;
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C, if the scenario cleans up. A second one ends the process at once. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Something that can be run, and proves a sentence. */
export interface Scenario {
  readonly name: string;
  /** The sentence. */
  readonly about: string;
  /** Its arguments in order. One may be `SEED`. */
  readonly numbers?: readonly NumberArgument[];
  /** Or: its parts, each with its sentence, of which some can be chosen. */
  readonly names?: { readonly what: string; readonly all: Readonly<Record<string, string>> };
  readonly options?: Readonly<Record<string, OptionArgument>>;
  /** Whether Ctrl-C only aborts the signal, so that the scenario can delete what it has made. Default: it ends the process. */
  readonly cleansUp?: boolean;
  /** Resolves with whether the sentence is true. */
  run(given: Given): Promise<boolean>;
}

/** Runs a scenario, or parts of it, with its defaults. Resolves with what it says, if its sentence is not true. */
export async function ran(scenario: Scenario, ...names: readonly string[]): Promise<readonly string[]> {
  const said: string[] = [];
  const numbers = (scenario.numbers ?? []).map(({ default: ifNone }) => ifNone);
  const { signal } = new AbortController();
  const given = {
    numbers,
    names,
    seed: SEED.default,
    options: {},
    signal,
    say: (line: string) => said.push(line),
  };
  return (await scenario.run(given)) ? [] : said;
}

/** Prints the violations, and how the scenario ended. Resolves with whether there are none. */
export function verdict(
  violations: readonly string[],
  say: (line: string) => void,
  most = Infinity,
): boolean {
  for (const violation of violations.slice(0, most)) say(`WRONG   ${violation}`);
  if (violations.length > most) say(`WRONG   … and ${violations.length - most} more`);
  return violations.length === 0;
}

/** Runs the chosen parts of a scenario. Says of each whether it is true, and then what is wrong. Resolves with whether all are true. */
export async function partByPart(
  { names, say }: Pick<Given, 'names' | 'say'>,
  sentences: Readonly<Record<string, string>>,
  wrongIn: (name: string) => Promise<readonly string[]>,
  atOnce = 1,
): Promise<boolean> {
  const found: string[] = [];
  const chosen = Object.entries(sentences).filter(([name]) => names.includes(name));
  await inParallel(
    chosen.length,
    async (index) => {
      const [name = '', sentence = ''] = chosen[index] ?? [];
      const wrong = await wrongIn(name);
      say(`${wrong.length === 0 ? 'true    ' : 'NOT TRUE'} ${name}: ${sentence}`);
      found.push(...wrong.map((each) => `${name}: ${each}`));
    },
    atOnce,
  );
  return verdict(found, say, 50);
}
