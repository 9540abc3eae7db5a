/** Errors of an execution, with Go's texts and positions. */
import { BudgetError, GoError, HostError, type Limit, TemplateError } from '../errors.ts';
import type { Node } from '../parse/ast.ts';
import { locate } from '../parse/position.ts';
import { print } from '../parse/print.ts';
import { quote } from '../strconv/quote.ts';
import type { Definition } from './program.ts';
import type { Frame } from './frame.ts';

interface Extra {
  readonly limit?: Limit;
  readonly cause?: unknown;
}

/** An error with `description`, at a node of the executing definition. */
export function failure(frame: Frame, node: Node, description: string, extra?: Extra): TemplateError {
  return failureIn(frame.definition, node, description, extra);
}

export function failureIn(
  { name: definition, program }: Definition,
  node: Node,
  description: string,
  extra: Extra = {},
): TemplateError {
  const { line, column } = locate(program.text, node.pos);
  const printed = print(node);
  const message = `template: ${program.name}:${line}:${column}: executing ${quote(definition)} at <${printed}>: ${description}`;
  return new TemplateError(
    {
      stage: 'exec',
      message,
      description,
      template: program.name,
      line,
      column,
      definition,
      node: printed,
      ...(extra.limit !== undefined && { limit: extra.limit }),
    },
    'cause' in extra ? { cause: extra.cause } : undefined,
  );
}

/** Converts an error that a function threw. */
export function callFailure(
  frame: Frame,
  node: Node,
  name: string,
  error: unknown,
): TemplateError | HostError {
  if (error instanceof TemplateError) return error;
  if (error instanceof GoError)
    return failure(frame, node, `error calling ${name}: ${error.message}`, { cause: error });
  return foreign(frame, node, error, `error calling ${name}: `);
}

/** Converts an error that the evaluator itself did not throw: from the budget or from the JavaScript engine. */
export function foreign(frame: Frame, node: Node, error: unknown, prefix = ''): TemplateError | HostError {
  if (error instanceof TemplateError || error instanceof HostError) return error;
  if (error instanceof BudgetError)
    return failure(frame, node, error.message, { limit: error.limit, cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return failure(frame, node, prefix + message, {
    cause: error,
    // A string or list is too long, or a recursion is too deep.
    ...(error instanceof RangeError && { limit: 'memory' }),
  });
}
