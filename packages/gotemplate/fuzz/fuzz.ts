/** Runs random templates and searches for errors of the engine. */
import { setTimeout } from 'node:timers/promises';
import { type Evaluation, type Program, evaluate } from '../conformance/evaluate.ts';
import type { Answer, Oracle } from '../oracle/oracle.ts';
import { compare, outcomeText } from './compare.ts';
import { FAMILIES, type Family, randomProgram } from './families.ts';
import { type CaseJSON, functionsIn, signatureOf, toCase } from './finding.ts';
import { Random } from './random.ts';
import { shrink } from './shrink.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly family: Family | 'all';
  /** The number of cases. */
  readonly cases: number;
  /** The reference to compare with. Without one, only the properties of all templates are checked. */
  readonly oracle?: Oracle;
  /** Called before each batch; false ends the run. */
  readonly shouldContinue?: () => boolean;
  readonly onFinding?: (finding: Finding) => void;
}

export interface Finding {
  readonly signature: string;
  /** Shrunk. */
  readonly program: Program;
  readonly actual: string;
  /** The case with the reference's result; undefined without a reference. */
  readonly case: CaseJSON | undefined;
}

export interface Tally {
  cases: number;
  /** The number of cases with an output, not an error. */
  outputs: number;
  /** Cases in which an engine reached a limit, or the reference gave different results. */
  skipped: number;
  readonly findings: Finding[];
  /** For each function: the number of cases that use it, and of those with an output. */
  readonly functions: Map<string, { cases: number; outputs: number }>;
}

const BATCH = 200;

export async function fuzz(options: FuzzOptions): Promise<Tally> {
  const tally: Tally = { cases: 0, outputs: 0, skipped: 0, findings: [], functions: new Map() };
  const signatures = new Set<string>();
  while (tally.cases < options.cases && options.shouldContinue?.() !== false) {
    const first = tally.cases;
    const programs = Array.from({ length: Math.min(BATCH, options.cases - first) }, (_, i) =>
      programAt(options, first + i),
    );
    for await (const finding of check(programs, options.oracle, tally)) {
      if (signatures.has(finding.signature)) continue;
      signatures.add(finding.signature);
      tally.findings.push(finding);
      options.onFinding?.(finding);
    }
  }
  return tally;
}

/** A case depends only on the seed and its number. */
function programAt({ seed, family }: FuzzOptions, index: number): Program {
  const random = new Random(seed, index);
  return randomProgram(random, family === 'all' ? random.pick(FAMILIES) : family);
}

async function* check(
  programs: readonly Program[],
  oracle: Oracle | undefined,
  tally: Tally,
): AsyncGenerator<Finding> {
  const answering = oracle?.ask(programs);
  const evaluations = programs.map((program) =>
    evaluate(program, oracle === undefined ? BOUNDED : undefined),
  );
  programs.forEach((program, i) => {
    count(program, evaluations[i], tally);
  });
  const answers = await answering;
  for (const [i, program] of programs.entries()) {
    const evaluation = evaluations[i];
    if (evaluation === undefined) continue;
    if (oracle === undefined) yield* checkAlone(program, evaluation);
    else {
      const answer = answers?.[i];
      if (answer !== undefined) yield* checkBeside(program, evaluation, answer, oracle, tally);
    }
  }
}

function count(program: Program, evaluation: Evaluation | undefined, tally: Tally): void {
  const isOutput = evaluation?.kind === 'output';
  tally.cases++;
  if (isOutput) tally.outputs++;
  for (const name of functionsIn(program.template)) {
    const counts = tally.functions.get(name) ?? { cases: 0, outputs: 0 };
    counts.cases++;
    if (isOutput) counts.outputs++;
    tally.functions.set(name, counts);
  }
}

const OUTPUT = 1 << 18;

/** Deterministic options, with limits that keep tests fast. */
const BOUNDED = {
  limits: { steps: 200_000, memory: 4 << 20, output: OUTPUT, depth: 1000 },
  now: () => 1_774_735_661_123_456_789n,
  random: (n: number) => new Uint8Array(n).fill(7),
  clock: () => 0,
};

/** Checks without a reference: no crash, no exceeded limit, the same result again. */
export function* checkAlone(program: Program, evaluation: Evaluation): Generator<Finding> {
  const finding = (sort: string): Finding => ({
    signature: signatureOf(program.template, sort),
    program,
    actual: outcomeText(evaluation),
    case: undefined,
  });
  if (evaluation.kind === 'crash') yield finding('crash');
  if (evaluation.kind === 'output' && evaluation.bytes.length > OUTPUT * 3)
    yield finding('more output than allowed');
  const again = evaluate(program, BOUNDED);
  // The second execution uses caches and costs less, so it may not reach the limit.
  if (isLimited(evaluation) || isLimited(again)) return;
  if (outcomeText(again) !== outcomeText(evaluation)) yield finding('not the same twice');
}

const isLimited = (evaluation: Evaluation): boolean => evaluation.kind === 'error' && evaluation.limited;

async function* checkBeside(
  program: Program,
  evaluation: Evaluation,
  answer: Answer,
  oracle: Oracle,
  tally: Tally,
): AsyncGenerator<Finding> {
  const comparison = compare(evaluation, answer);
  if (comparison === 'same') return;
  if (comparison === 'skipped' || !(await isStable(program, oracle))) {
    tally.skipped++;
    return;
  }
  const smallest = await shrink(program, async (candidates) => {
    const answers = await oracle.ask(candidates);
    return candidates.map((candidate, i) => {
      const other = answers[i];
      const result = other === undefined ? 'skipped' : compare(evaluate(candidate), other);
      return typeof result === 'object' && result.sort === comparison.sort;
    });
  });
  if (!(await isStable(smallest, oracle))) {
    tally.skipped++;
    return;
  }
  const [reference = answer] = await oracle.ask([smallest]);
  const signature = signatureOf(smallest.template, comparison.sort);
  yield {
    signature,
    program: smallest,
    actual: outcomeText(evaluate(smallest)),
    case: toCase(`found/${tally.findings.length + 1}`, smallest, reference),
  };
}

/** Whether the reference always gives the same result, and it differs from ours. Map order, randomness and clock vary. */
async function isStable(program: Program, oracle: Oracle): Promise<boolean> {
  const some = Array.from({ length: 5 }, () => program);
  const answers = await oracle.ask(some);
  // Long enough that results with the clock differ.
  await setTimeout(15);
  const [first, ...others] = [...answers, ...(await oracle.ask(some))].map(outcomeText);
  return others.every((other) => other === first) && outcomeText(evaluate(program)) !== first;
}
