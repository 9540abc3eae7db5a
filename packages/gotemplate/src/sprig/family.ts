import type { Context } from '../context.ts';
import { type Func, contextual } from '../value/func.ts';
import type { Value } from '../value/value.ts';

/**
 * A function under its own name and, with `must` before it, as one that may return an error. In a template both fail alike,
 * as sprig panics where it does not return. The types are written as in Go: `family('first', '(interface{})', 'interface{}', …)`.
 */
export function family(
  name: string,
  params: string,
  result: string,
  impl: (context: Context, ...args: never[]) => Value,
): Record<string, Func> {
  return {
    [name]: contextual(`func${params} ${result}`, impl),
    [`must${name.charAt(0).toUpperCase()}${name.slice(1)}`]: contextual(
      `func${params} (${result}, error)`,
      impl,
    ),
  };
}
