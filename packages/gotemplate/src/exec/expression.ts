import type { Node } from '../parse/ast.ts';
import type { Value } from '../value/value.ts';
import type { Program } from './program.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';
import type { Eval } from './op.ts';
import { Scope } from './scope.ts';

/**
 * A compiled expression. Go's error messages name the node that was visited last. `last` is that node after the
 * evaluation of this expression, so templates need not record it while they run. If the node is known only at run time, as in `and`,
 * `last` is undefined, and the expression stores the node in the execution's `place`.
 */
export class Expression {
  readonly eval: Eval;
  readonly last: Node | undefined;

  constructor(evaluate: Eval, last: Node | undefined) {
    this.eval = evaluate;
    this.last = last;
  }
}

/** The node that was visited last. */
export function where(frame: Frame, last: Node | undefined): Node {
  return last ?? frame.execution.place;
}

/** A command or an argument turns a nil interface into no value: Go's pipelines look into interfaces. */
export function unwrap(value: Value): Value {
  return value === null ? undefined : value;
}

/** An expression that evaluates those in `before`, then fails. */
export function fails(
  last: Node | undefined,
  description: string,
  ...before: readonly (Expression | undefined)[]
): Expression {
  return new Expression((frame) => {
    for (const each of before) each?.eval(frame);
    throw failure(frame, where(frame, last), description);
  }, last);
}

/** A definition while it is compiled. */
export class Unit {
  readonly program: Program;
  readonly scope = new Scope();
  /** The loop whose element is dot, if any. */
  dotLoop: number | undefined = undefined;
  /** Whether the current node is always evaluated if the node before it is. */
  sure = true;
  #work = 0;

  constructor(program: Program) {
    this.program = program;
  }

  /** Counts a node that is evaluated. */
  count(): void {
    this.#work++;
  }

  /** The work counted since the last call. */
  takeWork(): number {
    const work = this.#work;
    this.#work = 0;
    return work;
  }
}
