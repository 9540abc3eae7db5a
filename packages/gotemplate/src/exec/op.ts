/** A definition is compiled to steps that are linked to each other. The loop in run.ts runs them. */
import type { Node } from '../parse/ast.ts';
import type { Value } from '../value/value.ts';
import type { Definition } from './program.ts';
import type { Frame } from './frame.ts';
import type { Binding } from './scope.ts';

/** An expression that is ready to be evaluated. */
export type Eval = (frame: Frame) => Value;

/** What a step does after it has written its text. */
export const Kind = {
  /** Nothing. */
  text: 0,
  /** Writes a value. */
  write: 1,
  /** Evaluates an expression for its effect on variables. */
  evaluate: 2,
  /** Goes to `target` unless the value is true. */
  test: 3,
  /** Like `test`. A true value becomes dot; the old dot is saved in the variable `slot`. */
  with: 4,
  /** Restores dot. */
  endWith: 5,
  /** Begins a loop; goes to `target` if there are no elements. */
  range: 6,
  /** Goes to `target`, the body of the loop, while there are elements; then restores dot. */
  again: 7,
  /** Leaves the loop. */
  leave: 8,
  /** Executes another definition. */
  call: 9,
  /** Ends the definition. */
  end: 10,
  /** Saves dot in the variable `slot`. */
  keep: 11,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** One class for all kinds: the loop is faster with objects of one shape. */
export class Op {
  readonly kind: Kind;
  /** The node of errors that do not come from an expression. */
  readonly node: Node;
  /** What to write first. */
  text = '';
  eval: Eval = nothing;
  next: Op = this;
  target: Op = this;
  /** The slot of a variable or a loop. */
  slot = 0;
  /** The node visited last when `eval` is done, see {@link Expression}. */
  last: Node | undefined = undefined;
  /** The maximal cost, in units of the budget. */
  cost = 1;
  /** The variable that a loop gives its index or key. */
  index: Binding | undefined = undefined;
  /** The variable that a loop gives its element. */
  element: Binding | undefined = undefined;
  callee: Definition | undefined = undefined;

  constructor(kind: Kind, node: Node) {
    this.kind = kind;
    this.node = node;
  }
}

function nothing(): Value {
  return undefined;
}

/** A compiled definition. */
export interface Code {
  readonly entry: Op;
  /** How many variables a frame has. */
  readonly slots: number;
  readonly loops: number;
}
