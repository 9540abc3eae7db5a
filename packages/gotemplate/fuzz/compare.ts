/** Tells a difference between this engine and the reference from what is meant to differ. */
import type { Evaluation } from '../conformance/evaluate.ts';
import { fromBytes, toOutside } from '../src/value/text.ts';
import type { Answer } from '../oracle/oracle.ts';

/** `skipped`: one of the two came to a bound of its own, so that there is nothing to compare. */
export type Comparison = 'same' | 'skipped' | Difference;

export interface Difference {
  /** What sort of difference it is: two of a sort are likely to have one cause. */
  readonly sort: string;
}

export function compare(ours: Evaluation, reference: Answer): Comparison {
  if (reference.kind === 'error' && !isTemplateStage(reference.stage)) return 'skipped';
  if (ours.kind === 'crash') return { sort: `crash ${shape(ours.error.split('\n', 1)[0] ?? '')}` };
  if (ours.kind === 'error' && ours.limited) return 'skipped';
  const [a, b] = [outcomeText(ours), outcomeText(reference)];
  // What is inside of Go's locations, verbs that times know nothing of show; nobody can want it.
  if (b.includes('*time.Location=')) return 'skipped';
  return a === b ? 'same' : { sort: `${sortOf(ours)} / ${sortOf(reference)}` };
}

const isTemplateStage = (stage: string): boolean =>
  stage === 'parse' || stage === 'exec' || stage === 'option';

/** An outcome as one text, by which two are equal: without the addresses that pointers print as. */
export function outcomeText(outcome: Evaluation | Answer): string {
  const text = outcome.kind === 'output' ? fromBytes(outcome.bytes) : `error ${toOutside(outcome.error)}`;
  return (
    text
      .replace(/\b0[xX][0-9a-fA-F]{6,12}\b/g, '<address>')
      // A time whose fields are printed one by one: the last is its location's.
      .replace(/\{(\S*\d\S* \S*\d\S*) \S*\d\S*\}/g, '{$1 <address>}')
  );
}

function sortOf(outcome: Evaluation | Answer): string {
  return outcome.kind === 'output' ? 'output' : shape(outcome.error);
}

/** An error's words, without what is of the one template alone. */
function shape(error: string): string {
  return error
    .replace(/^template: .*?:\d+(:\d+)?: /, '')
    .replace(/^executing ".*?" at <[^]*?>: /, '')
    .replace(/"(?:\\.|[^"\\])*"|`[^`]*`|'[^']*'/g, '""')
    .replace(/<.*>/, '<>')
    .replace(/\d+/g, '0')
    .slice(0, 80);
}
