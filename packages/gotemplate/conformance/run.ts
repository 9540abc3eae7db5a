/** Compares this engine's result of a case with Go's. */
import type { Case, Outcome } from './case.ts';
import { type Evaluation, evaluate } from './evaluate.ts';

export interface Failure {
  readonly expected: string;
  readonly actual: string;
}

/** Undefined if the output, or the error and its stage, is exactly as expected. */
export function runCase(test: Case): Failure | undefined {
  const evaluation = evaluate(test);
  return matches(test.expected, evaluation)
    ? undefined
    : { expected: showOutcome(test.expected), actual: showEvaluation(evaluation) };
}

function matches(expected: Outcome, actual: Evaluation): boolean {
  if ('error' in expected)
    return actual.kind === 'error' && actual.error === expected.error && actual.stage === expected.stage;
  return (
    actual.kind === 'output' && Buffer.from(expected.bytes ?? encode(expected.output)).equals(actual.bytes)
  );
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The report of a failure, one line for each part. */
export function describeFailure({ id, template }: Case, { expected, actual }: Failure): string {
  return `${id}\n  template  ${JSON.stringify(template)}\n  expected  ${expected}\n  actual    ${actual}`;
}

function showOutcome(outcome: Outcome): string {
  if ('error' in outcome) return `${outcome.stage} error ${outcome.error}`;
  return showBytes(outcome.bytes ?? encode(outcome.output));
}

function showEvaluation(evaluation: Evaluation): string {
  switch (evaluation.kind) {
    case 'output':
      return showBytes(evaluation.bytes);
    case 'error':
      return `${evaluation.stage} error ${evaluation.error}`;
    case 'crash':
      return `crash ${evaluation.error}`;
  }
}

/** The text in quotes; if it is not UTF-8, also the bytes. */
function showBytes(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const exact = Buffer.from(bytes).equals(encode(text));
  return JSON.stringify(text) + (exact ? '' : ` (bytes ${Buffer.from(bytes).toString('hex')})`);
}
