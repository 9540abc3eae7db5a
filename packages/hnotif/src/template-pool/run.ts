import { type Compiled, templateContext, lintFault, faultOfError, type Rendered } from '@hnotif/core/render';
import { fromPlain, type Job } from './job.ts';

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
