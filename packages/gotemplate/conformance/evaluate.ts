/** Executes a case's template with this engine. */
import { type Stage, TemplateError } from '../src/errors.ts';
import { sprig } from '../src/sprig/sprig.ts';
import type { ExecutionOptions } from '../src/options.ts';
import { parse } from '../src/template.ts';
import { buildData } from './data.ts';
import { escapes } from './escape.ts';
import type { Case } from './case.ts';

/** The exact result. `crash`: the engine threw something other than a TemplateError, which must never happen. */
export type Evaluation =
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly error: string; readonly stage: Stage; readonly limited: boolean }
  | { readonly kind: 'crash'; readonly error: string };

export const functions = { ...sprig(), ...escapes };

export type Program = Pick<Case, 'template' | 'data' | 'builtin' | 'missingkey' | 'name'>;

/** By default time does not pass: Go's templates have no time limit. */
export function evaluate(program: Program, options: ExecutionOptions = { clock: () => 0 }): Evaluation {
  const { name, template, missingkey } = program;
  try {
    const parsed = parse(name, template, {
      ...options,
      ...(!program.builtin && { funcs: functions }),
      ...(missingkey !== undefined && { missingkey }),
    });
    return { kind: 'output', bytes: parsed.executeBytes(buildData(program.data)) };
  } catch (error) {
    if (error instanceof TemplateError)
      return {
        kind: 'error',
        error: error.message,
        stage: error.stage,
        limited: error.limit !== undefined,
      };
    return { kind: 'crash', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
