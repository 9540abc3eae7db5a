import type { Context } from '../context.ts';
import { type Func, contextual } from '../value/func.ts';
import type { Value } from '../value/value.ts';

/**
 * A function, and its `must` variant that can return an error. In a template both fail in the same way, because sprig
 * panics if it cannot return an error. The types are Go's: `family('first', '(interface{})', 'interface{}', …)`.
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
