/** What an engine says when it cannot go on: errors as Go words them, and as data. */
import { toOutside } from './value/text.ts';

/** `parse`: the text is no template. `exec`: the template met data it cannot treat. `option`: an option is unknown. */
export type Stage = 'parse' | 'exec' | 'option';

export interface TemplateErrorDetails {
  readonly stage: Stage;
  /** The whole text, exactly as Go's `err.Error()`. */
  readonly message: string;
  /** The message alone, without `template: name:1:2: executing …: `. */
  readonly description: string;
  /** The name the text was parsed under. */
  readonly template?: string;
  /** From 1. */
  readonly line?: number;
  /** In bytes from the last line break, from 0, as Go counts it. Only execution errors have one. */
  readonly column?: number;
  /** The definition that was executing: the template's own name or that of a `define`. */
  readonly definition?: string;
  /** The node that was evaluated last, printed afresh. */
  readonly node?: string;
  /** Which bound was hit, when one was: such a template may well be right and merely too expensive. */
  readonly limit?: Limit;
  /** What else there is to say, such as why a function is not offered. Not part of Go's text. */
  readonly hint?: string;
}

/** The one error that parsing and executing throw. Its texts are well-formed whatever data they show. */
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
 * What a function throws to fail as a Go function does that returns an error or panics. The engine words it as
 * `error calling NAME: MESSAGE`, at the call.
 */
export class GoError extends Error {
  override readonly name = 'GoError';
}

/** What `make` gives, or `otherwise` if it fails with a GoError. */
export function attempt<T>(make: () => T, otherwise: T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}

/** The bounds of an execution, and `source`, that of parsing. */
export type Limit = 'time' | 'steps' | 'depth' | 'memory' | 'output' | 'source';

/** What the host gave an execution is not what it has to be: not the template's fault, and so never a TemplateError. */
export class HostError extends TypeError {}

/** Thrown by a {@link Budget} that is used up; the engine turns it into a {@link TemplateError} with its `limit`. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly limit: Limit;

  constructor(limit: Limit, message: string) {
    super(message);
    this.limit = limit;
  }
}
