/** What a definition is compiled to: steps that are linked to each other, run by the loop in run.ts. */
import type { Node } from '../parse/ast.ts';
import type { Value } from '../value/value.ts';
import type { Definition } from './definition.ts';
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
  /** Evaluates for what it does to variables. */
  evaluate: 2,
  /** Goes to `target` unless the value is true. */
  test: 3,
  /** As `test`; and a true value becomes dot, whose old value is kept in the variable `slot`. */
  with: 4,
  /** Gives dot its old value back. */
  endWith: 5,
  /** Begins a loop; goes to `target` if there is nothing to go through. */
  range: 6,
  /** Goes to `target`, the loop's body, as long as there is more; then gives dot its old value back. */
  again: 7,
  /** Leaves the loop. */
  leave: 8,
  /** Executes another definition. */
  call: 9,
  /** Ends the definition. */
  end: 10,
  /** Keeps dot in the variable `slot`. */
  keep: 11,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** One class for all kinds, so that the loop that runs them meets one shape of object. */
export class Op {
  readonly kind: Kind;
  /** Where a failure that no expression claims is said to be. */
  readonly node: Node;
  /** What to write first. */
  text = '';
  eval: Eval = nothing;
  next: Op = this;
  target: Op = this;
  /** Of a variable or a loop. */
  slot = 0;
  /** The node visited last when `eval` is done, see {@link Expression}. */
  last: Node | undefined = undefined;
  /** What it costs at most, in units of the budget. */
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
