/** Templates that use sprig's functions. */
import type { Limits } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import { parse } from '../template.ts';
import { sprig } from '../sprig/sprig.ts';

const funcs = sprig();

/** The output, or `error: ` and the error's description. */
export function render(template: string, data: unknown = null): string {
  try {
    return parse('test', template, { funcs }).execute(data);
  } catch (error) {
    if (error instanceof TemplateError) return `error: ${error.description}`;
    throw error;
  }
}

/** Which limit ends the execution of a template; undefined if none does. Without a given clock, time does not pass. */
export function limitOf(
  template: string,
  limits: Partial<Limits> = {},
  clock: () => number = () => 0,
): string | undefined {
  try {
    parse('test', template, { funcs, limits, clock }).execute(null);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.limit ?? `error: ${error.description}`;
    throw error;
  }
}
