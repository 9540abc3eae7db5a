import { TemplateError } from '@hnotif/gotemplate';
import { cutText } from './cut.ts';
import { oneLine } from './one-line.ts';
import type { Rendered, RenderFault, TemplateSource } from './template.ts';

/** A rendering that gave no text. */
export type Fault = Extract<Rendered, { ok: false }>;

/** Longest description: an error text may show the data it stumbled over. */
const LONGEST = 300;

export const faultOf = (template: TemplateSource, reason: RenderFault, what: string): Fault => ({
  ok: false,
  reason,
  message: `template ${template.name}${what}`,
});

/** What to say of whatever a template threw: where it is in the template, and what is wrong. */
export function thrownFault(template: TemplateSource, error: unknown): Fault {
  if (!(error instanceof TemplateError)) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return faultOf(template, 'TemplateWorkerFailed', `: ${described(what)}`);
  }
  const { line, column, description, hint } = error;
  const place =
    (line === undefined ? '' : `, line ${line}`) + (column === undefined ? '' : `, column ${column}`);
  const what = hint === undefined ? description : `${description} (${hint})`;
  return faultOf(template, reasonOf(error), `${place}: ${described(what)}`);
}

const described = (text: string): string => cutText(oneLine(text), LONGEST);

function reasonOf({ limit, stage }: TemplateError): RenderFault {
  if (limit === 'time') return 'TemplateTimedOut';
  if (limit !== undefined) return 'TemplateTooLarge';
  return stage === 'parse' ? 'TemplateParseFailed' : 'TemplateExecutionFailed';
}
