import type { Node } from '../parse/ast.ts';
import type { Value } from '../value/value.ts';
import type { Program } from './definition.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';
import type { Eval } from './op.ts';
import { Scope } from './scope.ts';

/**
 * A compiled expression. Go's messages point at the node that was visited last, whatever it was; `last` is that node
 * after the expression was evaluated, so that nothing has to be noted while templates run. Undefined where it turns out only
 * then, as it does for `and`: such expressions leave it in the execution's `place`.
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

/** What a command or an argument makes of a nil interface: no value. Go's pipelines look into interfaces. */
export function unwrap(value: Value): Value {
  return value === null ? undefined : value;
}

/** An expression that fails when it is reached, after those before it were evaluated. */
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
  /** The loop that dot is an element of, if it is one's. */
  dotLoop: number | undefined = undefined;
  /** Whether what is compiled is evaluated whenever the place before it is. */
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
