/** The errors of the engine: with Go's texts, and as data. */
import { toOutside } from './value/text.ts';

/** `parse`: the text is not a valid template. `exec`: the execution failed. `option`: an option is unknown. */
export type Stage = 'parse' | 'exec' | 'option';

export interface TemplateErrorDetails {
  readonly stage: Stage;
  /** The whole text, exactly as Go's `err.Error()`. */
  readonly message: string;
  /** The message without `template: name:1:2: executing …: `. */
  readonly description: string;
  /** The name of the parsed text. */
  readonly template?: string;
  /** From 1. */
  readonly line?: number;
  /** In bytes from the last line break, from 0, as Go counts it. Only execution errors have one. */
  readonly column?: number;
  /** The definition that was executing: the template's own name or that of a `define`. */
  readonly definition?: string;
  /** The node that was evaluated last, printed from the AST. */
  readonly node?: string;
  /** The limit that was reached, if any. The template may be correct but too expensive. */
  readonly limit?: Limit;
  /** More information, such as why a function does not exist here. Not part of Go's text. */
  readonly hint?: string;
}

/** The only error that parsing and executing throw. Its texts are well-formed Unicode, whatever data they show. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly stage: Stage;
  readonly description: string;
  readonly template: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly definition: string | undefined;
  readonly node: string | undefined;
  readonly limit: Limit | undefined;
  readonly hint: string | undefined;

  constructor(details: TemplateErrorDetails, options?: ErrorOptions) {
    super(toOutside(details.message), options);
    this.stage = details.stage;
    this.description = toOutside(details.description);
    this.template = details.template;
    this.line = details.line;
    this.column = details.column;
    this.definition = details.definition;
    this.node = details.node;
    this.limit = details.limit;
    this.hint = details.hint;
  }
}

/**
 * A function throws it where a Go function returns an error or panics. The engine reports it at the call, as
 * `error calling NAME: MESSAGE`.
 */
export class GoError extends Error {
  override readonly name = 'GoError';
}

/** The result of `make`, or `otherwise` if it throws a GoError. */
export function attempt<T>(make: () => T, otherwise: T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}

/** The limits of an execution. `source` is the limit of parsing. */
export type Limit = 'time' | 'steps' | 'depth' | 'memory' | 'output' | 'source';

/** The host passed wrong input to an execution. The template is not at fault, so this is never a TemplateError. */
export class HostError extends TypeError {}

/** A {@link Budget} is exceeded. The engine turns it into a {@link TemplateError} with its `limit`. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly limit: Limit;

  constructor(limit: Limit, message: string) {
    super(message);
    this.limit = limit;
  }
}
