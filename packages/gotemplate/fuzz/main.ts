/** Runs random templates; see the usage below. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { functions } from '../conformance/evaluate.ts';
import { Oracle } from '../oracle/oracle.ts';
import { findReference } from '../oracle/reference.ts';
import { Func } from '../src/value/func.ts';
import { FAMILIES, type Family } from './families.ts';
import { type Finding, type Tally, fuzz } from './fuzz.ts';
import { all } from './vocabulary.ts';

const USAGE = `Usage: npm run fuzz -- [options]

Runs random templates, also through Go if it is installed, and prints differences, shrunk, as cases.
Exits with 1 if it finds something, with 2 if the options are invalid.

  --seed N       the same seed gives the same templates; default: random
  --time 60s     the time limit, in seconds (s) or minutes (m); default 60s, or none with --cases
  --cases N      the number of templates; default: until the time limit
  --family NAME  ${FAMILIES.join(', ')} or all; default all
  --out FILE     adds findings to a case file
  --help         prints this

GOTEMPLATE_GO (the command) and GOTEMPLATE_GOPATH (the folder of sprig) define which Go is used; default: the one on the PATH.`;

interface Arguments {
  readonly seed: number;
  readonly seconds: number;
  readonly cases: number;
  readonly family: Family | 'all';
  readonly out: string | undefined;
}

function readArguments(): Arguments | undefined {
  const text = { type: 'string' } as const;
  const help = { type: 'boolean', short: 'h' } as const;
  const { values } = parseArgs({
    options: { seed: text, time: text, cases: text, family: text, out: text, help },
  });
  if (values.help === true) return undefined;
  const whole = (name: 'seed' | 'cases', otherwise: number): number => {
    const value = values[name] ?? String(otherwise);
    if (!/^\d{1,10}$/.test(value)) throw new Error(`--${name} is a whole number, such as 1000`);
    return Number(value);
  };
  const time = /^(\d+)(s|m)?$/.exec(values.time ?? (values.cases === undefined ? '60s' : '1000000m'));
  if (time === null) throw new Error('--time is a number of seconds or minutes, such as 60s or 5m');
  const family = (['all', ...FAMILIES] as const).find((name) => name === (values.family ?? 'all'));
  if (family === undefined) throw new Error(`--family is one of ${FAMILIES.join(', ')}, all`);
  return {
    seed: whole('seed', Date.now() % 1_000_000),
    seconds: Number(time[1]) * (time[2] === 'm' ? 60 : 1),
    cases: whole('cases', 9_999_999_999),
    family,
    out: values.out,
  };
}

/** The functions whose types differ from Go's, or that exist only in one of the engines. */
async function signatureDifferences(oracle: Oracle): Promise<string[]> {
  const theirs = await oracle.signatures();
  const ours = new Map(
    Object.entries(functions).flatMap(([name, func]) =>
      func instanceof Func ? [[name, func.type.name] as const] : [],
    ),
  );
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((name) => ours.get(name) !== theirs.get(name))
    .map((name) => `${name}: ${ours.get(name) ?? 'missing'}, in Go ${theirs.get(name) ?? 'missing'}`);
}

function show({ program, actual, case: found }: Finding): string {
  return `${JSON.stringify(found ?? program, undefined, 2)}\nactual: ${JSON.stringify(actual)}\n`;
}

function summary(tally: Tally, seed: number): string {
  const { cases, outputs, skipped, findings } = tally;
  const counts = all.names.map((name) => {
    const { cases = 0, outputs = 0 } = tally.functions.get(name) ?? {};
    return `${name} ${cases}/${outputs}`;
  });
  return `functions (cases/cases with an output): ${counts.join(', ')}
${cases} cases (${outputs} with an output), ${skipped} not comparable, ${findings.length} found; seed ${seed}`;
}

function addTo(path: string, findings: readonly Finding[]): void {
  let file: { title: string; format: number; cases: unknown[] } = {
    title: 'What fuzzing found',
    format: 1,
    cases: [],
  };
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as typeof file;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const found = findings.flatMap(({ case: one }) => (one === undefined ? [] : [one]));
  file.cases.push(...found.map((one, i): object => ({ ...one, id: `found/${file.cases.length + i + 1}` })));
  writeFileSync(path, `${JSON.stringify(file, undefined, 2)}\n`);
}

async function main(): Promise<void> {
  const given = readArguments();
  if (given === undefined) {
    console.log(USAGE);
    return;
  }
  const { seed, seconds, cases, family, out } = given;
  const reference = findReference();
  if (typeof reference === 'string') console.log(`${reference}; checks only properties of all templates`);
  else console.log(`reference: ${reference.version}`);
  const oracle = typeof reference === 'string' ? undefined : new Oracle(reference);
  const end = performance.now() + seconds * 1000;
  const differing = oracle === undefined ? [] : await signatureDifferences(oracle);
  for (const line of differing) console.log(`signature of ${line}`);
  const tally = await fuzz({
    seed,
    cases,
    family,
    ...(oracle !== undefined && { oracle }),
    shouldContinue: () => performance.now() < end,
    onFinding: (finding) => {
      console.log(show(finding));
    },
  });
  await oracle?.close();
  if (out !== undefined) addTo(resolve(process.env.INIT_CWD ?? '.', out), tally.findings);
  console.log(summary(tally, seed));
  if (tally.findings.length + differing.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
