/** `and`, `or` and `call`: functions whose arguments the engine treats in a special way. */
import type { Node } from '../parse/ast.ts';
import { print } from '../parse/print.ts';
import { REFLECT_VALUE } from '../value/type.ts';
import { type Value, typeOf } from '../value/value.ts';
import { callFunction } from './builtins/call.ts';
import { Expression, unwrap } from './expression.ts';
import { callFailure } from './failure.ts';
import { type Operand, argument } from './operand.ts';
import { isTrue } from './truth.ts';

/** `or` (until true) and `and` (until false): the first argument with that truth, or the last. Later ones are not evaluated. */
export function shortCircuit(
  until: boolean,
  identifier: Node,
  operands: readonly Operand[],
  final: Expression | undefined,
): Expression {
  const args = operands.map((operand) => ({ eval: argument(operand, REFLECT_VALUE), last: operand.last }));
  const last = args.length === 0 ? identifier : undefined;
  return new Expression((frame) => {
    const given = final?.eval(frame);
    let value: Value;
    for (const arg of args) {
      value = arg.eval(frame);
      if (arg.last !== undefined) frame.execution.place = arg.last;
      if (isTrue(value) === until) return value;
    }
    return final === undefined ? value : unwrap(given);
  }, last);
}

/** `call`. Its messages name the function as the template writes it. */
export function callValue(
  node: Node,
  identifier: Node,
  written: Node | undefined,
  operands: readonly Operand[],
  final: Expression | undefined,
): Expression {
  const args = operands.map((operand) => argument(operand, REFLECT_VALUE));
  const last = written === undefined ? identifier : operands.at(-1)?.last;
  return new Expression((frame) => {
    const given = final && [unwrap(final.eval(frame))];
    const [func, ...rest] = [...args.map((arg) => arg(frame)), ...(given ?? [])];
    try {
      return callFunction(frame.context, written === undefined ? describe(func) : print(written), func, rest);
    } catch (error) {
      throw callFailure(frame, node, 'call', error);
    }
  }, last);
}

/** As Go's reflect.Value.String: a string is itself; other values show their type. */
function describe(value: Value): string {
  return typeof value === 'string' ? value : `<${typeOf(value)?.name ?? 'invalid'} Value>`;
}
