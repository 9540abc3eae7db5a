/** Turns findings into cases. */
import type { Program } from '../conformance/evaluate.ts';
import type { Answer } from '../oracle/oracle.ts';
import { all } from './vocabulary.ts';

/** A case in the format of case files. */
export type CaseJSON = Readonly<Record<string, unknown>>;

export function toCase(id: string, program: Program, reference: Answer): CaseJSON {
  const { template, data, builtin, missingkey, name } = program;
  return {
    id,
    group: id.replace(/\/[^/]*$/, ''),
    template,
    ...(data !== undefined && { data }),
    ...(builtin && { funcs: 'builtin' }),
    ...(missingkey !== undefined && { missingkey }),
    ...(name !== 'custom' && { name }),
    ...expectation(reference),
  };
}

function expectation(reference: Answer): CaseJSON {
  if (reference.kind === 'error') return { error: reference.error, stage: reference.stage };
  const output = new TextDecoder('utf-8', { ignoreBOM: true }).decode(reference.bytes);
  const bytes = Buffer.from(reference.bytes);
  return bytes.equals(Buffer.from(output)) ? { output } : { output, outputBase64: bytes.toString('base64') };
}

/** The template's functions and the sort of difference. Findings with one signature probably have one cause. */
export function signatureOf(template: string, sort: string): string {
  return [...functionsIn(template), sort].join(' ');
}

/** The names of the functions in a template, without duplicates, sorted. */
export function functionsIn(template: string): readonly string[] {
  const words = template.replace(/"(?:\\.|[^"\\])*"|`[^`]*`/g, '""').match(/(?<![\w.$])[a-zA-Z]\w*/g) ?? [];
  return [...new Set(words)].filter((word) => all.find(word) !== undefined).sort();
}
