/** Finds differences between this engine and the reference, except intended ones. */
import type { Evaluation } from '../conformance/evaluate.ts';
import { fromBytes, toOutside } from '../src/value/text.ts';
import type { Answer } from '../oracle/oracle.ts';

/** `skipped`: one engine reached its own limit, so there is nothing to compare. */
export type Comparison = 'same' | 'skipped' | Difference;

export interface Difference {
  /** The sort of the difference. Two of the same sort probably have the same cause. */
  readonly sort: string;
}

export function compare(ours: Evaluation, reference: Answer): Comparison {
  if (reference.kind === 'error' && !isTemplateStage(reference.stage)) return 'skipped';
  if (ours.kind === 'crash') return { sort: `crash ${shape(ours.error.split('\n', 1)[0] ?? '')}` };
  if (ours.kind === 'error' && ours.limited) return 'skipped';
  const [a, b] = [outcomeText(ours), outcomeText(reference)];
  // Verbs that do not apply to times print the inside of Go's locations. That is of no use.
  if (b.includes('*time.Location=')) return 'skipped';
  return a === b ? 'same' : { sort: `${sortOf(ours)} / ${sortOf(reference)}` };
}

const isTemplateStage = (stage: string): boolean =>
  stage === 'parse' || stage === 'exec' || stage === 'option';

/** An outcome as a text for comparison, without printed addresses. */
export function outcomeText(outcome: Evaluation | Answer): string {
  const text = outcome.kind === 'output' ? fromBytes(outcome.bytes) : `error ${toOutside(outcome.error)}`;
  return (
    text
      .replace(/\b0[xX][0-9a-fA-F]{6,12}\b/g, '<address>')
      // The printed fields of a time: the last one is the address of its location.
      .replace(/\{(\S*\d\S* \S*\d\S*) \S*\d\S*\}/g, '{$1 <address>}')
  );
}

function sortOf(outcome: Evaluation | Answer): string {
  return outcome.kind === 'output' ? 'output' : shape(outcome.error);
}

/** An error's text without the parts that are specific to the template. */
function shape(error: string): string {
  return error
    .replace(/^template: .*?:\d+(:\d+)?: /, '')
    .replace(/^executing ".*?" at <[^]*?>: /, '')
    .replace(/"(?:\\.|[^"\\])*"|`[^`]*`|'[^']*'/g, '""')
    .replace(/<.*>/, '<>')
    .replace(/\d+/g, '0')
    .slice(0, 80);
}
