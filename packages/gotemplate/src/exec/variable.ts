/** Reading and writing variables. */
import type { Node, VariableNode } from '../parse/ast.ts';
import { Expression, type Unit, fails, unwrap, where } from './expression.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';
import type { Eval } from './op.ts';
import { type Binding, UNSET, reached, store } from './scope.ts';

/** Reads the variable at the start of a node. */
export function read(node: VariableNode, binding: Binding | undefined): Eval {
  if (binding?.otherwise === undefined) {
    const slot = binding?.slot;
    return slot === undefined ? fails(node, undefinedVariable(node)).eval : (frame) => frame.vars[slot];
  }
  return (frame) => frame.vars[real(frame, binding, node, node).slot];
}

/** An expression whose value is also assigned to a variable: a new one, or with `assign` an existing one. */
export function assignTo(unit: Unit, from: Expression, node: VariableNode, assign: boolean): Expression {
  const name = node.idents[0]!;
  const binding = assign ? unit.scope.find(name) : unit.scope.declare(name, unit.sure);
  if (binding === undefined) return fails(from.last, undefinedVariable(node), from);
  const { eval: evaluate, last } = from;
  const uncertain = assign && binding.otherwise !== undefined;
  return new Expression((frame) => {
    const value = unwrap(evaluate(frame));
    store(frame, uncertain ? real(frame, binding, node, where(frame, last)) : binding, value);
    return value;
  }, last);
}

function real(frame: Frame, binding: Binding, variable: VariableNode, place: Node): Binding {
  const found = reached(frame, binding);
  if (found === undefined) throw failure(frame, place, undefinedVariable(variable));
  return found;
}

function undefinedVariable(node: VariableNode): string {
  return `undefined variable: ${node.idents[0]}`;
}

/**
 * Calls `make` to compile code that is not always evaluated. If it declares variables, the evaluation must first call
 * `forget`, which marks them as unset.
 */
export function conditionally<T>(
  unit: Unit,
  make: () => T,
): { made: T; forget: ((frame: Frame) => void) | undefined } {
  const { scope, sure } = unit;
  const mark = scope.enter();
  unit.sure = false;
  const made = make();
  unit.sure = sure;
  const slots = scope.since(mark).map(({ slot }) => slot);
  if (slots.length === 0) return { made, forget: undefined };
  const forget = (frame: Frame) => {
    for (const slot of slots) frame.vars[slot] = UNSET;
  };
  return { made, forget };
}
