import type { Compiled } from './compile.ts';
import { templateContext } from './context.ts';
import { lintFault, faultOfError } from './fault.ts';
import { fromPlain, type Job } from './job.ts';
import type { Rendered } from './template.ts';

/** Runs a job. Never throws. Calls `executing` when the template is parsed and has its data. */
export function run({ id, template, source }: Job, compiled: Compiled, executing: () => void): Rendered {
  try {
    const parsed = compiled.get(id, template);
    if (source === undefined) return lintFault(template) ?? { ok: true, text: '' };
    const data = templateContext(fromPlain(source));
    executing();
    return { ok: true, text: parsed.execute(data) };
  } catch (error) {
    return faultOfError(template, error);
  }
}
