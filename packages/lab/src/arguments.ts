import { parseArgs } from 'node:util';
import { SEED, type Given, type Scenario } from './scenario.ts';

type Arguments = Omit<Given, 'signal' | 'say'>;

/** Reads the arguments of a scenario; undefined: they are not valid. */
export function argumentsOf(scenario: Scenario, given: readonly string[]): Arguments | undefined {
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

export function usageOf({ name, about, numbers = [], names, options = {} }: Scenario): string {
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
