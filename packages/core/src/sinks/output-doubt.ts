import type { Source } from '../render/context.ts';
import { doubtInWords, doubtOf, textsOf, type Reading } from '../render/doubtful-output.ts';
import { missingKey } from '../render/missing-key.ts';
import type { TemplateSource } from '../render/template.ts';
import type { Degradation } from './degradation.ts';

/** The first sign of a mistake in the output of a template, which is sent all the same; undefined: there is none. */
export function outputDoubt(
  { name, text }: TemplateSource,
  source: Source,
  output: string,
  reading: Reading,
): Degradation | undefined {
  const doubt = doubtOf(output, reading, {
    missing: () => missingKey(text, source),
    data: () => textsOf(source),
  });
  return doubt && { reason: 'OutputDoubtful', message: doubtInWords(name, doubt) };
}
