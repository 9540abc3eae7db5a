import { type Finding, TemplateError, lint } from '@hnotif/gotemplate';
import { cutText } from './cut.ts';
import { functions } from './functions.ts';
import { oneLine } from './one-line.ts';
import type { Rendered, RenderFault, TemplateSource } from './template.ts';
import { PAYLOAD } from './types.ts';

/** A rendering that gave no text. */
export type Fault = Extract<Rendered, { ok: false }>;

/** The longest description: an error may contain data of the event. */
const LONGEST = 300;

export const faultOf = (template: TemplateSource, reason: RenderFault, what: string): Fault => ({
  ok: false,
  reason,
  message: `template ${template.name}${what}`,
});

/** The fault of an error that a template threw, with its place in the template. */
export function faultOfError(template: TemplateSource, error: unknown): Fault {
  if (!(error instanceof TemplateError)) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return faultOf(template, 'TemplateWorkerFailed', `: ${described(what)}`);
  }
  const { line, column, description, hint } = error;
  const place = line === undefined ? '' : placeInWords(line, column);
  const what = hint === undefined ? description : `${description} (${hint})`;
  return faultOf(template, reasonOf(error), `${place}: ${described(what)}`);
}

/** Rules of the linter about places that do not fail, and give a text that nobody means. */
const DOUBTFUL: ReadonlySet<Finding['rule']> = new Set(['layout', 'zone', 'foreign-syntax', 'no-output']);

/** The first place of a valid template that fails with every event that reaches it, or else gives a text that nobody means. */
export function lintFault(template: TemplateSource): Fault | undefined {
  const findings = lint(template.text, PAYLOAD, { funcs: functions });
  const failing = findings.find(({ severity }) => severity === 'error');
  const finding = failing ?? findings.find(({ rule }) => DOUBTFUL.has(rule));
  if (finding === undefined) return undefined;
  const { line, column, message } = finding;
  const what = `${placeInWords(line, column)}: ${described(message)}`;
  return failing === undefined
    ? faultOf(template, 'OutputDoubtful', what)
    : faultOf(template, 'TemplateDoubtful', `${what}; an event that comes there gets plain text`);
}

/** Columns of the engine count from 0, as Go's do. In words they count from 1, as everywhere. */
export const placeInWords = (line: number, column: number | undefined): string =>
  `, line ${line}${column === undefined ? '' : `, column ${column + 1}`}`;

const described = (text: string): string => cutText(oneLine(text), LONGEST);

function reasonOf({ limit, stage }: TemplateError): RenderFault {
  if (limit === 'time') return 'TemplateTimedOut';
  if (limit !== undefined) return 'TemplateTooLarge';
  return stage === 'parse' ? 'TemplateParseFailed' : 'TemplateExecutionFailed';
}
