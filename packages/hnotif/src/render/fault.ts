import { TemplateError, lint } from '@hnotif/gotemplate';
import { cutText } from './cut.ts';
import { functions } from './functions.ts';
import { oneLine } from './one-line.ts';
import type { Rendered, RenderFault, TemplateSource } from './template.ts';
import { PAYLOAD } from './types.ts';

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
export function faultOfError(template: TemplateSource, error: unknown): Fault {
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

/** What of a template that can be parsed fails whenever an event comes there: the first of it. */
export function lintFault(template: TemplateSource): Fault | undefined {
  const findings = lint(template.text, PAYLOAD, { funcs: functions });
  const finding = findings.find(({ severity }) => severity === 'error');
  if (finding === undefined) return undefined;
  const { line, column, message } = finding;
  const place = `, line ${line}${column === undefined ? '' : `, column ${column}`}`;
  const what = `${place}: ${described(message)}; an event that comes there gets plain text`;
  return faultOf(template, 'TemplateDoubtful', what);
}

const described = (text: string): string => cutText(oneLine(text), LONGEST);

function reasonOf({ limit, stage }: TemplateError): RenderFault {
  if (limit === 'time') return 'TemplateTimedOut';
  if (limit !== undefined) return 'TemplateTooLarge';
  return stage === 'parse' ? 'TemplateParseFailed' : 'TemplateExecutionFailed';
}
