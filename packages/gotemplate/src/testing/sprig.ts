/** Templates that use sprig's functions. */
import { describe, expect, it } from 'vitest';
import type { Limits } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import { parse } from '../template.ts';
import { sprig } from '../sprig/sprig.ts';

const funcs = sprig();

/** The output, or `error: ` and the error's description. */
export function render(template: string, data: unknown = null, limits: Partial<Limits> = {}): string {
  try {
    return parse('test', template, { funcs, limits }).execute(data);
  } catch (error) {
    if (error instanceof TemplateError) return `error: ${error.description}`;
    throw error;
  }
}

/** Which limit ends the execution of a template; undefined if none does. */
export function limitOf(
  template: string,
  limits: Partial<Limits> = {},
  clock?: () => number,
): string | undefined {
  try {
    parse('test', template, { funcs, limits, clock }).execute(null);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.limit ?? `error: ${error.description}`;
    throw error;
  }
}

/** Templates and their output in Go with sprig, by theme. */
export type Cases = Readonly<Record<string, readonly (readonly [template: string, output: string])[]>>;

/** Calls, and type and value of their result as Go's `%T %#v` prints them. Go's own prints leave out what nil is. */
export function testValuesAsGo(rows: readonly (readonly [call: string, value: string])[]): void {
  it.each(rows)('the value of %s is %s, as in Go', (call, value) => {
    expect(render(`{{$x := ${call}}}{{printf "%T %#v" $x $x}}`)).toBe(value);
  });
}

/** Calls that fail, and what Go says of it. */
export function testErrorsAsGo(rows: readonly (readonly [call: string, error: string])[]): void {
  it.each(rows)('%s fails, as in Go: %s', (call, error) => {
    const [name = ''] = call.split(' ');
    expect(render(`{{${call}}}`)).toBe(`error: error calling ${name}: ${error}`);
  });
}

/** One test for each template: its output must be the same as in Go. */
export function testAsGo(cases: Cases): void {
  describe.each(Object.entries(cases))('%s, as Go prints it', (_theme, rows) => {
    it.each(rows)('%s', (template, output) => {
      expect(render(template)).toBe(output);
    });
  });
}
