import { doubtInWords, doubtOf, type Reading } from '../render/doubtful-output.ts';
import type { Degradation } from './degradation.ts';

/** The first sign of a mistake in the output of a template, which is sent all the same; undefined: there is none. */
export function outputDoubt(template: string, output: string, reading: Reading): Degradation | undefined {
  const doubt = doubtOf(output, reading);
  return doubt && { reason: 'OutputDoubtful', message: doubtInWords(template, doubt) };
}
